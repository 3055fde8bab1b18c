import type { SelectedMedia } from '@mokuroku/contract/selection'
import type * as z from 'zod/mini'
import { type Text, translated, guessLanguage } from '#lib/text.ts'
import type { Suggestion as Suggested } from './sources.ts'

/** What will be saved, as it is sent. */
export type Selected = z.input<typeof SelectedMedia>
export type SelectedCharacter = NonNullable<Selected['characters']>[number]
export type Described = Exclude<SelectedCharacter, string | { _id: string }>

export const EMPTY: Selected = { translations: {}, tags: [], characters: [], cover: '', assets: [], relatedMedia: [] }

type Single = 'mediaType' | 'originalTitle' | 'releaseDate' | 'isOngoing' | 'episodes' | 'duration'
const SINGLE_FIRST = ['mediaType', 'originalTitle'] as const
const SINGLE_LAST = ['releaseDate', 'isOngoing', 'episodes', 'duration'] as const

/** One line of the comparison: a field, or one text of one language. */
export type Field =
  | { kind: 'single'; name: Single }
  | { kind: 'text'; lang: string; name: 'title' | 'description' }
  | { kind: 'tags' }
  | { kind: 'characters' }

export interface Row {
  key: string
  field: Field
  /** What each source says; undefined where it says nothing. */
  values: readonly [unknown, unknown]
  /** How the two stand to each other; undefined where only one says something. */
  relation: Relation | undefined
  /** Who says it, side by side, where the answer tells. */
  origins: readonly [Origins, Origins]
}

/**
 * 'agree': both say the same, and not only the same origins do. 'same source': what the same origins say, twice, which
 * confirms nothing. 'alike': the same, of origins that are not known.
 */
export type Relation = 'agree' | 'same source' | 'alike' | 'differ'
type Origins = readonly string[] | undefined

type Suggestion = Suggested | null | undefined

/** What two suggestions say, field by field; fields of which neither says anything are left out. */
export function rowsOf(one: Suggestion, two: Suggestion): Row[] {
  const languages = [...new Set([one, two].flatMap((each) => Object.keys(each?.translations ?? {})))]
  const fields: Field[] = [
    ...SINGLE_FIRST.map((name) => ({ kind: 'single', name }) as const),
    ...languages.flatMap((lang) =>
      (['title', 'description'] as const).map((name) => ({ kind: 'text', lang, name }) as const),
    ),
    ...SINGLE_LAST.map((name) => ({ kind: 'single', name }) as const),
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

/** The origins of all that two columns say, where both say the same of the same origins throughout: one source, twice. */
export function oneSource(rows: readonly Row[]): string[] | undefined {
  if (rows.length === 0 || rows.some(({ relation }) => relation !== 'same source')) return undefined
  return [...new Set(rows.flatMap(({ origins: [mine = []] }) => mine))]
}

export const keyOf = (field: Field) =>
  field.kind === 'text' ? `translations.${field.lang}.${field.name}` : field.kind === 'single' ? field.name : field.kind

/** What a suggestion, or what is selected, says of a field; undefined for nothing. */
export function valueIn(from: Suggestion | Selected, field: Field): unknown {
  if (!from) return undefined
  if (field.kind === 'single') return from[field.name] ?? undefined
  if (field.kind === 'text') return from.translations[field.lang]?.[field.name] || undefined
  const list = from[field.kind]
  return list && list.length > 0 ? list : undefined
}

/** Takes a value of a source into what is selected. Characters are added to those there; all else is replaced. */
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

/** Whether what is selected is what a source says. */
export function isTaken(selected: Selected, { field, values }: Row, side: 0 | 1): boolean {
  const [value, mine] = [values[side], valueIn(selected, field)]
  if (value === undefined || mine === undefined) return false
  if (field.kind !== 'characters') return isSame(field, value, mine)
  return (value as SelectedCharacter[]).every((one) =>
    (mine as SelectedCharacter[]).some((other) => isSameCharacter(one, other)),
  )
}

/** Two characters are one when any of their names is the same, or they are the same stored one. */
function isSameCharacter(one: SelectedCharacter, other: SelectedCharacter): boolean {
  const [id, otherId] = [idOf(one), idOf(other)]
  if (id !== undefined || otherId !== undefined) return id === otherId
  const names = new Set(namesOf(one))
  return namesOf(other).some((name) => names.has(name))
}

/** The id of a stored character; undefined for a new one. */
export const idOf = (character: SelectedCharacter): string | undefined =>
  typeof character === 'string' ? character : '_id' in character ? character._id : undefined

/** Whether a character is told in words, and not by its id alone. */
export const isDescribed = (character: SelectedCharacter): character is Described =>
  typeof character === 'object' && !('_id' in character)

/** The id of the stored character that a described one was said to be. */
export const existingOf = (character: SelectedCharacter): string | undefined =>
  isDescribed(character) ? (character.existing ?? undefined) : undefined

/** The name of a character that will be made, in the console's language or any other; '' of one that is there. */
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

/** The titles of what is selected, to look for it in the catalogue: the original one first, each once. */
export function titlesOf({ originalTitle, translations }: Selected): string[] {
  const titles = [originalTitle, ...Object.values(translations).map(({ title }) => title)]
  return [...new Set(titles.filter((title): title is string => typeof title === 'string' && title.trim() !== ''))]
}

/** The same title in another writing of it: width, case, spaces and punctuation do not tell titles apart. */
export const folded = (text: string) =>
  text
    .normalize('NFKC')
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
