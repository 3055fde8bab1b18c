import { normalize } from '@mokuroku/contract/normalize'
import type { SelectedMedia } from '@mokuroku/contract/selection'
import { SCALAR_FIELDS } from '@mokuroku/contract/suggestion'
import type * as z from 'zod/mini'
import { type Text, translated, guessLanguage } from '#lib/text.ts'
import type { Suggestion as Suggested } from './sources.ts'

/** The data to save, in the form of the request. */
export type Selected = z.input<typeof SelectedMedia>
export type SelectedCharacter = NonNullable<Selected['characters']>[number]
export type Described = Exclude<SelectedCharacter, string | { _id: string }>

export const EMPTY: Selected = { translations: {}, tags: [], characters: [], cover: '', assets: [], relatedMedia: [] }

/** A selection with all fields, in their order. */
export const complete = (selected: Partial<Selected>): Selected => ({ ...EMPTY, ...selected })

const SINGLES = SCALAR_FIELDS.map((name) => ({ kind: 'single', name }) as const)
/** How many of them are shown before the texts: the type and the original title. */
const BEFORE_TEXTS = 2

/** One row of the comparison: a field, or one text in one language. */
export type Field =
  | { kind: 'single'; name: (typeof SCALAR_FIELDS)[number] }
  | { kind: 'text'; lang: string; name: 'title' | 'description' }
  | { kind: 'tags' }
  | { kind: 'characters' }

export interface Row {
  key: string
  field: Field
  /** The value of each source; undefined if it has none. */
  values: readonly [unknown, unknown]
  /** How the two values relate; undefined if only one source has a value. */
  relation: Relation | undefined
  /** The origins of each value, if the source names them. */
  origins: readonly [Origins, Origins]
}

/**
 * 'agree': both values are equal and have different origins. 'same source': equal, but of the same origins, which
 * confirms nothing. 'alike': equal, of unknown origins.
 */
export type Relation = 'agree' | 'same source' | 'alike' | 'differ'
type Origins = readonly string[] | undefined

type Suggestion = Suggested | null | undefined

/** Compares two suggestions field by field; fields that neither has are left out. */
export function rowsOf(one: Suggestion, two: Suggestion): Row[] {
  const languages = [...new Set([one, two].flatMap((each) => Object.keys(each?.translations ?? {})))]
  const fields: Field[] = [
    ...SINGLES.slice(0, BEFORE_TEXTS),
    ...languages.flatMap((lang) =>
      (['title', 'description'] as const).map((name) => ({ kind: 'text', lang, name }) as const),
    ),
    ...SINGLES.slice(BEFORE_TEXTS),
    { kind: 'tags' },
    { kind: 'characters' },
  ]
  return fields.flatMap((field) => {
    const values = [valueIn(one, field), valueIn(two, field)] as const
    if (values.every((value) => value === undefined)) return []
    const key = keyOf(field)
    const origins = [one?.origins?.[key], two?.origins?.[key]] as const
    return [{ key, field, values, origins, relation: relationOf(field, values, origins) }]
  })
}

function relationOf(field: Field, [one, two]: Row['values'], [mine, theirs]: Row['origins']): Relation | undefined {
  if (one === undefined || two === undefined) return undefined
  if (!isSame(field, one, two)) return 'differ'
  if (!mine || !theirs) return 'alike'
  const isOne = mine.length === theirs.length && mine.every((each) => theirs.includes(each))
  return isOne ? 'same source' : 'agree'
}

/** The common origins, if every row is of the relation 'same source': both columns are then one source, shown twice. */
export function oneSource(rows: readonly Row[]): string[] | undefined {
  if (rows.length === 0 || rows.some(({ relation }) => relation !== 'same source')) return undefined
  return [...new Set(rows.flatMap(({ origins: [mine = []] }) => mine))]
}

export const keyOf = (field: Field) =>
  field.kind === 'text' ? `translations.${field.lang}.${field.name}` : field.kind === 'single' ? field.name : field.kind

/** The value of a field in a suggestion or in the selected data; undefined if empty. */
export function valueIn(from: Suggestion | Selected, field: Field): unknown {
  if (!from) return undefined
  if (field.kind === 'single') return from[field.name] ?? undefined
  if (field.kind === 'text') return from.translations[field.lang]?.[field.name] || undefined
  const list = from[field.kind]
  return list && list.length > 0 ? list : undefined
}

/** Takes a source's value into the selected data. Characters are added; every other value is replaced. */
export function taken(selected: Selected, field: Field, value: unknown): Selected {
  if (field.kind === 'single') return { ...selected, [field.name]: value }
  if (field.kind === 'text') {
    const before = selected.translations[field.lang] ?? { title: '', description: '' }
    return {
      ...selected,
      translations: { ...selected.translations, [field.lang]: { ...before, [field.name]: String(value) } },
    }
  }
  if (field.kind === 'tags') return { ...selected, tags: value as Selected['tags'] }
  const there = selected.characters ?? []
  const others = (value as SelectedCharacter[]).filter((one) => !there.some((other) => isSameCharacter(one, other)))
  return { ...selected, characters: [...there, ...others] }
}

/** Whether the selected data has a source's value. */
export function isTaken(selected: Selected, { field, values }: Row, side: 0 | 1): boolean {
  const [value, mine] = [values[side], valueIn(selected, field)]
  if (value === undefined || mine === undefined) return false
  if (field.kind !== 'characters') return isSame(field, value, mine)
  return (value as SelectedCharacter[]).every((one) =>
    (mine as SelectedCharacter[]).some((other) => isSameCharacter(one, other)),
  )
}

/** Characters are the same if they are the same stored one, or if new ones share a name. */
export function isSameCharacter(one: SelectedCharacter, other: SelectedCharacter): boolean {
  const [id, otherId] = [idOf(one), idOf(other)]
  if (id !== undefined || otherId !== undefined) return id === otherId
  const names = new Set(namesOf(one))
  return namesOf(other).some((name) => names.has(name))
}

/** The id of a stored character; undefined for a new one. */
export const idOf = (character: SelectedCharacter): string | undefined =>
  typeof character === 'string' ? character : '_id' in character ? character._id : undefined

/** Whether a character is given by its data rather than by an id. */
export const isDescribed = (character: SelectedCharacter): character is Described =>
  typeof character === 'object' && !('_id' in character)

/** The id of the stored character that the user matched a described one with. */
export const existingOf = (character: SelectedCharacter): string | undefined =>
  isDescribed(character) ? (character.existing ?? undefined) : undefined

/** The name of a character that will be created, in the console's language or else any other; '' for a stored one. */
export function nameOfNew(character: SelectedCharacter, language: string): Text {
  if (!isDescribed(character) || character.existing) return { text: '', lang: undefined }
  return nameOf(character, language)
}

export function nameOf({ translations, originalName }: Described, language: string): Text {
  const original = originalName ?? ''
  return translated(translations, 'name', language) ?? { text: original, lang: guessLanguage(original) }
}

export const coverOf = (character: SelectedCharacter): unknown => (isDescribed(character) ? character.cover : '')

export const withCover = (character: SelectedCharacter, cover: string): SelectedCharacter =>
  isDescribed(character) ? { ...character, cover } : character

/** The distinct titles of the selected data, original title first, for searching the catalogue. */
export function titlesOf({ originalTitle, translations }: Selected): string[] {
  const titles = [originalTitle, ...Object.values(translations).map(({ title }) => title)]
  return [...new Set(titles.filter((title): title is string => typeof title === 'string' && title.trim() !== ''))]
}

/** Normalizes a title for comparison: width, case, spaces and punctuation are ignored. */
export const folded = (text: string) =>
  normalize(text, 'NFKC')
    .toLowerCase()
    .replace(/[\p{P}\p{S}\s]/gu, '')

function namesOf(character: SelectedCharacter): string[] {
  if (typeof character === 'string' || '_id' in character) return []
  const names = [character.originalName ?? '', ...Object.values(character.translations).map(({ name }) => name)]
  return names.map(folded).filter(Boolean)
}

function isSame(field: Field, one: unknown, two: unknown): boolean {
  if (field.kind === 'single' && field.name === 'releaseDate')
    return String(one).slice(0, 10) === String(two).slice(0, 10)
  if (field.kind === 'tags') return tagsOf(one) === tagsOf(two)
  if (field.kind === 'characters') {
    const [mine, theirs] = [one, two] as SelectedCharacter[][]
    if (!mine || !theirs || mine.length !== theirs.length) return false
    return mine.every((each) => theirs.some((other) => isSameCharacter(each, other)))
  }
  return typeof one === 'string' && typeof two === 'string' ? one.trim() === two.trim() : one === two
}

const tagsOf = (tags: unknown) =>
  (Array.isArray(tags) ? tags : [])
    .map((tag) => folded(typeof tag === 'string' ? tag : JSON.stringify(tag)))
    .toSorted()
    .join('\n')
