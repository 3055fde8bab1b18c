import { batchesApi, BatchQuery } from '@mokuroku/contract/batches'
import { useQuery } from '@tanstack/react-query'
import { Layers } from 'lucide-react'
import { isEnded } from '#api/batches.ts'
import { qList } from '#api/query.ts'
import { NotRefreshed } from '#parts/NotRefreshed.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyList } from '#ui/EmptyList.tsx'
import { LoadedTable } from '#ui/LoadedTable.tsx'
import { Page } from '#ui/Page.tsx'
import { RangePager } from '#parts/RangePager.tsx'
import { useShown } from '#ui/useFailure.ts'
import { useUrlState } from '#ui/useUrlState.ts'
import { useBatchColumns, useTagsOf } from './BatchColumns.tsx'
import { batchTexts } from './texts.ts'

/** Polling interval of a list with unfinished batches, in milliseconds. */
const REFRESH_MS = 2000

/** The list of past and running batches. */
export function Batches() {
  const texts = batchTexts.use()
  const [{ page, limit }, setState, , turn] = useUrlState(BatchQuery)
  const found = useQuery({
    ...qList(batchesApi.list, { query: { page, limit } }),
    // Other users start and end batches, too.
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.data.every(isEnded) === false ? REFRESH_MS : false),
    meta: { quiet: true },
  })
  const loaded = useShown(found)
  const columns = useBatchColumns(useTagsOf(loaded?.data ?? []))
  const total = loaded?.pagination.total
  const shown = loaded?.data.length ?? 0
  return (
    <Page title={texts.title} subtitle={texts.subtitle}>
      <Card flush>
        <NotRefreshed query={found} />
        <LoadedTable
          query={found}
          rowsOf={({ data }) => data}
          texts={texts}
          expected={limit}
          label={texts.title}
          columns={columns}
          rowKey={({ _id }) => _id}
          empty={
            <EmptyList
              icon={Layers}
              title={texts.empty}
              hints={{ empty: texts.emptyHint }}
              isLate={page > 1}
              onFirstPage={() => setState({ page: 1 })}
            />
          }
        />
        <RangePager page={page} limit={limit} shown={shown} total={total} onPage={turn} />
      </Card>
    </Page>
  )
}
