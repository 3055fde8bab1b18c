import { orderOf } from '@mokuroku/contract/common'
import { ROLES, type UserQuery } from '@mokuroku/contract/users'
import type * as z from 'zod/mini'
import type { FiltersProps } from '#parts/area/area.ts'
import { ChoiceFilter, Filters, SearchFilter } from '#ui/Filters.tsx'
import { useSeesAddresses } from './rights.ts'
import { userTexts } from './texts.ts'

type Applied = Pick<z.output<typeof UserQuery>, 'role' | 'isActive' | 'search' | 'sort'>

/** The line above the table. Role and status apply at once, a search once the typing rests. */
export function UserListFilters({ applied, onApply, onReset }: FiltersProps<Applied>) {
  const texts = userTexts.use()
  const seesAddresses = useSeesAddresses()
  const { search = '', role, isActive } = applied
  return (
    <Filters label={texts.filters} onReset={onReset} byMatch={orderOf(applied) === 'relevance'}>
      <SearchFilter
        label={texts.search}
        placeholder={seesAddresses ? texts.searchHint : texts.searchHintNames}
        applied={search}
        onApply={(next) => onApply({ search: next || undefined }, { replace: true })}
      />
      <ChoiceFilter
        label={texts.role}
        all={texts.allRoles}
        value={role}
        options={ROLES.map((value) => ({ value, label: texts.roles[value] }))}
        onChange={(chosen) => onApply({ role: chosen })}
      />
      <ChoiceFilter
        label={texts.status}
        all={texts.allStatus}
        value={isActive === undefined ? undefined : isActive ? 'active' : 'inactive'}
        options={[
          { value: 'active', label: texts.active },
          { value: 'inactive', label: texts.inactive },
        ]}
        onChange={(chosen) => onApply({ isActive: chosen && chosen === 'active' })}
      />
    </Filters>
  )
}
