import { isInFamily } from '@mokuroku/contract/languageTags'
import { useQuery } from '@tanstack/react-query'
import { ListChecks } from 'lucide-react'
import { type ComponentProps, useEffect, useMemo, useState } from 'react'
import { useMe } from '#api/session.ts'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { site } from '#lib/site.ts'
import { readUrl } from '#lib/urlQuery.ts'
import type { Area, List, Stored } from '#parts/area/area.ts'
import { listRows } from '#parts/area/calls.ts'
import { EmptyArea } from '#parts/area/EmptyArea.tsx'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { Pager } from '#ui/Pager.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import type * as z from 'zod/mini'
import { createMatrix } from './matrix.ts'
import { MatrixGrid } from './MatrixGrid.tsx'
import type { MatrixRow } from './matrixState.ts'
import { reportLost } from './reportLost.ts'
import { isUnfiltered, type Task } from './target.ts'
import { workTexts } from './texts.ts'

/** Rows per page, for lists whose page size can be chosen. */
const ROWS = 50

interface Props {
  area: Area
  task: Task
  filter: Readonly<Record<string, string>>
  page: number
  onPage: ComponentProps<typeof Pager>['onPage']
}

type AnyList = List<z.ZodMiniObject, Stored>

/** The matrix: texts of a filtered list in the wanted languages, edited in place. */
export function Matrix({ area, task, filter, page, onPage }: Props) {
  const texts = workTexts.use()
  const language = useLanguage()
  const { common } = useMessages()
  const list = area.list as AnyList
  const limit = 'limit' in list.query.shape ? ROWS : (list.limit ?? ROWS)
  const state = useMemo(
    () =>
      readUrl(list.query, {
        ...filter,
        page: String(page),
        ...('limit' in list.query.shape && { limit: String(ROWS) }),
      }),
    [list, filter, page],
  )
  const options = listRows(area, list, state)
  // Never stale: rows must stay in place while they are edited, even if they no longer match.
  const found = useQuery({
    ...options,
    queryKey: ['edit', ...(options.queryKey ?? [])],
    staleTime: Infinity,
    gcTime: 0,
  })
  return (
    <Loaded query={found} loading={texts.states.loading} failed={texts.failed} skeleton={<Skeleton height={400} />}>
      {({ rows, total, isMore }) =>
        rows.length === 0 ? (
          <Empty {...{ area, filter, page }} toFirst={() => onPage(() => 1)} />
        ) : (
          <>
            <MatrixOfRows
              key={`${page} ${found.dataUpdatedAt}`}
              area={area}
              task={task}
              rows={rows as readonly MatrixRow[]}
            />
            <Pager
              page={page}
              hasNext={rows.length === limit && (total === undefined || isMore === true || page * limit < total)}
              pages={total !== undefined && !isMore ? Math.ceil(total / limit) : undefined}
              last={Math.ceil((total ?? 0) / limit)}
              onPage={onPage}
            >
              {total === undefined || isMore
                ? undefined
                : common.showing((page - 1) * limit + 1, (page - 1) * limit + rows.length, total)}
            </Pager>
            <p className="sr-only" lang={language === 'zh' ? 'zh-Hans' : 'en'}>
              {texts.gridHint}
            </p>
          </>
        )
      }
    </Loaded>
  )
}

/** Nothing is left; on a later page, there may be rows before it. */
function Empty({ area, filter, page, toFirst }: Pick<Props, 'area' | 'filter' | 'page'> & { toFirst: () => void }) {
  const texts = workTexts.use()
  const { common } = useMessages()
  if (page === 1 && isUnfiltered(filter)) return <EmptyArea area={area} />
  if (page === 1) return <EmptyState icon={ListChecks} title={texts.done} />
  return (
    <EmptyState icon={ListChecks} title={common.emptyPage}>
      <Button onClick={toFirst}>{common.firstPage}</Button>
    </EmptyState>
  )
}

/** The columns are the wanted languages, as used in the rows (`zh-Hans` for `zh`), and the target language. */
function MatrixOfRows({ area, task, rows }: { area: Area; task: Task; rows: readonly MatrixRow[] }) {
  const { _id: user } = useMe()
  const { languages: wanted } = site.use()
  const languages = useMemo(() => columnsOf(rows, wanted, task), [rows, wanted, task])
  const [matrix] = useState(() => createMatrix({ area, task, user, rows, languages, onLost: reportLost }))
  useEffect(() => {
    matrix.start()
    addEventListener('pagehide', matrix.flush)
    return () => {
      removeEventListener('pagehide', matrix.flush)
      matrix.leave()
    }
  }, [matrix])
  return <MatrixGrid area={area} task={task} matrix={matrix} languages={languages} />
}

function columnsOf(rows: readonly MatrixRow[], wanted: readonly string[], { language, field }: Task): string[] {
  const used = new Set(
    rows.flatMap(({ translations }) =>
      Object.entries((translations ?? {}) as Record<string, Record<string, string>>).flatMap(([tag, texts]) =>
        texts[field] ? [tag] : [],
      ),
    ),
  )
  const asWritten = wanted.flatMap((each) => {
    const found = [...used].filter((tag) => isInFamily(tag, each)).toSorted((one, other) => one.localeCompare(other))
    return found.length > 0 ? found : [each]
  })
  return [...new Set([...asWritten, ...(language ? [language] : [])])]
}
