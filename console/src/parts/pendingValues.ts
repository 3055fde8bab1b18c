import { type Mutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'

/** What takes a while until its result is part of the data that is being edited: an upload, a new entry. */
type Pending = 'upload' | 'creation'

const ALL = 'pendingValue'
/** The key of mutations whose result becomes a value of the data that is being edited: saving waits for them. */
export const pendingValue = (what: Pending) => [ALL, what]

/** Numbers the choices of one value: a pending choice must not replace a later one. */
export function useTurns() {
  const turns = useRef(0)
  return {
    next: () => (turns.current += 1),
    isLatest: (turn: number) => turn === turns.current,
  }
}

/**
 * `start` saves, but not before all pending values have arrived; `waitsFor` is what it waits for. If one of them fails,
 * which shows an error, nothing is saved.
 */
export function useSaveWithPending(save: () => void) {
  const mutations = useQueryClient().getMutationCache()
  const [awaited, setAwaited] = useState<readonly Mutation[]>()
  const [arrivals, setArrivals] = useState(0)
  const saveNow = useEffectEvent(save)
  const start = () => {
    const pending = mutations.findAll({ mutationKey: [ALL], status: 'pending' })
    if (pending.length > 0) setAwaited(pending)
    else save()
  }
  useEffect(() => {
    if (!awaited) return undefined
    return mutations.subscribe(() => {
      if (mutations.find({ mutationKey: [ALL], exact: false, status: 'pending' })) return
      setAwaited(undefined)
      if (awaited.every(({ state }) => state.status === 'success')) setArrivals((times) => times + 1)
    })
  }, [awaited, mutations])
  // Only after rendering are the values part of the data.
  useEffect(() => {
    if (arrivals > 0) saveNow()
  }, [arrivals])
  return { start, waitsFor: awaited?.[0]?.options.mutationKey?.[1] as Pending | undefined }
}

/** Returns whether values are pending at that moment. */
export function usePendingValues() {
  const mutations = useQueryClient().getMutationCache()
  return () => mutations.find({ mutationKey: [ALL], exact: false, status: 'pending' }) !== undefined
}
