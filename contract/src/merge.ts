/** A document as the ledger compares it: fields, and under `translations` language and field. */
export type Document = Record<string, unknown>

/** What became of two changes of one document: `conflicts` are the paths where both changed to something different. */
export interface Merge {
  merged: Document
  conflicts: string[]
}

/**
 * The paths at which two documents differ: `releaseDate`, `translations.en.title`. A list counts as one value.
 * An absent document has no paths of its own, so everything in the other differs.
 */
export function changedPaths(before: Document | undefined, after: Document | undefined): string[] {
  const one = leaves(before)
  const two = leaves(after)
  return [...new Set([...one.keys(), ...two.keys()])].filter((path) => !same(one.get(path), two.get(path)))
}

/**
 * Three-way merge, field by field and language by language. Where only one side changed, its change is taken;
 * where both did alike, that; where they differ, the path is a conflict and `merged` holds theirs.
 * Lists of ids never conflict: what either side added or took away is done.
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
 * A document with the values that another has at some paths: fields, `translations.en`, or `translations.en.title`.
 * Without paths, the other. Undefined when neither has anything at one of them. A language keeps all of its texts, empty
 * ones too; one that the other document does not have goes with its last text.
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

/** Gives the language of a path the texts that it lacks, as empty ones, or takes it away when it has no other. */
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

/** The value at a path, as `changedPaths` names it; undefined where there is none. */
export const getPath = (document: Document | undefined, path: string): unknown => leaves(document).get(path)

/** A merge whose conflicts are settled: at the paths of `toMine` mine is taken, at the other conflicts theirs. */
export function resolveConflicts(
  base: Document,
  mine: Document,
  theirs: Document,
  toMine: readonly string[],
): Document {
  const { merged } = merge(base, mine, theirs)
  const values = leaves(mine)
  for (const path of toMine) put(merged, path, values.get(path))
  return merged
}

/** Theirs, with what mine added and without what mine took away; undefined unless all that are there are lists. */
function mergedList(base: unknown = [], mine: unknown = [], theirs: unknown = []): unknown[] | undefined {
  if (!Array.isArray(base) || !Array.isArray(mine) || !Array.isArray(theirs)) return undefined
  const kept = theirs.filter((each) => mine.includes(each) || !base.includes(each))
  return [...kept, ...mine.filter((each) => !base.includes(each) && !kept.includes(each))]
}

/** Language tags hold no dots, nor do field names, so a path can be taken apart again. */
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

const same = (one: unknown, two: unknown): boolean =>
  one === two || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(two))
