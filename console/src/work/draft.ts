import { type Draft, draftsOf, draftTime, dropDraft, keepDraft, pruneDrafts } from '#api/drafts.ts'
import { AREAS } from '#lib/areas.ts'
import type { Task } from './target.ts'

/** Debounce of storing drafts. */
const DEBOUNCE_MS = 400
/** The desk has one draft per text, under this id; editors have an id per instance. */
const ID = 'desk'

export interface UnsavedText {
  text: string
  base: string
  version: number
}

/** One text of an entity. */
export interface Place {
  id: string
  language: string
}

/** Drafts of the texts that a user types at the desk, for one field. */
export function draftsIn(user: string, { kind, field }: Pick<Task, 'kind' | 'field'>) {
  const waiting = new Map<string, UnsavedText>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const keyOf = ({ id, language }: Place) => `work${AREAS[kind].path}/${id}/${language}/${field}`
  const flush = () => {
    clearTimeout(timer)
    for (const [key, { text, base, version }] of waiting)
      if (text === base) dropDraft(user, key, ID)
      else keepDraft(user, key, { id: ID, text, base, version, at: draftTime() })
    waiting.clear()
  }
  pruneDrafts()
  return {
    /** The draft of an earlier visit, if it differs from the stored text. */
    find: (place: Place, stored: string): Draft | undefined =>
      draftsOf(user, keyOf(place)).find(({ text }) => text !== stored),
    keep: (place: Place, unsaved: UnsavedText) => {
      waiting.set(keyOf(place), unsaved)
      clearTimeout(timer)
      timer = setTimeout(flush, DEBOUNCE_MS)
    },
    /** Deletes the draft; with `saved`, only if it is of that text: another one may have been typed since. */
    drop: (place: Place, saved?: string) => {
      const key = keyOf(place)
      const now = waiting.get(key) ?? draftsOf(user, key).find(({ id }) => id === ID)
      if (saved !== undefined && now?.text !== saved) return
      waiting.delete(key)
      dropDraft(user, key, ID)
    },
    /** Stores drafts that are waiting for the debounce. */
    flush,
  }
}
