import { TRASH_KINDS } from '@mokuroku/contract/kinds'
import { TrashQuery, type TrashRow, trashApi } from '@mokuroku/contract/trash'
import { useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { qList } from '#api/query.ts'
import { useMessages } from '#i18n/messages.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Filters } from '#ui/Filters.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { Page } from '#ui/Page.tsx'
import { Pager } from '#ui/Pager.tsx'
import { Table, TableSkeleton } from '#ui/Table.tsx'
import { useUrlState } from '#ui/useUrlState.ts'
import { Purge } from './Purge.tsx'
import { trashTexts } from './texts.ts'
import { useTrashColumns } from './TrashColumns.tsx'

/** What was deleted and can still be restored, of every kind. */
export function Trash() {
  const texts = trashTexts.use()
  const { common, kinds } = useMessages()
  const [{ kind, page, limit }, setState, reset] = useUrlState(TrashQuery)
  const found = useQuery({
    ...qList(trashApi.list, { query: { kind, page, limit } }),
    // Every list deletes into it.
    staleTime: 0,
    meta: { quiet: true },
  })
  const [asked, ask] = useState<TrashRow>()
  const columns = useTrashColumns(ask)
  const total = found.data?.pagination.total ?? 0
  const skip = (page - 1) * limit
  const shown = found.data?.data.length ?? 0
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
              empty={
                <EmptyState
                  icon={Trash2}
                  title={texts.empty}
                  hint={page > 1 ? texts.emptyPage : kind ? texts.emptyFiltered : texts.emptyHint}
                >
                  {page > 1 && <Button onClick={() => setState({ page: 1 })}>{texts.firstPage}</Button>}
                  {kind && <Button onClick={reset}>{common.reset}</Button>}
                </EmptyState>
              }
            />
          )}
        </Loaded>
        {(total > limit || page > 1) && (
          <Pager page={page} hasNext={page * limit < total} onPage={(next) => setState({ page: next })}>
            {common.showing(shown ? skip + 1 : 0, shown ? skip + shown : 0, total)}
          </Pager>
        )}
      </Card>
      {asked && <Purge row={asked} onClose={() => ask(undefined)} />}
    </Page>
  )
}
