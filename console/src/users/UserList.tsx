import { orderOf } from '@mokuroku/contract/common'
import { ROLES, type User, UserQuery, usersApi } from '@mokuroku/contract/users'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus, Users } from 'lucide-react'
import * as z from 'zod/mini'
import { qList } from '#api/query.ts'
import { useMessages } from '#i18n/messages.ts'
import { TrashLink } from '#parts/TrashLink.tsx'
import { Button, buttonClass } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { ChoiceFilter, Filters, SearchFilter } from '#ui/Filters.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { Page } from '#ui/Page.tsx'
import { Pager } from '#ui/Pager.tsx'
import { Table, TableSkeleton } from '#ui/Table.tsx'
import { useUrlState } from '#ui/useUrlState.ts'
import { useDeleteUser } from './deleteUser.tsx'
import { useUserRights } from './rights.ts'
import { texts as area } from './texts.ts'
import css from './UserList.module.css'
import { useUserColumns } from './UserListColumns.tsx'

/** Users per page. */
const LIMIT = 10

/** What the address of the list may hold. */
const ListQuery = z.omit(UserQuery, { limit: true })

export function UserList() {
  const texts = area.use()
  const { common } = useMessages()
  const [filters, setFilters, reset] = useUrlState(ListQuery)
  const found = useQuery(qList(usersApi.list, { query: { ...filters, limit: LIMIT } }))
  const { ask, question } = useDeleteUser()
  const columns = useUserColumns({ ...filters, onSort: (sort) => setFilters({ sort }), onDelete: ask })
  const { page, role, isActive, search } = filters
  const { total = 0, pages = 0 } = found.data ?? {}
  const shown = found.data?.data.length ?? 0
  const first = (page - 1) * LIMIT
  const isFiltered = Boolean(role || search || isActive !== undefined)

  return (
    <Page
      title={texts.title}
      subtitle={texts.subtitle}
      actions={
        <>
          <TrashLink kind="User" />
          <AddUser />
        </>
      }
    >
      <Card flush>
        <UserFilters applied={filters} order={orderOf(filters)} onApply={setFilters} onReset={reset} />
        <Loaded
          query={found}
          loading={texts.loading}
          failed={texts.failed}
          skeleton={
            <div className={css.table}>
              <TableSkeleton columns={columns} rows={LIMIT} />
            </div>
          }
        >
          {({ data }) => (
            <div className={css.table}>
              <Table<User>
                label={texts.title}
                columns={columns}
                rows={data}
                rowKey={({ _id }) => _id}
                empty={
                  <EmptyState
                    icon={Users}
                    title={texts.empty}
                    hint={page > 1 ? texts.emptyPage : isFiltered ? texts.emptyFiltered : undefined}
                  >
                    {page > 1 && <Button onClick={() => setFilters({ page: 1 })}>{texts.firstPage}</Button>}
                    {isFiltered && <Button onClick={reset}>{common.reset}</Button>}
                  </EmptyState>
                }
              />
            </div>
          )}
        </Loaded>
        <Pager page={page} hasNext={page < pages} onPage={(next) => setFilters({ page: next })}>
          {found.data && common.showing(shown ? first + 1 : 0, shown ? first + shown : 0, total)}
        </Pager>
      </Card>
      {question}
    </Page>
  )
}

type Applied = Partial<Pick<z.output<typeof ListQuery>, 'role' | 'isActive' | 'search'>>

interface FiltersProps {
  /** What the address says. */
  applied: Applied
  onApply: (filters: Applied, how?: { replace?: boolean }) => void
  onReset: () => void
  order: string
}

/** The line above the table. Role and status apply at once, a search once the typing rests. */
function UserFilters({ applied: { search = '', role, isActive }, onApply, onReset, order }: FiltersProps) {
  const texts = area.use()
  const { seesAddresses } = useUserRights()
  return (
    <Filters label={texts.filters} onReset={onReset} byMatch={order === 'relevance'}>
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

function AddUser() {
  const texts = area.use()
  const { noEdit } = useUserRights()
  if (noEdit) {
    return (
      <Button variant="primary" icon={Plus} reason={noEdit}>
        {texts.add}
      </Button>
    )
  }
  return (
    <Link to="/users/new" className={buttonClass({ variant: 'primary' })}>
      <Plus size={16} aria-hidden />
      {texts.add}
    </Link>
  )
}
