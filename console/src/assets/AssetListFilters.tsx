import { ASSET_STATUSES, ASSET_TYPES, type AssetStatus, type AssetType } from '@mokuroku/contract/assets'
import type { FiltersProps } from '#parts/area/area.ts'
import { type FilterFields, Filters } from '#ui/Filters.tsx'
import { assetTexts } from './texts.ts'

interface Applied {
  search?: string | undefined
  type?: AssetType | undefined
  status?: AssetStatus | undefined
  unused?: boolean | undefined
}

/** The filters above the cards. Choices apply immediately, the search text is debounced. */
export function AssetListFilters(props: FiltersProps<Applied>) {
  const texts = assetTexts.use()
  const fields: FilterFields<Applied> = {
    search: { label: texts.search, placeholder: texts.searchHint },
    type: {
      label: texts.type,
      all: texts.allTypes,
      options: ASSET_TYPES.map((value) => ({ value, label: texts.typeFilter[value] })),
    },
    status: {
      label: texts.status,
      all: texts.allStatus,
      options: ASSET_STATUSES.map((value) => ({ value, label: texts.statuses[value] })),
    },
    unused: {
      label: texts.use,
      all: texts.allUses,
      options: [
        { value: true, label: texts.unused },
        { value: false, label: texts.used },
      ],
    },
  }
  return <Filters {...props} label={texts.filters} fields={fields} byMatch={Boolean(props.applied.search)} />
}
