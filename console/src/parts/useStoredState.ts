import { useState } from 'react'
import { sessionEntry } from '#api/browserStorage.ts'
import { useMe } from '#api/session.ts'
import { useKeptState } from './useKeptState.ts'

/**
 * As `useKeptState`, for what takes a while to type: it is also there after its form or dialog was closed, the screen
 * left or the page reloaded, until it is set to `initial` again, as after success and by Cancel. In session storage, by
 * user and name, until the user signs out. `T` is data of JSON.
 */
export function useStoredState<T>(name: string, initial: T) {
  const stored = sessionEntry(`typed:${useMe()._id}:${name}`)
  const [first] = useState(() => {
    const text = stored.get()
    // This key has only what this function has stored.
    return text === undefined ? initial : (JSON.parse(text) as T)
  })
  const [value, setValue] = useKeptState(name, first)
  const set = (next: T) => {
    setValue(next)
    // First, because what is too long for the storage would leave an earlier text.
    stored.remove()
    if (next !== initial) stored.set(JSON.stringify(next))
  }
  return [value, set, () => stored.get() !== undefined] as const
}
