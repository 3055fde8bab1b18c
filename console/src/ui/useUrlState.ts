import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import type * as z from 'zod/mini'
import { readUrl, writeUrl } from '#lib/urlQuery.ts'

/**
 * The state of a list, kept in the address: filters, sort and page, by the contract's own query schema.
 * Setting anything but the page leads back to the first one; `reset` clears all of it. With `replace`, Back does not
 * lead through what stood there before: a word half written.
 */
export function useUrlState<S extends z.ZodMiniObject>(schema: S) {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const state = useMemo(() => readUrl(schema, search), [schema, search])
  const go = (next: Record<string, unknown>, replace = false) =>
    void navigate({ to: '.', search: next, resetScroll: false, replace })
  const set = (patch: Partial<z.output<S>>, { replace = false } = {}) =>
    go(writeUrl(schema, { ...state, ...('page' in state && { page: 1 }), ...patch }), replace)
  return [state, set, () => go({})] as const
}
