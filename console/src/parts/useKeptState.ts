import { useEffect, useEffectEvent, useState } from 'react'
import { session, useMe } from '#api/session.ts'

/** What was in forms when they were left, by user and name, until the user opens the form again. Only in memory. */
const kept = new Map<string, unknown>()

const isForgotten = () => {
  const now = session.get()
  return now.state === 'out' && now.isForgotten === true
}
session.subscribe(() => isForgotten() && kept.clear())

/**
 * As `useState`, for what a user enters into a form without a draft: if the session ends while the form is open, but not
 * because the user signs out, it starts with this after the same user has signed in again; with `whenLeft`, also when
 * the user returns from another screen. `name` identifies the form, and the value in it; `without` removes secrets.
 */
export function useKeptState<T>(
  name: string,
  initial: T,
  without: (value: T) => T = (value) => value,
  whenLeft = false,
) {
  const key = `${useMe()._id} ${name}`
  // `kept` has under this key only what this function has stored.
  const state = useState(() => (kept.has(key) ? (kept.get(key) as T) : initial))
  const keep = useEffectEvent(() => {
    const isLeft = session.get().state === 'in'
    if (isLeft ? whenLeft && state[0] !== initial : !isForgotten()) kept.set(key, without(state[0]))
  })
  useEffect(() => {
    kept.delete(key)
    return () => keep()
  }, [key])
  return state
}

/** Changes what is kept under all names that start with this word. */
export function changeKept<T>(word: string, change: (value: T) => T) {
  // `kept` has under these keys only what forms with such a name have stored.
  for (const [key, value] of kept) if (key.split(' ')[1] === word) kept.set(key, change(value as T))
}
