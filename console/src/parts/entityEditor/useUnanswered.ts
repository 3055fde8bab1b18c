import { changedPaths, getPath, isBlank } from '@mokuroku/contract/merge'
import { useState } from 'react'
import type { Fields } from '#lib/editorText.ts'

/** The saves of this editor without a response, of which nobody knows whether the server has executed them. */
export function useUnanswered() {
  const [bodies, setBodies] = useState<readonly Fields[]>([])
  return {
    count: bodies.length,
    add: (body: Fields) => setBodies((all) => [...all, body]),
    /** Whether one of them is what is stored. */
    includes: (stored: Fields) => bodies.some((body) => isStored(body, stored)),
  }
}

/** Whether all that differs between what was sent and what is stored is their form, such as that of a date. */
export const isStored = (body: Fields, stored: Fields) =>
  changedPaths(body, stored).every((path) => isBlank(getPath(body, path)) && isBlank(getPath(stored, path)))
