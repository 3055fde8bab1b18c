import { isTranslated } from '@mokuroku/contract/kinds'
import { PAGING } from '@mokuroku/contract/lists'
import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, Suspense, useMemo, useState } from 'react'
import * as z from 'zod/mini'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { AREAS } from '#lib/areas.ts'
import { FilterRow } from '#parts/filters/FilterRow.tsx'
import { PageBox } from '#parts/selection/SelectBox.tsx'
import { ACTIONS, useSelection } from '#parts/selection/useSelection.ts'
import { TrashLink } from '#parts/TrashLink.tsx'
import { useKeptState } from '#parts/useKeptState.ts'
import { SaveView } from '#parts/views/SaveView.tsx'
import { LeftOut } from '#parts/filters/LeftOut.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyList } from '#ui/EmptyList.tsx'
import { Page } from '#ui/Page.tsx'
import { Pager } from '#ui/Pager.tsx'
import { lazyPart } from '#ui/lazyPart.tsx'
import { useFailure } from '#ui/useFailure.ts'
import { useShortcut } from '#ui/useShortcut.ts'
import { useUrlState } from '#ui/useUrlState.ts'
import { AddLink } from './AddLink.tsx'
import type { List, Rows, ScreenProps, Stored } from './area.ts'
import { type AreaOf, AreaOfContext } from './areaOf.ts'
import { listRows } from './calls.ts'
import { EmptyArea } from './EmptyArea.tsx'
import { ExportButton } from './ExportButton.tsx'
import { ImportLink } from './ImportLink.tsx'
import { AsCards, AsTable } from './ListRows.tsx'
import { ColumnsButton } from './ColumnsButton.tsx'
import { columnsOf, shownOf } from './listColumns.tsx'
import { COLUMNS_PARAM, useColumns } from './useColumns.ts'
import { useDeleteEntity } from './useDeleteEntity.tsx'
import { WorkLink } from './WorkLink.tsx'

const SelectionBar = lazyPart(() => import('#parts/selection/SelectionBar.tsx'), 'SelectionBar')

/** List screen of a kind, with filters, pagination and row actions. */
export function ListScreen({ area, areaOf }: ScreenProps & { areaOf: AreaOf }) {
  const { list } = area
  return (
    <AreaOfContext value={areaOf}>
      {'Screen' in list ? <list.Screen area={area} /> : <Listed area={area} list={list} />}
    </AreaOfContext>
  )
}

/** URL parameters besides those of the list's query. */
const Shown = { [COLUMNS_PARAM]: z.optional(z.string()) }

interface Props extends ScreenProps {
  list: List<z.ZodMiniObject, Stored>
}

function Listed({ area, list }: Props) {
  const language = useLanguage()
  const texts = area.texts(language)
  const schema = useMemo(() => z.extend(list.query, Shown), [list])
  const [state, setState, reset, turn] = useUrlState(schema)
  const found = useQuery(listRows(area, list, state))
  const failure = useFailure(found)
  // During Retry, React Query brings back the previous page.
  const rows = failure ? undefined : found.data
  const { ask, question } = useDeleteEntity(area)
  const { page, limit } = placeOf(state, list)
  const empty = <Empty area={area} state={state} onReset={reset} onFirstPage={() => setState({ page: 1 })} />
  const filters = filtersOf(state)
  const selected = useSelection(area, JSON.stringify(filters), rows)
  const selecting = selected?.isOffered ? selected : undefined
  const { columns: chosen } = useColumns(area.kind)
  const all = columnsOf(area, list, { state, onState: setState, language })
  const table = !list.cards || chosen.length > 0 ? list.table : undefined
  const hasFilterRow = 'finding' in list.query.shape
  const chooser = list.table && (
    <ColumnsButton area={area} columns={all} hasCards={list.cards !== undefined} inHead={!hasFilterRow} />
  )
  const shown = { area, list, limit, found, onDelete: ask, empty, selecting }
  return (
    <Page
      title={texts.title}
      subtitle={texts.subtitle}
      actions={
        <>
          <TrashLink kind={area.kind} />
          {isTranslated(area.kind) && <ImportLink kind={area.kind} />}
          {isTranslated(area.kind) && <SaveView kind={area.kind} state={state} columns={chosen} />}
          {hasFilterRow && <WorkLink area={area} state={state} />}
          {list.Actions && <list.Actions />}
          {!hasFilterRow && chooser}
          <AddLink area={area} />
        </>
      }
    >
      <div>
        <Card flush>
          {list.Filters && <list.Filters applied={state} onApply={setState} onReset={reset} />}
          {hasFilterRow && (
            <FilterRow
              shape={list.query.shape}
              state={state}
              onState={setState}
              count={rows ?? {}}
              end={
                <>
                  {isTranslated(area.kind) && (
                    <ExportButton kind={area.kind} area={area} filters={filters} found={rows} />
                  )}
                  {chooser}
                </>
              }
            >
              {selecting && <PageBox selecting={selecting} />}
            </FilterRow>
          )}
          <LeftOut schema={schema} />
          {table ? <AsTable {...shown} table={table} columns={shownOf(all, chosen)} /> : <AsCards {...shown} />}
          {!failure && <Pages list={list} page={page} limit={limit} rows={rows} onState={setState} onPage={turn} />}
        </Card>
        {/* Also without the permission, which may have been withdrawn while a batch runs. */}
        {selected && <Selected area={area} list={list} selecting={selected} filters={filters} found={rows} />}
      </div>
      {question}
    </Page>
  )
}

type State = Record<string, unknown>

/** The URL parameters that filter rows, as a bulk change takes them. */
const filtersOf = (state: State): State =>
  Object.fromEntries(
    Object.entries(state).filter(([name, value]) => !PAGING.includes(name) && name !== COLUMNS_PARAM && value !== ''),
  )

type SelectedProps = Omit<ComponentProps<typeof SelectionBar>, 'openAction' | 'onOpen'>

/** Actions on the selection; the code is loaded with the first selection. */
function Selected(props: SelectedProps) {
  const { kind, size, selection } = props.selecting
  const [wasSelected, setWasSelected] = useState(false)
  const [openAction, open] = useKeptState<string | undefined>(`action on ${kind}`, undefined)
  if (size > 0 && !wasSelected) setWasSelected(true)
  // The size of a selection of all is unknown until the list has loaded.
  if (size === 0 && !selection.isAll && openAction !== undefined) open(undefined)
  // If pressed before the code has loaded, `openAction` keeps it until then.
  useShortcut('a', () => size > 0 && open(ACTIONS))
  useShortcut('t', () => size > 0 && 'tags' in props.area.editor.schema.shape && open('addTags'))
  return <Suspense>{wasSelected && <SelectionBar {...props} openAction={openAction} onOpen={open} />}</Suspense>
}

interface PagesProps extends Pick<Props, 'list'> {
  page: number
  limit: number
  rows: Rows<Stored> | undefined
  onState: (state: State) => void
  onPage: ComponentProps<typeof Pager>['onPage']
}

/** The page size can be chosen if the list's query has a `limit`. */
function Pages({ list, page, limit, rows, onState, onPage }: PagesProps) {
  const { common } = useMessages()
  const { pagerAbove = -1, isUncounted = false } = list
  const shown = rows?.rows.length ?? 0
  const { total, isMore } = rows ?? {}
  if ((total === 0 && !isUncounted) || (total ?? 0) <= pagerAbove) return null
  const skipped = (page - 1) * limit
  const isExact = total !== undefined && !isMore
  return (
    <Pager
      page={page}
      hasNext={shown === limit && (!isExact || page * limit < total)}
      pages={isExact ? Math.ceil(total / limit) : undefined}
      last={Math.ceil((total ?? 0) / limit)}
      size={'limit' in list.query.shape ? limit : undefined}
      onSize={(size) => onState({ limit: size })}
      onPage={onPage}
    >
      {isUncounted || !isExact
        ? undefined
        : common.showing(shown ? skipped + 1 : 0, shown ? skipped + shown : 0, total)}
    </Pager>
  )
}

interface EmptyProps extends ScreenProps {
  state: State
  onReset: () => void
  onFirstPage: () => void
}

function Empty({ area, state, onReset, onFirstPage }: EmptyProps) {
  const texts = area.texts(useLanguage())
  const isLate = Number(state.page) > 1
  const isFiltered = Object.keys(state).some((name) => !ORDER.has(name) && (state[name] ?? '') !== '')
  if (!isLate && !isFiltered) return <EmptyArea area={area} />
  return (
    <EmptyList
      icon={AREAS[area.kind].icon}
      title={texts.empty}
      hints={{ filtered: texts.emptyFiltered }}
      {...{ isLate, isFiltered, onFirstPage, onReset }}
    />
  )
}

/** URL parameters that do not filter rows. */
const ORDER = new Set(['page', 'limit', 'sort', COLUMNS_PARAM])

/** The current page and the page size. */
const placeOf = ({ page, limit }: State, list: Props['list']) => ({
  page: Number(page ?? 1),
  limit: Number(limit ?? list.limit),
})
