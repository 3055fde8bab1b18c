import { draftsOf, dropDraft, keepDraft, pruneDrafts } from '#api/drafts.ts'
import { AREAS } from '#lib/areas.ts'
import type { Task } from './target.ts'

/** A text is kept this long after the last key, in milliseconds. */
const RESTED_MS = 400
/** The desk writes one draft for each text; editors have an id each. */
const ID = 'desk'

export interface Kept {
  text: string
  base: string
  version: number
}

/** The drafts of what a user types at the desk, for one field. */
export function draftsIn(user: string, { kind, field }: Task) {
  const waiting = new Map<string, Kept>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const placeOf = (id: string) => `work${AREAS[kind].path}/${id}/${field}`
  const flush = () => {
    clearTimeout(timer)
    for (const [id, { text, base, version }] of waiting)
      if (text === base) dropDraft(user, placeOf(id), ID)
      else keepDraft(user, placeOf(id), { id: ID, text, base, version, at: new Date().toISOString() })
    waiting.clear()
  }
  pruneDrafts()
  return {
    /** What was typed earlier and not saved, where it differs from what is stored. */
    left: (id: string, stored: string): string | undefined =>
      draftsOf(user, placeOf(id)).find(({ text }) => text !== stored)?.text,
    keep: (id: string, kept: Kept) => {
      waiting.set(id, kept)
      clearTimeout(timer)
      timer = setTimeout(flush, RESTED_MS)
    },
    drop: (id: string) => {
      waiting.delete(id)
      dropDraft(user, placeOf(id), ID)
    },
    /** Keeps at once what waits for a pause in the typing. */
    flush,
  }
}
