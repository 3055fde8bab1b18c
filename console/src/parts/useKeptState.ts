import { useEffect, useEffectEvent, useState } from 'react'
import { session, useMe } from '#api/session.ts'

/** What was in forms when a session ended, by user and name, until the user opens the form again. Only in memory. */
const kept = new Map<string, unknown>()

const isForgotten = () => {
  const now = session.get()
  return now.state === 'out' && now.isForgotten === true
}
session.subscribe(() => isForgotten() && kept.clear())

/**
 * As `useState`, for what a user enters into a form without a draft: if the session ends while the form is open, but not
 * because the user signs out, it starts with this after the same user has signed in again. `name` identifies the form,
 * and the value in it; `without` removes secrets.
 */
export function useKeptState<T>(name: string, initial: T, without: (value: T) => T = (value) => value) {
  const key = `${useMe()._id} ${name}`
  // `kept` has under this key only what this function has stored.
  const state = useState(() => (kept.has(key) ? (kept.get(key) as T) : initial))
  const keep = useEffectEvent(() => {
    if (session.get().state !== 'in' && !isForgotten()) kept.set(key, without(state[0]))
  })
  useEffect(() => {
    kept.delete(key)
    return () => keep()
  }, [key])
  return state
}
