import { isTranslated, TRASH_KINDS } from '@mokuroku/contract/kinds'
import { TrashQuery, type TrashRow, trashApi } from '@mokuroku/contract/trash'
import { useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { qList } from '#api/query.ts'
import { useMessages } from '#i18n/messages.ts'
import { PageBox, SelectBox } from '#parts/selection/SelectBox.tsx'
import { selectTexts } from '#parts/selection/selectTexts.ts'
import { type Selected, useSelected } from '#parts/selection/useSelection.ts'
import { LeftOut } from '#parts/filters/LeftOut.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Filters } from '#ui/Filters.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { Page } from '#ui/Page.tsx'
import { RangePager } from '#parts/RangePager.tsx'
import { Table, TableSkeleton } from '#ui/Table.tsx'
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

const boxOf = (row: TrashRow, selecting: Selected<TrashRow>) =>
  isRestorable(row) ? <RowBox row={row} selecting={selecting} /> : <span className={css.noBox} />

function RowBox({ row, selecting }: { row: TrashRow; selecting: Selected<TrashRow> }) {
  const texts = selectTexts.use()
  const { text } = useTitleOfRow()(row)
  return (
    <SelectBox
      row={row._id}
      label={texts.select(text)}
      checked={selecting.isSelected(row._id)}
      onChange={(isRange) => selecting.toggle(row._id, isRange)}
    />
  )
}

/** Deleted entities of every kind that can still be restored. */
export function Trash() {
  const texts = trashTexts.use()
  const { common, kinds } = useMessages()
  const [{ kind, page, limit }, setState, reset] = useUrlState(TrashQuery)
  const found = useQuery({
    ...qList(trashApi.list, { query: { kind, page, limit } }),
    // Every list can add to it.
    staleTime: 0,
  })
  const [asked, ask] = useState<TrashRow>()
  const columns = useTrashColumns(ask)
  const select = selectTexts.use()
  const loaded = useShown(found)
  const rows = loaded?.data.filter(isRestorable) ?? []
  const hasAll = kind !== undefined && isTranslated(kind)
  const selecting = useSelected({
    isOffered: rows.length > 0,
    filters: `Trash ${kind}`,
    found: loaded && { rows, total: loaded.pagination.total },
    hasAll,
  })
  const [wasSelected, setWasSelected] = useState(false)
  if (selecting.size > 0 && !wasSelected) setWasSelected(true)
  const total = loaded?.pagination.total ?? 0
  const shown = loaded?.data.length ?? 0
  return (
    <Page title={texts.title} subtitle={texts.subtitle}>
      <Card flush>
        <Filters
          label={texts.filters}
          fields={{
            kind: {
              label: texts.kind,
              all: texts.allKinds,
              options: TRASH_KINDS.map((value) => ({ value, label: kinds[value].name })),
            },
          }}
          applied={{ kind }}
          onApply={setState}
          onReset={reset}
        />
        <LeftOut schema={TrashQuery} />
        {rows.length > 0 && (
          <div className={css.page}>
            <PageBox selecting={selecting} />
            <span>{select.page}</span>
          </div>
        )}
        <Loaded
          query={found}
          loading={texts.loading}
          failed={texts.failed}
          skeleton={<TableSkeleton columns={columns} rows={limit} />}
        >
          {({ data }) => (
            <Table<TrashRow>
              label={texts.title}
              columns={columns}
              rows={data}
              rowKey={({ _id }) => _id}
              selection={{
                isSelected: (row) => isRestorable(row) && selecting.isSelected(row._id),
                box: (row) => boxOf(row, selecting),
              }}
              empty={
                <EmptyState
                  icon={Trash2}
                  title={texts.empty}
                  hint={page > 1 ? common.emptyPage : kind ? texts.emptyFiltered : texts.emptyHint}
                >
                  {page > 1 && <Button onClick={() => setState({ page: 1 })}>{common.firstPage}</Button>}
                  {kind && <Button onClick={reset}>{common.reset}</Button>}
                </EmptyState>
              }
            />
          )}
        </Loaded>
        <RangePager
          page={page}
          limit={limit}
          shown={shown}
          total={total}
          isCapped
          onPage={(next) => setState({ page: next })}
        />
      </Card>
      <Suspense>
        {wasSelected && <RestoreBar selecting={selecting} all={hasAll ? { kind, total } : undefined} />}
      </Suspense>
      {asked && <Purge row={asked} onClose={() => ask(undefined)} />}
    </Page>
  )
}
