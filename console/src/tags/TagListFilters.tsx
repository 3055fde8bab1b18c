import { TAG_TYPES } from '@mokuroku/contract/tags'
import type { FiltersProps } from '#parts/area/area.ts'
import { tagTypes } from '#parts/tagTypes.ts'
import { ChoiceFilter, Filters, SearchFilter } from '#ui/Filters.tsx'
import { tagTexts } from './texts.ts'

interface Applied {
  search?: string | undefined
  type?: (typeof TAG_TYPES)[number] | undefined
}

/** The line above the cards. A type applies at once, a search once the typing rests. */
export function TagListFilters({ applied: { search = '', type }, onApply, onReset }: FiltersProps<Applied>) {
  const texts = tagTexts.use()
  const types = tagTypes.use()
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
        options={TAG_TYPES.map((value) => ({ value, label: types[value] }))}
        onChange={(chosen) => onApply({ type: chosen })}
      />
    </Filters>
  )
}
