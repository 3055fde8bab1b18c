import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import * as z from 'zod/mini'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { AREAS } from '#lib/areas.ts'
import { FilterRow } from '#parts/filters/FilterRow.tsx'
import { TrashLink } from '#parts/TrashLink.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { Page } from '#ui/Page.tsx'
import { Pager } from '#ui/Pager.tsx'
import { type Column, Table, TableSkeleton } from '#ui/Table.tsx'
import { useRowKeys } from '#ui/useRowKeys.ts'
import { useUrlState } from '#ui/useUrlState.ts'
import { AddLink } from './AddLink.tsx'
import type { List, Rows, ScreenProps, Stored } from './area.ts'
import { listRows } from './calls.ts'
import { RowActions } from './RowActions.tsx'
import { COLUMNS_PARAM, useColumns } from './useColumns.ts'
import { useDeleteEntity } from './useDeleteEntity.tsx'
import { WorkLink } from './WorkLink.tsx'

/** The list of a kind, with its filters, its pages, and what can be done with each row. */
export function ListScreen({ area }: ScreenProps) {
  const { list } = area
  return 'Screen' in list ? <list.Screen area={area} /> : <Listed area={area} list={list} />
}

/** What the address says beside the query of the list. */
const Shown = { [COLUMNS_PARAM]: z.optional(z.string()) }

interface Props extends ScreenProps {
  list: List<z.ZodMiniObject, Stored>
}

function Listed({ area, list }: Props) {
  const texts = area.texts(useLanguage())
  const [state, setState, reset] = useUrlState(useMemo(() => z.extend(list.query, Shown), [list]))
  const found = useQuery(listRows(area, list, state))
  const { ask, question } = useDeleteEntity(area)
  const { page, limit } = placeOf(state, list)
  const empty = <Empty area={area} state={state} reset={reset} toFirst={() => setState({ page: 1 })} />
  const shown = { area, list, state, onState: setState, limit, found, onDelete: ask, empty }
  return (
    <Page
      title={texts.title}
      subtitle={texts.subtitle}
      actions={
        <>
          <TrashLink kind={area.kind} />
          {'finding' in list.query.shape && <WorkLink area={area} state={state} />}
          {list.Actions && <list.Actions />}
          <AddLink area={area} />
        </>
      }
    >
      <Card flush>
        {list.Filters && <list.Filters applied={state} onApply={setState} onReset={reset} />}
        {'finding' in list.query.shape && (
          <FilterRow shape={list.query.shape} state={state} onState={setState} count={found.data ?? {}} />
        )}
        {list.table ? <AsTable {...shown} table={list.table} /> : <AsCards {...shown} />}
        <Pages list={list} page={page} limit={limit} rows={found.data} onState={setState} />
      </Card>
      {question}
    </Page>
  )
}

type State = Record<string, unknown>

interface ShownProps extends Props {
  state: State
  onState: (state: State) => void
  limit: number
  found: UseQueryResult<Rows<Stored>>
  onDelete: (row: Stored) => void
  empty: ReactNode
}

type TableProps = ShownProps & { table: NonNullable<Props['list']['table']> }

function AsTable(props: TableProps) {
  const { area, table, state, onState, limit, found, empty } = props
  const language = useLanguage()
  const texts = area.texts(language)
  const { common } = useMessages()
  const chosen = useColumns(area.kind).columns
  const columns = [
    ...chosenOf(table.columns({ state, onState, language }), chosen),
    actionsColumn(props, common.actions),
  ]
  return (
    <Loaded
      query={found}
      loading={texts.loading}
      failed={texts.failed}
      skeleton={
        <div className={table.className}>
          <TableSkeleton columns={columns} rows={limit} />
        </div>
      }
    >
      {({ rows }) => (
        <div className={table.className}>
          <Table label={texts.title} columns={columns} rows={rows} rowKey={({ _id }) => _id} empty={empty} />
        </div>
      )}
    </Loaded>
  )
}

/** The first column, which names the row, and those that are chosen; without any that is there, the usual ones. */
function chosenOf(columns: readonly Column<Stored>[], chosen: readonly string[]): Column<Stored>[] {
  const [name, ...others] = columns
  const some = chosen.flatMap((key) => others.find((column) => column.key === key) ?? [])
  if (chosen.length === 0 || !name) return columns.filter(({ isExtra }) => !isExtra)
  return [name, ...new Set(some)]
}

const actionsColumn = ({ area, list, table, onDelete }: TableProps, head: string): Column<Stored> => ({
  key: 'actions',
  head,
  width: table.actionsWidth,
  actions: true,
  cell: (row) => (
    <>
      {list.RowActions && <list.RowActions row={row} />}
      <RowActions area={area} row={row} onDelete={onDelete} />
    </>
  ),
})

function AsCards({ area, list: { cards }, limit, found, onDelete, empty }: ShownProps) {
  const texts = area.texts(useLanguage())
  useRowKeys()
  if (!cards) return null
  return (
    <Loaded
      query={found}
      loading={texts.loading}
      failed={texts.failed}
      skeleton={
        <div className={cards.className} aria-hidden>
          {Array.from({ length: limit }, (_, card) => (
            <cards.Skeleton key={card} />
          ))}
        </div>
      }
    >
      {({ rows }) =>
        rows.length === 0 ? (
          empty
        ) : (
          <ul className={cards.className} aria-label={texts.title} data-list>
            {rows.map((row) => (
              <cards.Card
                key={row._id}
                row={row}
                actions={<RowActions area={area} row={row} onDelete={onDelete} size="small" />}
              />
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}

interface PagesProps extends Pick<Props, 'list'> {
  page: number
  limit: number
  rows: Rows<Stored> | undefined
  onState: (state: State) => void
}

/** How many rows a page has can be chosen where the query says so. */
function Pages({ list, page, limit, rows, onState }: PagesProps) {
  const { common } = useMessages()
  const { pagerAbove = -1, isUncounted = false } = list
  const shown = rows?.rows.length ?? 0
  const { total, isMore } = rows ?? {}
  if ((total ?? 0) <= pagerAbove) return null
  const skipped = (page - 1) * limit
  const isExact = total !== undefined && !isMore
  return (
    <Pager
      page={page}
      hasNext={shown === limit && (!isExact || page * limit < total)}
      pages={isExact ? Math.ceil(total / limit) : undefined}
      size={'limit' in list.query.shape ? limit : undefined}
      onSize={(size) => onState({ limit: size })}
      onPage={(next) => onState({ page: next })}
    >
      {isUncounted || !isExact
        ? undefined
        : common.showing(shown ? skipped + 1 : 0, shown ? skipped + shown : 0, total)}
    </Pager>
  )
}

interface EmptyProps extends ScreenProps {
  state: State
  reset: () => void
  toFirst: () => void
}

function Empty({ area, state, reset, toFirst }: EmptyProps) {
  const texts = area.texts(useLanguage())
  const { common } = useMessages()
  const isLate = Number(state.page) > 1
  const isFiltered = Object.keys(state).some((name) => !ORDER.has(name) && (state[name] ?? '') !== '')
  const hint = isLate ? common.emptyPage : isFiltered ? texts.emptyFiltered : texts.emptyCatalogue
  return (
    <EmptyState icon={AREAS[area.kind].icon} title={texts.empty} hint={hint}>
      {isLate && <Button onClick={toFirst}>{common.firstPage}</Button>}
      {isFiltered && <Button onClick={reset}>{common.reset}</Button>}
      {!isLate && !isFiltered && <AddLink area={area} />}
    </EmptyState>
  )
}

/** What of the address chooses no rows. */
const ORDER = new Set(['page', 'limit', 'sort', COLUMNS_PARAM])

/** Which page is shown, and how many rows it has. */
const placeOf = ({ page, limit }: State, list: Props['list']) => ({
  page: Number(page ?? 1),
  limit: Number(limit ?? list.limit),
})
