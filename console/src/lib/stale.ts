import * as z from 'zod/mini'
import type { Fields } from './editorText.ts'

const Document = z.record(z.string(), z.unknown())

/** What the server says of a stale save: what it began from, what was sent, what stands there, and where they clash. */
export const Stale = z.object({
  code: z.literal('stale'),
  /** Absent when the version it began from is no longer known. */
  base: z.optional(Document),
  mine: Document,
  theirs: Document,
  conflicts: z.array(z.string()),
  version: z.number(),
  updatedAt: z.string(),
})
export type Stale = z.output<typeof Stale>

export type Side = 'mine' | 'theirs'

/** The value at a conflict's path: `releaseDate`, `translations.en.title`. Undefined where it is absent. */
export const at = (document: Fields | undefined, path: string): unknown => leaves(document).get(path)

/**
 * The document that keeps what only one side changed, and of each conflict the side that was chosen.
 * Throws when a conflict has no choice: nothing may be lost by default.
 */
export function settled({ base, mine, theirs, conflicts }: Stale, choices: Readonly<Record<string, Side>>): Fields {
  const [from, one, two] = [leaves(base ?? theirs), leaves(mine), leaves(theirs)]
  const merged = new Map(two)
  const take = (path: string) => (one.has(path) ? merged.set(path, one.get(path)) : merged.delete(path))
  for (const path of new Set([...from.keys(), ...one.keys(), ...conflicts])) {
    if (conflicts.includes(path)) {
      if (!choices[path]) throw new Error(`No choice for ${path}`)
      if (choices[path] === 'mine') take(path)
    } else if (!same(one.get(path), from.get(path))) {
      const list = mergedList(from.get(path), one.get(path), two.get(path))
      if (list) merged.set(path, list)
      else take(path)
    }
  }
  return planted(merged, theirs)
}

/** What only one side changed: it is kept without a question. */
export function kept({ base, mine, theirs, conflicts }: Stale, side: Side): string[] {
  const from = leaves(base ?? theirs)
  const to = leaves(side === 'mine' ? mine : theirs)
  const paths = [...new Set([...from.keys(), ...to.keys()])]
  return paths.filter((path) => !conflicts.includes(path) && !same(from.get(path), to.get(path)))
}

const DEEP = 'translations.'

/** A document as it is compared: field by field, and under `translations` language by language. */
function leaves(document: Fields | undefined): Map<string, unknown> {
  const found = new Map<string, unknown>()
  for (const [field, value] of Object.entries(document ?? {})) {
    if (field !== 'translations') found.set(field, value)
    else
      for (const [language, texts] of Object.entries(value as Record<string, Fields>))
        for (const [name, text] of Object.entries(texts)) found.set(`${DEEP}${language}.${name}`, text)
  }
  return found
}

function planted(found: Map<string, unknown>, like: Fields): Fields {
  const document: Record<string, unknown> = {}
  const translations: Record<string, Record<string, unknown>> = {}
  if ('translations' in like) document.translations = translations
  for (const [path, value] of found) {
    if (!path.startsWith(DEEP)) document[path] = value
    else {
      const [language = '', name = ''] = path.slice(DEEP.length).split('.')
      ;(translations[language] ??= {})[name] = value
    }
  }
  return document
}

/** Theirs, with what mine added and without what mine took away: as the server merges lists. */
function mergedList(base: unknown, mine: unknown, theirs: unknown): unknown[] | undefined {
  if (!Array.isArray(base) || !Array.isArray(mine) || !Array.isArray(theirs)) return undefined
  const rest: unknown[] = theirs.filter((each) => mine.includes(each) || !base.includes(each))
  return [...rest, ...mine.filter((each) => !base.includes(each) && !rest.includes(each))]
}

const same = (one: unknown, two: unknown) => one === two || JSON.stringify(one) === JSON.stringify(two)
