import { ASSET_STATUSES, ASSET_TYPES, type AssetStatus, type AssetType } from '@mokuroku/contract/assets'
import { useMessages } from '#i18n/messages.ts'
import { ChoiceFilter, Filters, SearchFilter } from '#ui/Filters.tsx'

interface Applied {
  search?: string | undefined
  type?: AssetType | undefined
  status?: AssetStatus | undefined
}

interface Props {
  /** What the address says. */
  applied: Applied
  onApply: (filters: Applied, how?: { replace?: boolean }) => void
  onReset: () => void
}

/** The line above the cards. Type and status apply at once, a search once the typing rests. */
export function AssetListFilters({ applied: { search = '', type, status }, onApply, onReset }: Props) {
  const { assets: texts } = useMessages()
  return (
    <Filters label={texts.filters} onReset={onReset}>
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
        options={ASSET_TYPES.map((value) => ({ value, label: texts.typeFilter[value] }))}
        onChange={(chosen) => onApply({ type: chosen })}
      />
      <ChoiceFilter
        label={texts.status}
        all={texts.allStatus}
        value={status}
        options={ASSET_STATUSES.map((value) => ({ value, label: texts.statuses[value] }))}
        onChange={(chosen) => onApply({ status: chosen })}
      />
    </Filters>
  )
}
