import { useQuery, type UseQueryOptions } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type * as z from 'zod/mini'
import { useMessages } from '#i18n/messages.ts'
import { readUrl } from '#lib/urlQuery.ts'
import { parseSearch, stringifySearch } from '#lib/urlState.ts'
import { IconButton } from '#ui/Button.tsx'
import { useShortcut } from '#ui/useShortcut.ts'

interface Row {
  _id: string
}

/** A list whose address says the page, and how its rows are asked for. */
export interface PagedList<Query extends z.ZodMiniObject> {
  query: Query
  /** The rows of a page of it; `limit` is how many a full one has. */
  pageOf(state: z.output<Query>): { options: UseQueryOptions<readonly Row[]>; limit: number }
}

interface Props {
  id: string
  list: PagedList<z.ZodMiniObject>
  /** The address of what is like this screen, about another thing. */
  to: (id: string) => string
}

/** Lead to what comes before and after a thing in the list that it was opened from; nothing where it was not. */
export function Neighbours(props: Props) {
  const from = useLocation({ select: ({ state }) => state.list })
  return from === undefined ? undefined : <Buttons {...props} from={from} />
}

function Buttons({ id, list, to, from }: Props & { from: string }) {
  const { common } = useMessages()
  const navigate = useNavigate()
  const { page, previous, next } = useSteps({ id, list, from })
  const go = (row: Row | undefined, at: number) => {
    if (!row) return false
    // Back leads to the page of the list that has it.
    const query = stringifySearch({ ...parseSearch(from), page: at > 1 ? at : undefined })
    void navigate({ to: to(row._id), state: (kept) => ({ ...kept, list: query }) })
    return true
  }
  const back = () => go(previous?.row, previous?.page ?? page)
  const on = () => go(next?.row, next?.page ?? page)
  useShortcut('[', back)
  useShortcut(']', on)
  if (!previous && !next) return undefined
  return (
    <>
      <IconButton
        variant="default"
        icon={ChevronLeft}
        label={common.previousInList}
        aria-keyshortcuts="["
        reason={previous ? undefined : common.firstInList}
        onClick={back}
      />
      <IconButton
        variant="default"
        icon={ChevronRight}
        label={common.nextInList}
        aria-keyshortcuts="]"
        reason={next ? undefined : common.lastInList}
        onClick={on}
      />
    </>
  )
}

/** Where the thing stands in its list, and what is beside it, on the pages beside its own too. */
function useSteps({ id, list, from }: Omit<Props, 'to'> & { from: string }) {
  const state = readUrl(list.query, parseSearch(from))
  const page = Number(state.page ?? 1)
  const [lastAt, setLastAt] = useState(-1)
  const { rows, limit } = useRows(list, state, page, true)
  const found = rows.findIndex((row) => row._id === id)
  if (found >= 0 && found !== lastAt) setLastAt(found)
  // What does not match any more has left its place to what came after it.
  const isGone = found < 0
  const at = isGone ? lastAt : found
  const after = isGone ? at : at + 1
  const before = useRows(list, state, page - 1, at === 0 && page > 1)
  const beyond = useRows(list, state, page + 1, at >= 0 && after >= rows.length && rows.length === limit)
  if (at < 0) return { page }
  const previous = at > 0 ? { row: rows[at - 1], page } : { row: before.rows.at(-1), page: page - 1 }
  const next = rows[after] ? { row: rows[after], page } : { row: beyond.rows[0], page: page + 1 }
  return { page, previous: previous.row && previous, next: next.row && next }
}

function useRows(list: Props['list'], state: Record<string, unknown>, page: number, enabled: boolean) {
  const { options, limit } = list.pageOf({ ...state, page: Math.max(1, page) })
  const { data } = useQuery({ ...options, placeholderData: undefined, enabled, meta: { quiet: true } })
  return { rows: (enabled && data) || NONE, limit }
}

/** What a list asks, with its rows alone. */
export const rowsFrom = <Answer,>(
  options: Pick<UseQueryOptions<Answer>, 'queryKey'>,
  pick: (answer: Answer) => readonly Row[],
): UseQueryOptions<readonly Row[]> => ({ ...options, select: pick }) as unknown as UseQueryOptions<readonly Row[]>

const NONE: readonly Row[] = []
