import { isTranslated, TRASH_KINDS } from '@mokuroku/contract/kinds'
import { MAX_TOTAL } from '@mokuroku/contract/lists'
import { TrashQuery, type TrashRow, trashApi } from '@mokuroku/contract/trash'
import { useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { qList } from '#api/query.ts'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { longDateTime } from '#lib/dates.ts'
import { PageBox, RowBox } from '#parts/selection/SelectBox.tsx'
import { type Selected, useSelected } from '#parts/selection/useSelection.ts'
import { FilterRow } from '#parts/filters/FilterRow.tsx'
import { LeftOut } from '#parts/filters/LeftOut.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyList } from '#ui/EmptyList.tsx'
import { Filters } from '#ui/Filters.tsx'
import { Row } from '#ui/layout.tsx'
import { LoadedTable } from '#ui/LoadedTable.tsx'
import { Page } from '#ui/Page.tsx'
import { RangePager } from '#parts/RangePager.tsx'
import { lazyPart } from '#ui/lazyPart.tsx'
import { useShown } from '#ui/useFailure.ts'
import { useUrlState } from '#ui/useUrlState.ts'
import { Purge } from './Purge.tsx'
import { trashTexts } from './texts.ts'
import css from './Trash.module.css'
import { useTitleOfRow, useTrashColumns } from './TrashColumns.tsx'

const RestoreBar = lazyPart(() => import('./RestoreBar.tsx'), 'RestoreBar')

/** Whether a row can be part of a bulk restore. */
const isRestorable = ({ kind, mayRestore }: TrashRow): boolean => mayRestore && isTranslated(kind)

const boxOf = (row: TrashRow, name: string, selecting: Selected<TrashRow>) =>
  isRestorable(row) ? <RowBox row={row} name={name} selecting={selecting} /> : <span className={css.noBox} />

/** Deleted entities of every kind that can still be restored. */
export function Trash() {
  const texts = trashTexts.use()
  const { kinds } = useMessages()
  const language = useLanguage()
  const [state, setState, reset, turn] = useUrlState(TrashQuery)
  const { page, limit, ...filters } = state
  const { kind, search } = filters
  const found = useQuery({
    ...qList(trashApi.list, { query: state }),
    // Every list can add to it.
    staleTime: 0,
  })
  const [asked, ask] = useState<TrashRow>()
  const columns = useTrashColumns(ask)
  const titleOf = useTitleOfRow()
  const loaded = useShown(found)
  const rows = loaded?.data.filter(isRestorable) ?? []
  const set = Object.values(filters).filter(Boolean).length
  // A bulk restore selects by no other filter of the trash.
  const hasAll = kind !== undefined && set === 1 && isTranslated(kind)
  const selecting = useSelected({
    isOffered: rows.length > 0,
    filters: `Trash ${JSON.stringify(filters)}`,
    found: loaded && { rows, total: loaded.pagination.total },
    hasAll,
  })
  const [wasSelected, setWasSelected] = useState(false)
  if (selecting.size > 0 && !wasSelected) setWasSelected(true)
  const total = loaded?.pagination.total ?? 0
  const { older } = loaded ?? {}
  const shown = loaded?.data.length ?? 0
  return (
    <Page title={texts.title} subtitle={texts.subtitle}>
      <Card flush>
        <Filters
          label={texts.filters}
          fields={{
            search: { label: texts.search, placeholder: texts.searchHint },
            kind: {
              label: texts.kind,
              all: texts.allKinds,
              options: TRASH_KINDS.map((value) => ({ value, label: kinds[value].name })),
            },
          }}
          applied={{ search, kind }}
          onApply={setState}
          onReset={reset}
        />
        <FilterRow
          shape={TrashQuery.shape}
          state={state}
          onState={setState}
          count={
            total > 0 ? { total: Math.min(total, MAX_TOTAL), isMore: total > MAX_TOTAL || older !== undefined } : {}
          }
        >
          {rows.length > 0 ? <PageBox selecting={selecting} /> : !loaded && <span className={css.noPageBox} />}
        </FilterRow>
        <LeftOut schema={TrashQuery} />
        <LoadedTable
          query={found}
          rowsOf={({ data }) => data}
          texts={texts}
          expected={limit}
          label={texts.title}
          columns={columns}
          rowKey={({ _id }) => _id}
          selection={{
            isSelected: (row) => isRestorable(row) && selecting.isSelected(row._id),
            box: (row) => boxOf(row, titleOf(row).text, selecting),
          }}
          empty={
            <EmptyList
              icon={Trash2}
              title={set > 0 ? texts.nothing : texts.empty}
              hints={{ filtered: texts.emptyFiltered, empty: texts.emptyHint }}
              isLate={page > 1}
              isFiltered={set > 0}
              onFirstPage={() => setState({ page: 1 })}
              onReset={reset}
            />
          }
        />
        {older && (
          <Row gap={3} wrap className={css.older}>
            <span>{texts.searchedTo(longDateTime(older, language))}</span>
            <Button size="small" onClick={() => setState({ deletedTo: older })}>
              {texts.searchOlder}
            </Button>
          </Row>
        )}
        <RangePager page={page} limit={limit} shown={shown} total={loaded?.pagination.total} isCapped onPage={turn} />
      </Card>
      <Suspense>
        {wasSelected && <RestoreBar selecting={selecting} all={hasAll ? { kind, total } : undefined} />}
      </Suspense>
      {asked && <Purge row={asked} onClose={() => ask(undefined)} />}
    </Page>
  )
}
