import { useQuery, type UseQueryOptions } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type * as z from 'zod/mini'
import { areaTexts } from '#i18n/messages.ts'
import { readUrl } from '#lib/urlQuery.ts'
import { parseSearch, stringifySearch } from '#lib/urlState.ts'
import { IconButton } from '#ui/Button.tsx'
import { FailedLine } from '#ui/FailedLine.tsx'
import { useFailure } from '#ui/useFailure.ts'
import { useShortcut } from '#ui/useShortcut.ts'

const neighboursTexts = areaTexts(
  {
    previous: 'Previous in the list ( [ )',
    next: 'Next in the list ( ] )',
    isFirst: 'This is the first of the list',
    isLast: 'This is the last of the list',
    failed: 'Failed to load the previous and the next one in the list.',
  },
  {
    previous: '列表中的上一个（ [ ）',
    next: '列表中的下一个（ ] ）',
    isFirst: '已是列表的第一个',
    isLast: '已是列表的最后一个',
    failed: '未能加载列表中的上一个和下一个。',
  },
)

interface Row {
  _id: string
}

/** A list with its page in the URL, and how to query its rows. */
export interface PagedList<Query extends z.ZodMiniObject> {
  query: Query
  /** Query options for the rows of a page; `limit` is the page size. */
  pageOf(state: z.output<Query>): { options: UseQueryOptions<readonly Row[]>; limit: number }
}

interface Props {
  id: string
  list: PagedList<z.ZodMiniObject>
  /** The path of the same screen for another entity. */
  to: (id: string) => string
}

/** Buttons for the previous and next entity in the list from which this one was opened; nothing if it was not. */
export function Neighbours(props: Props) {
  const from = useLocation({ select: ({ state }) => state.list })
  return from === undefined ? undefined : <Buttons {...props} from={from} />
}

function Buttons({ id, list, to, from }: Props & { from: string }) {
  const navigate = useNavigate()
  const texts = neighboursTexts.use()
  const { page, previous, next, failed } = useSteps({ id, list, from })
  const go = (row: Row | undefined, at: number) => {
    if (!row) return false
    // Back then leads to the page of the list that contains the entity.
    const query = stringifySearch({ ...parseSearch(from), page: at > 1 ? at : undefined })
    void navigate({ to: to(row._id), state: (kept) => ({ ...kept, list: query }) })
    return true
  }
  const back = () => go(previous?.row, previous?.page ?? page)
  const on = () => go(next?.row, next?.page ?? page)
  useShortcut('[', back)
  useShortcut(']', on)
  const failure = failed && <FailedLine what={texts.failed} {...failed} />
  if (!previous && !next) return failure
  return (
    <>
      {failure}
      <IconButton
        variant="default"
        icon={ChevronLeft}
        label={texts.previous}
        aria-keyshortcuts="["
        reason={previous ? undefined : ((failed && texts.failed) ?? texts.isFirst)}
        onClick={back}
      />
      <IconButton
        variant="default"
        icon={ChevronRight}
        label={texts.next}
        aria-keyshortcuts="]"
        reason={next ? undefined : ((failed && texts.failed) ?? texts.isLast)}
        onClick={on}
      />
    </>
  )
}

/** The position of the entity in its list, and its neighbours, also across page boundaries; and why one is unknown. */
function useSteps({ id, list, from }: Omit<Props, 'to'> & { from: string }) {
  const state = readUrl(list.query, parseSearch(from))
  const page = Number(state.page ?? 1)
  const [lastAt, setLastAt] = useState(-1)
  const { rows, limit, ...here } = useRows(list, state, page, true)
  const found = rows.findIndex((row) => row._id === id)
  if (found >= 0 && found !== lastAt) setLastAt(found)
  // An entity that no longer matches has left the list: the row after it is now at its position.
  const isGone = found < 0
  const at = isGone ? lastAt : found
  const after = isGone ? at : at + 1
  const before = useRows(list, state, page - 1, at === 0 && page > 1)
  const beyond = useRows(list, state, page + 1, at >= 0 && after >= rows.length && rows.length === limit)
  const failed = [here, before, beyond].find(({ failure }) => failure !== null)
  if (at < 0) return { page, failed }
  const previous = at > 0 ? { row: rows[at - 1], page } : { row: before.rows.at(-1), page: page - 1 }
  const next = rows[after] ? { row: rows[after], page } : { row: beyond.rows[0], page: page + 1 }
  return { page, failed, previous: previous.row && previous, next: next.row && next }
}

function useRows(list: Props['list'], state: Record<string, unknown>, page: number, enabled: boolean) {
  const { options, limit } = list.pageOf({ ...state, page: Math.max(1, page) })
  const query = useQuery({ ...options, placeholderData: undefined, enabled, meta: { quiet: true } })
  const failure = useFailure(query)
  return { rows: (enabled && query.data) || NONE, limit, failure: enabled ? failure : null, query }
}

/** The query options of a list, reduced to its rows. */
export const rowsFrom = <Answer,>(
  options: Pick<UseQueryOptions<Answer>, 'queryKey'>,
  pick: (answer: Answer) => readonly Row[],
): UseQueryOptions<readonly Row[]> => ({ ...options, select: pick }) as unknown as UseQueryOptions<readonly Row[]>

const NONE: readonly Row[] = []
