import { indexApi } from '@mokuroku/contract/search'
import { again } from '#lib/retry.ts'
import { serve } from '#http/serve.ts'
import { later, tellFailure } from '#lib/later.ts'
import { atLeast, authorize } from '#access/permissions.ts'
import { search } from '#store/search'

const WORK = 'rebuilding the search index'

let stopping = new AbortController()

export const indexRoutes = serve(
  indexApi,
  {
    state: () => search.state(),
    rebuild: async () => {
      const state = await search.state()
      if (state.isRunning) return state
      stopping = new AbortController()
      const { signal } = stopping
      later(WORK, () => again(() => search.rebuild(undefined, signal), { signal, failed: tellFailure(WORK) }))
      return { ...state, status: 'indexing' as const, isRunning: true, done: 0, total: 0 }
    },
  },
  { state: atLeast('moderator'), rebuild: authorize('edit', 'Setting') },
)

/** Ends a rebuild that was asked for here; the next start takes it up again. */
export const stopRebuilding = (): void => stopping.abort()
