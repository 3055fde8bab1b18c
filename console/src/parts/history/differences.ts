import { changedPaths, type Document, getPath, isBlank } from '@mokuroku/contract/merge'
import type { Revised } from './revised.ts'

/** One difference between two versions of an entity. */
export interface Difference {
  /** The field's name; for a translated text, that of the text: `title`. */
  field: string
  /** Language of a translated text. */
  language: string | undefined
  /** The paths to restore. */
  paths: string[]
  from: unknown
  to: unknown
}

/** The differences between two versions, in field order. `from` is undefined before the entity was created. */
export function differences(
  revised: Pick<Revised, 'together'>,
  from: Document | undefined,
  to: Document,
): Difference[] {
  const found = new Map<string, Difference>()
  for (const path of changedPaths(from, to)) {
    const { field, language } = partsOf(revised, path)
    const key = language ? path : field
    const known = found.get(key)
    if (known) known.paths.push(path)
    else found.set(key, { field, language, paths: [path], from: getPath(from, path), to: getPath(to, path) })
  }
  return [...found.values()].filter((each) => !isNothing(each.from) || !isNothing(each.to))
}

/** The fields of changed paths, without duplicates; translated texts with their language. */
export function fieldsOf(
  revised: Pick<Revised, 'together'>,
  paths: readonly string[],
): Pick<Difference, 'field' | 'language'>[] {
  const named = paths.map((path) => partsOf(revised, path))
  return named.filter(
    ({ field, language }, at) =>
      named.findIndex((other) => other.field === field && other.language === language) === at,
  )
}

/** The field of a path; for a translated text, that of the text, with its language. */
export function partsOf({ together }: Pick<Revised, 'together'>, path: string): Pick<Difference, 'field' | 'language'> {
  const [field = path, language, name] = path.split('.')
  if (field === 'translations' && name) return { field: name, language }
  return { field: together?.fields.includes(field) ? together.field : field, language: undefined }
}

/** Adding or removing an empty text together with its language is not a visible difference. */
const isNothing = (value: unknown) => isBlank(value) || (Array.isArray(value) && value.length === 0)
