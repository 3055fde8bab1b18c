import { type RevisionRow, revisionsApi } from '@mokuroku/contract/revisions'
import { findingsApi } from '@mokuroku/contract/findings'
import { page as pageOf } from '@mokuroku/contract/common'
import { isTranslated } from '@mokuroku/contract/kinds'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { History as HistoryIcon } from 'lucide-react'
import { useMemo } from 'react'
import * as z from 'zod/mini'
import { q, qList } from '#api/query.ts'
import { readUrl } from '#lib/urlQuery.ts'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { FailedLine } from '#ui/FailedLine.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { Pager } from '#ui/Pager.tsx'
import { useFailure } from '#ui/useFailure.ts'
import { useRowKeys } from '#ui/useRowKeys.ts'
import { Comparison } from './Comparison.tsx'
import css from './History.module.css'
import type { HistoryProps } from './revised.ts'
import { RevisionList, RevisionListSkeleton } from './RevisionList.tsx'
import { historyTexts } from './texts.ts'
import { useHistoryNavigate } from './useHistoryNavigate.tsx'

const LIMIT = 20

/** URL parameters: the page of the list, and the two versions to compare. Without `to`, the current version. */
const Place = z.object({
  page: pageOf(LIMIT).page,
  from: z.optional(z.string()),
  to: z.optional(z.string()),
})

/** The versions of an entity: who wrote each, and what changed; any two can be compared, and values restored. */
export function History({ revised, id, refusal }: HistoryProps) {
  const texts = historyTexts.use()
  const search: Record<string, unknown> = useSearch({ strict: false })
  const { page, from, to } = useMemo(() => readUrl(Place, search), [search])
  const go = useHistoryNavigate()
  useRowKeys()
  const written = { entityType: revised.kind, entityId: id }
  // Fetches one more than is shown, because each version is compared with the one before it. Not cached, because this
  // version list is not invalidated by other users' saves.
  const list = useQuery({
    ...qList(revisionsApi.list, { query: { ...written, limit: LIMIT + 1, skip: (page - 1) * LIMIT } }),
    staleTime: 0,
    meta: { quiet: true },
  })
  const first = useQuery({
    ...q(revisionsApi.list, { query: { ...written, limit: 1 } }),
    staleTime: 0,
    enabled: page > 1,
    meta: { quiet: true },
  })
  const decided = useQuery({
    ...q(findingsApi.decisions, { id }),
    staleTime: 0,
    enabled: isTranslated(revised.kind),
    meta: { quiet: true },
  })
  const failure = useFailure(decided)
  const newest = (page > 1 ? first : list).data?.data[0]
  const rows: RevisionRow[] = list.data?.data ?? []
  const isComparing = from !== undefined || to !== undefined

  return (
    <div className={css.history} data-comparing={isComparing || undefined}>
      <div className={css.versions}>
        <Card title={texts.versions} flush>
          {failure && (
            <div className={css.failed}>
              <FailedLine what={texts.decisionsFailed} failure={failure} query={decided} />
            </div>
          )}
          <Loaded
            query={list}
            loading={texts.loading}
            failed={texts.failed}
            skeleton={<RevisionListSkeleton rows={8} />}
          >
            {({ data }) =>
              data.length > 0 ? (
                <RevisionList
                  revised={revised}
                  rows={data}
                  limit={LIMIT}
                  decisions={decided.data?.data ?? []}
                  isFirstPage={page === 1}
                  newest={newest?._id}
                  chosen={to ?? from}
                />
              ) : (
                <EmptyState icon={HistoryIcon} title={texts.empty} hint={texts.emptyHint} />
              )
            }
          </Loaded>
          {(page > 1 || rows.length > LIMIT) && (
            <Pager
              page={page}
              hasNext={rows.length > LIMIT}
              onPage={(step) => go((now) => ({ page: step(readUrl(Place, now).page) }))}
            />
          )}
        </Card>
      </div>
      <div className={css.comparison} data-comparison>
        {isComparing && newest ? (
          <Comparison key={`${from} ${to}`} {...{ revised, id, from, to, newest, refusal }} rows={rows} />
        ) : (
          rows.length > 0 && (
            <Card>
              <EmptyState icon={HistoryIcon} title={texts.choose} hint={texts.chooseHint} />
            </Card>
          )
        )}
      </div>
    </div>
  )
}
