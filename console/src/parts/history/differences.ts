import { FILE_FIELDS } from '@mokuroku/contract/assets'
import { changedPaths, type Document, getPath } from '@mokuroku/contract/merge'

type Kind = string

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

/** Fields that say one thing together: none of them alone can be put back. */
export const FIELD_GROUPS: Record<Kind, { field: string; of: readonly string[] } | undefined> = {
  Asset: { field: 'file', of: FILE_FIELDS },
}

/** The differences of two versions, in the order of their fields. `from` is absent before a thing was created. */
export function differences(kind: Kind, from: Document | undefined, to: Document): Difference[] {
  const found = new Map<string, Difference>()
  for (const path of changedPaths(from, to)) {
    const { field, language } = partsOf(kind, path)
    const key = language ? path : field
    const known = found.get(key)
    if (known) known.paths.push(path)
    else found.set(key, { field, language, paths: [path], from: getPath(from, path), to: getPath(to, path) })
  }
  return [...found.values()].filter((each) => !isNothing(each.from) || !isNothing(each.to))
}

/** What the paths of a change are called: each field once, a translated text with its language. */
export function fieldsOf(kind: Kind, paths: readonly string[]): Pick<Difference, 'field' | 'language'>[] {
  const named = paths.map((path) => partsOf(kind, path))
  return named.filter(
    ({ field, language }, at) =>
      named.findIndex((other) => other.field === field && other.language === language) === at,
  )
}

function partsOf(kind: Kind, path: string): Pick<Difference, 'field' | 'language'> {
  const [field = path, language, name] = path.split('.')
  if (field === 'translations' && name) return { field: name, language }
  const group = FIELD_GROUPS[kind]
  return { field: group?.of.includes(field) ? group.field : field, language: undefined }
}

/** An empty text that comes or goes with its language is no difference to a reader. */
const isNothing = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
