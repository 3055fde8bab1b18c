/** A document as the ledger compares it: fields by name, and `translations` by language and field. */
export type Document = Record<string, unknown>

/** The result of a three-way merge. `conflicts`: the paths that both sides changed to different values. */
export interface Merge {
  merged: Document
  conflicts: string[]
}

/**
 * The paths at which two documents differ: `releaseDate`, `translations.en.title`. A list is one value.
 * An undefined document is empty, so every path of the other one differs.
 */
export function changedPaths(before: Document | undefined, after: Document | undefined): string[] {
  const one = leaves(before)
  const two = leaves(after)
  return [...new Set([...one.keys(), ...two.keys()])].filter((path) => !same(one.get(path), two.get(path)))
}

/**
 * Three-way merge, field by field and language by language. If only one side changed a value, or both changed it in the
 * same way, that change is taken; otherwise the path is a conflict, and `merged` holds the value of `theirs`.
 * Lists of ids never conflict: the additions and removals of both sides are applied.
 */
export function merge(base: Document, mine: Document, theirs: Document): Merge {
  const [from, one, two] = [leaves(base), leaves(mine), leaves(theirs)]
  const merged = structuredClone(theirs)
  const conflicts: string[] = []
  for (const path of new Set([...from.keys(), ...one.keys()])) {
    if (same(one.get(path), from.get(path)) || same(one.get(path), two.get(path))) continue
    if (same(two.get(path), from.get(path))) put(merged, path, one.get(path))
    else {
      const list = mergedList(from.get(path), one.get(path), two.get(path))
      if (list) put(merged, path, list)
      else conflicts.push(path)
    }
  }
  return { merged, conflicts }
}

/**
 * `document` with the values of `from` at some paths: fields, `translations.en`, or `translations.en.title`. Without
 * paths, returns `from`. Undefined if neither document has a value at one of the paths. A language keeps all its text
 * fields, even empty ones; a language that `from` does not have is removed with its last text.
 */
export function withPaths(document: Document, from: Document, paths: string[] | undefined): Document | undefined {
  if (!paths) return from
  const result = structuredClone(document)
  const values = leaves(from)
  const known = [...new Set([...leaves(document).keys(), ...values.keys()])]
  for (const path of paths) {
    const selected = known.filter((each) => each === path || each.startsWith(`${path}.`))
    if (selected.length === 0) return undefined
    for (const each of selected) put(result, each, values.get(each))
    for (const each of selected) complete(result, document, from, each)
  }
  return result
}

/** Sets missing texts of the path's language to '', or removes it if all its texts are empty and `from` lacks it. */
function complete(result: Document, document: Document, from: Document, path: string): void {
  const [field = '', language] = path.split('.')
  if (language === undefined) return
  const textsIn = (of: Document) => (of[field] as Record<string, Document> | undefined)?.[language]
  const names = Object.keys({ ...textsIn(document), ...textsIn(from) })
  const texts = Object.fromEntries(names.map((name) => [name, textsIn(result)?.[name] ?? '']))
  const all = result[field] as Record<string, Document>
  if (textsIn(from) || Object.values(texts).some(Boolean)) all[language] = texts
  else delete all[language]
}

/** The value at a path in the form of `changedPaths`; undefined if there is none. */
export const getPath = (document: Document | undefined, path: string): unknown => leaves(document).get(path)

/**
 * The merged document with conflicts resolved: at the paths of `toMine` with mine, at the others with theirs. A language
 * that only one side removed, and that is kept for a text of the other, keeps all its text fields: a text that is not in
 * conflict is the one before the removal, and one whose removal was chosen is ''.
 */
export function resolveConflicts(
  base: Document,
  mine: Document,
  theirs: Document,
  toMine: readonly string[],
): Document {
  const { merged, conflicts } = merge(base, mine, theirs)
  const values = leaves(mine)
  for (const path of toMine) put(merged, path, values.get(path))
  for (const [language, texts] of Object.entries(languagesOf(merged)))
    for (const [name, text] of Object.entries({ ...languagesOf(mine)[language], ...languagesOf(theirs)[language] }))
      texts[name] ??= conflicts.includes(`translations.${language}.${name}`) ? '' : text
  return merged
}

const languagesOf = ({ translations = {} }: Document) => translations as Record<string, Document>

/** Their list with my additions and without my removals; undefined unless all given values are lists. */
function mergedList(base: unknown = [], mine: unknown = [], theirs: unknown = []): unknown[] | undefined {
  if (!Array.isArray(base) || !Array.isArray(mine) || !Array.isArray(theirs)) return undefined
  const kept = theirs.filter((each) => mine.includes(each) || !base.includes(each))
  return [...kept, ...mine.filter((each) => !base.includes(each) && !kept.includes(each))]
}

/** The values of a document by path. Neither language tags nor field names contain dots, so paths are unambiguous. */
function leaves(document: Document | undefined): Map<string, unknown> {
  const found = new Map<string, unknown>()
  for (const [field, value] of Object.entries(document ?? {})) {
    if (field !== 'translations') found.set(field, value)
    else
      for (const [language, texts] of Object.entries(value as Record<string, Document>))
        for (const [name, text] of Object.entries(texts)) found.set(`translations.${language}.${name}`, text)
  }
  return found
}

function put(document: Document, path: string, value: unknown): void {
  const [field = '', language, name] = path.split('.')
  if (language === undefined || name === undefined) {
    if (value === undefined) delete document[field]
    else document[field] = value
    return
  }
  const all = document[field] as Record<string, Document>
  const texts = (all[language] ??= {})
  if (value === undefined) delete texts[name]
  else texts[name] = value
  if (Object.keys(texts).length === 0) delete all[language]
}

/** Whether two JSON values are equal. The order of keys does not count, and an undefined value is a missing one. */
function same(one: unknown, two: unknown): boolean {
  if (one === two) return true
  if (Array.isArray(one))
    return Array.isArray(two) && one.length === two.length && one.every((each, at) => same(each, two[at]))
  if (!isObject(one) || !isObject(two)) return false
  return Object.keys({ ...one, ...two }).every((key) => same(one[key], two[key]))
}

/** Whether a field has no value. */
export const isBlank = (value: unknown): boolean => value === undefined || value === null || value === ''

/** Whether a JSON value is an object, not a list. */
export const isObject = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
