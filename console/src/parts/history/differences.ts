import { changedPaths, type Document, getPath } from '@mokuroku/contract/merge'
import type { Revised } from './revised.ts'

type Of = Pick<Revised, 'together'>

/** What two versions of one thing hold differently. */
export interface Difference {
  /** The name of the field; of a translated text, its own: `title`. */
  field: string
  /** Of a translated text. */
  language: string | undefined
  /** What is restored with it. */
  paths: string[]
  from: unknown
  to: unknown
}

/** The differences of two versions, in the order of their fields. `from` is absent before a thing was created. */
export function differences(of: Of, from: Document | undefined, to: Document): Difference[] {
  const found = new Map<string, Difference>()
  for (const path of changedPaths(from, to)) {
    const { field, language } = partsOf(of, path)
    const key = language ? path : field
    const known = found.get(key)
    if (known) known.paths.push(path)
    else found.set(key, { field, language, paths: [path], from: getPath(from, path), to: getPath(to, path) })
  }
  return [...found.values()].filter((each) => !isNothing(each.from) || !isNothing(each.to))
}

/** What the paths of a change are called: each field once, a translated text with its language. */
export function fieldsOf(of: Of, paths: readonly string[]): Pick<Difference, 'field' | 'language'>[] {
  const named = paths.map((path) => partsOf(of, path))
  return named.filter(
    ({ field, language }, at) =>
      named.findIndex((other) => other.field === field && other.language === language) === at,
  )
}

function partsOf({ together }: Of, path: string): Pick<Difference, 'field' | 'language'> {
  const [field = path, language, name] = path.split('.')
  if (field === 'translations' && name) return { field: name, language }
  return { field: together?.of.includes(field) ? together.field : field, language: undefined }
}

/** An empty text that comes or goes with its language is no difference to a reader. */
const isNothing = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
