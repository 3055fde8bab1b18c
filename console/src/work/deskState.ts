import type { Finding } from '@mokuroku/contract/findings'
import { createStore } from '#lib/createStore.ts'
import { editable, type Fields } from '#lib/editorText.ts'
import type { Text } from '#lib/text.ts'
import type { Area, Stored } from '#parts/area/area.ts'
import { draftsIn } from './draft.ts'
import { progressOf, pruneProgress, worked } from './progress.ts'
import { doneUntil, type Entry, newQueue, withEntry } from './queue.ts'
import { languageOf, type Task } from './target.ts'

export interface DeskOptions {
  area: Area
  task: Task
  filter: Readonly<Record<string, string>>
  user: string
  /** The languages that the site wants. */
  wanted: readonly string[]
  /** Called if others have changed an entity in the meantime, and the changes were merged. */
  onMerged: () => void
  /** Called if a save was refused after the desk was left. */
  onLost: (error: unknown) => void
}

export type DeskState = ReturnType<typeof createCore>

/** The state behind the desk: the queue, the drafts and the progress. */
export function createCore({ area, task, filter, user, wanted, onMerged, onLost }: DeskOptions) {
  pruneProgress()
  const storedProgress = progressOf(user, task.kind, filter)
  const store = createStore(newQueue(storedProgress.read()))
  const languageIn = ({ findings }: Pick<Entry, 'findings'>) => languageOf(task, findings, wanted)
  return {
    area,
    task,
    filter,
    user,
    onMerged,
    onLost,
    store,
    drafts: draftsIn(user, task),
    names: new Map<string, Text>(),
    /** Whether the user has left the desk. */
    hasLeft: false,
    /** How many claims were sent. */
    claims: 0,
    get: store.get,
    set: (change: Partial<ReturnType<typeof store.get>>) => store.set({ ...store.get(), ...change }),
    patch: (id: string, change: Partial<Entry>) => store.set(withEntry(store.get(), id, change)),
    entryOf: (id: string) => store.get().entries.find((each) => each.id === id),
    languageIn,
    storedText: (entry: Entry) => textIn(entry.entity, languageIn(entry), task.field),
    /** Counts done or skipped entries, and stores the progress. */
    count: ({ done = 0, skipped = 0 }: { done?: number; skipped?: number }) => {
      const queue = store.get()
      const before = worked(queue.progress, Date.now())
      const progress = {
        ...before,
        done: Math.max(0, before.done + done),
        skipped: Math.max(0, before.skipped + skipped),
        after: doneUntil(queue),
      }
      storedProgress.write(progress)
      store.set({ ...queue, progress })
    },
  }
}

/** A text of an entity; '' if there is none. */
export const textIn = (entity: Fields | undefined, language: string, field: string): string =>
  (entity?.translations as Record<string, Record<string, string>> | undefined)?.[language]?.[field] ?? ''

/** The request body with what was typed or chosen; undefined if that equals what is stored. */
export function bodyOf(
  { area, task, languageIn }: DeskState,
  entry: Entry & { entity: Stored & Fields },
): Fields | undefined {
  const { schema } = area.editor
  const fields = editable(schema, entry.entity)
  if (task.fill !== 'text') return withChosen(fields, task, entry.chosen)
  const language = languageIn(entry)
  if (entry.text === undefined || entry.text === textIn(entry.entity, language, task.field)) return undefined
  return withText(fields, language, task, entry.text)
}

/** Applies the chosen values; picked ids are added to the existing ones. */
function withChosen(fields: Fields, { fill, property }: Task, chosen: Fields | undefined): Fields | undefined {
  if (!chosen) return undefined
  // A broken link is read as an empty one, so compare nothing and always write the chosen value.
  if (fill === 'links') return { ...fields, ...chosen }
  const now = fields[property]
  const value = fill === 'pick' ? union(now, chosen[property]) : chosen[property]
  return JSON.stringify(value) === JSON.stringify(now) ? undefined : { ...fields, [property]: value }
}

const union = (...lists: unknown[]): unknown[] => [
  ...new Set(lists.flatMap((list) => (Array.isArray(list) ? list : []))),
]

/** The initially proposed values: broken links are removed, and a boolean that a finding questions is inverted. */
export function proposed({ area, task }: Pick<DeskState, 'area' | 'task'>, entity: Fields, found: Finding | undefined) {
  if (task.fill === 'choice') return { [task.property]: !entity[task.property] }
  if (task.fill !== 'links' || !found?.links) return undefined
  const fields = editable(area.editor.schema, entity)
  const broken = new Set(found.links.map(({ _id }) => _id))
  return Object.fromEntries(
    [...new Set(found.links.map(({ field }) => field))].map((field) => {
      const now = fields[field]
      return [field, Array.isArray(now) ? now.filter((id) => !broken.has(String(id))) : '']
    }),
  )
}

/** The fields of an entity with one text changed. A new language gets all text fields. */
export function withText(
  fields: Fields,
  language: string,
  { field, fields: all }: Pick<Task, 'field' | 'fields'>,
  text: string,
) {
  const translations = fields.translations as Record<string, Record<string, string>>
  const empty = Object.fromEntries(all.map((each) => [each, '']))
  return {
    ...fields,
    translations: { ...translations, [language]: { ...empty, ...translations[language], [field]: text } },
  }
}
