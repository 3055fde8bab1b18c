import { orderOf } from '@mokuroku/contract/order'
import { ROLES, type UserQuery } from '@mokuroku/contract/users'
import type * as z from 'zod/mini'
import type { FiltersProps } from '#parts/area/area.ts'
import { type FilterFields, Filters } from '#ui/Filters.tsx'
import { useCanSeeAddresses } from './rights.ts'
import { userTexts } from './texts.ts'

type Query = z.output<typeof UserQuery>
type Applied = Pick<Query, 'search' | 'role' | 'isActive'>

/** The filters above the table. Role and status apply immediately, the search text is debounced. */
export function UserListFilters(props: FiltersProps<Applied & Pick<Query, 'sort'>>) {
  const texts = userTexts.use()
  const seesAddresses = useCanSeeAddresses()
  const fields: FilterFields<Applied> = {
    search: { label: texts.search, placeholder: seesAddresses ? texts.searchHint : texts.searchHintNames },
    role: {
      label: texts.role,
      all: texts.allRoles,
      options: ROLES.map((value) => ({ value, label: texts.roles[value] })),
    },
    isActive: {
      label: texts.status,
      all: texts.allStatus,
      options: [
        { value: true, label: texts.active },
        { value: false, label: texts.inactive },
      ],
    },
  }
  return (
    <Filters<Applied>
      {...props}
      label={texts.filters}
      fields={fields}
      byMatch={orderOf(props.applied) === 'relevance'}
    />
  )
}
