import { ASSET_STATUSES, ASSET_TYPES, type AssetStatus, type AssetType } from '@mokuroku/contract/assets'
import { ChoiceFilter, Filters, SearchFilter } from '#ui/Filters.tsx'
import { assetTexts } from './texts.ts'

const USES = ['unused', 'used'] as const

interface Applied {
  search?: string | undefined
  type?: AssetType | undefined
  status?: AssetStatus | undefined
  unused?: boolean | undefined
}

interface Props {
  /** What the address says. */
  applied: Applied
  onApply: (filters: Applied, how?: { replace?: boolean }) => void
  onReset: () => void
}

/** The line above the cards. What is chosen applies at once, a search once the typing rests. */
export function AssetListFilters({ applied: { search = '', type, status, unused }, onApply, onReset }: Props) {
  const texts = assetTexts.use()
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
      <ChoiceFilter
        label={texts.use}
        all={texts.allUses}
        value={unused === undefined ? undefined : USES[unused ? 0 : 1]}
        options={USES.map((value) => ({ value, label: texts[value] }))}
        onChange={(chosen) => onApply({ unused: chosen && chosen === 'unused' })}
      />
    </Filters>
  )
}
