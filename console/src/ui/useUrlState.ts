import { useMatch, useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import type * as z from 'zod/mini'
import { readUrl, writeUrl } from '#lib/urlQuery.ts'

/**
 * The state of a list, kept in the URL: filters, sort order and page, parsed with the contract's query schema. Setting
 * anything but the page goes to the first page; `reset` resets everything; `turn` is for a pager. With `replace`, no
 * history entry is added, for example while typing.
 */
export function useUrlState<S extends z.ZodMiniObject>(schema: S) {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const router = useRouter()
  const path = useMatch({ strict: false, select: ({ pathname }) => pathname })
  const state = useMemo(() => readUrl(schema, search), [schema, search])
  const go = (next: Record<string, unknown>, replace = false) => {
    // While the code of another screen arrives, '.' is that screen already.
    if (router.latestLocation.pathname === path) void navigate({ to: '.', search: next, resetScroll: false, replace })
  }
  // Not what was rendered last: a change just before this one may not have been.
  const latest = (): Record<string, unknown> => readUrl(schema, router.latestLocation.search)
  const set = (patch: Partial<z.output<S>>, { replace = false } = {}) => {
    const now = latest()
    go(writeUrl(schema, { ...now, ...('page' in now && { page: 1 }), ...patch }), replace)
  }
  const reset = () => go({})
  const turn = (to: (page: number) => number) => {
    const now = latest()
    go(writeUrl(schema, { ...now, page: to(Number(now.page ?? 1)) }))
  }
  return [state, set, reset, turn] as const
}
