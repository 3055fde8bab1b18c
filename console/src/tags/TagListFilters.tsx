import { TAG_TYPES } from '@mokuroku/contract/tags'
import type { FiltersProps } from '#parts/area/area.ts'
import { tagTypes } from '#parts/tagTypes.ts'
import { type FilterFields, Filters } from '#ui/Filters.tsx'
import { tagTexts } from './texts.ts'

interface Applied {
  search?: string | undefined
  type?: (typeof TAG_TYPES)[number] | undefined
}

/** The filters above the cards. The type applies immediately, the search text is debounced. */
export function TagListFilters(props: FiltersProps<Applied>) {
  const texts = tagTexts.use()
  const types = tagTypes.use()
  const fields: FilterFields<Applied> = {
    search: { label: texts.search, placeholder: texts.searchHint },
    type: {
      label: texts.type,
      all: texts.allTypes,
      options: TAG_TYPES.map((value) => ({ value, label: types[value] })),
    },
  }
  return <Filters {...props} label={texts.filters} fields={fields} byMatch={Boolean(props.applied.search)} />
}
