import { TAG_TYPES } from '@mokuroku/contract/tags'
import { useMessages } from '#i18n/messages.ts'
import { ChoiceFilter, Filters, SearchFilter } from '#ui/Filters.tsx'

interface Applied {
  search?: string | undefined
  type?: (typeof TAG_TYPES)[number] | undefined
}

interface Props {
  /** What the address says. */
  applied: Applied
  onApply: (filters: Applied, how?: { replace?: boolean }) => void
  onReset: () => void
}

/** The line above the cards. A type applies at once, a search once the typing rests. */
export function TagListFilters({ applied: { search = '', type }, onApply, onReset }: Props) {
  const { tags: texts } = useMessages()
  return (
    <Filters label={texts.filters} onReset={onReset} byMatch={search !== ''}>
      <SearchFilter
        label={texts.search}
        placeholder={texts.searchHint}
        applied={search}
        onApply={(next) => onApply({ search: next || undefined }, { replace: true })}
      />
      <ChoiceFilter
        label={texts.type}
        all={texts.allTypes}
        value={type}
        options={TAG_TYPES.map((value) => ({ value, label: texts.types[value] }))}
        onChange={(chosen) => onApply({ type: chosen })}
      />
    </Filters>
  )
}
