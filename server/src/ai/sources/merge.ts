import { MAX_LANGUAGES } from '@mokuroku/contract/common'
import type { AiSource } from '@mokuroku/contract/provenance'
import { CharacterSuggestion, MediaSuggestion, SCALAR_FIELDS } from '@mokuroku/contract/suggestion'
import { turns } from '#lib/turns.ts'
import { search } from '#store/search'
import { inLanguages } from '../languages.ts'
import { topicMatches } from './topicMatches.ts'
import { allTitles, uniqueSources, type Work } from './source.ts'

/** Maximum number of characters and tags in a suggestion (docs/behaviour.md#ai). */
const MAX_CHARACTERS = 2
const MAX_TAGS = 2

/** What all sources together say about one work. */
export interface Merged {
  suggestion: MediaSuggestion
  /** Names of the sources of each value, by path (`translations.ja.title`, `episodes`); the first one supplied it. */
  origins: Record<string, string[]>
  sources: AiSource[]
  /** The works it was merged from, in order of precedence. */
  works: Work[]
  /** All spellings of their titles. */
  spellings: ReadonlySet<string>
  /** Whether the topic equals one of its titles, rather than part of one. */
  isExact: boolean
  /** Titles of other works that the topic may also mean. */
  others: string[]
}

/**
 * Finds the work that a topic means and merges what all sources say about it. Sources take precedence in the given
 * order: later ones only fill in what is missing. Undefined if nobody knows such a work.
 */
export async function mergeWorks(topic: string, works: Work[], languages: string[]): Promise<Merged | undefined> {
  const spelled = await spellingsOf(works)
  const matching = await bestWork(topic, works, spelled)
  const [first, ...rest] = matching
  if (!first) return undefined
  const same = new Set([first.work])
  for (const each of works) if ([...same].some((one) => isSame(one, each, spelled))) same.add(each)
  // Ordered by source, not by match.
  const group = works.filter((each) => same.has(each))
  const { fields, origins } = overlaid(group, languages)
  const suggestion = MediaSuggestion.safeParse(fields)
  if (!suggestion.success) return undefined
  const others = rest.filter(({ work }) => !same.has(work)).map(({ work }) => allTitles(work)[0] ?? '')
  return {
    suggestion: suggestion.data,
    origins,
    sources: uniqueSources(group.map(({ source }) => source)),
    works: group,
    spellings: new Set(group.flatMap((work) => (spelled.get(work) ?? []).map(({ compact }) => compact))),
    isExact: first.isExact,
    others: [...new Set(others)].slice(0, 5),
  }
}

/** A title in one of its spellings. */
interface Spelled {
  text: string
  compact: string
}

/** The titles of works in all spellings. A work may have hundreds of long ones. */
async function spellingsOf(works: Work[]): Promise<Map<Work, Spelled[]>> {
  const turn = turns()
  const spelled = new Map<Work, Spelled[]>()
  for (const work of works) {
    const own: Spelled[] = []
    for (const text of allTitles(work)) {
      await turn()
      own.push(...search.spellings(text).map((compact) => ({ text, compact })))
    }
    spelled.set(work, own)
  }
  return spelled
}

/** The works with a title that matches the topic, best match first; equal ones in the order of the sources. */
async function bestWork(
  topic: string,
  works: Work[],
  spelled: Map<Work, Spelled[]>,
): Promise<{ work: Work; isExact: boolean }[]> {
  const labels = works.flatMap((work, at) =>
    (spelled.get(work) ?? []).map((each) => ({ entityId: String(at), language: '', ...each })),
  )
  const found = await topicMatches(topic, async (asked) => search.among(asked, labels, works.length))
  return found
    .map(({ entityId, kind }, place) => ({ at: Number(entityId), isExact: kind === 'exact', place }))
    .toSorted((one, two) => (one.isExact && two.isExact ? one.at - two.at : one.place - two.place))
    .flatMap(({ at, isExact }) => {
      const work = works[at]
      return work ? [{ work, isExact }] : []
    })
}

/**
 * Whether two sources describe the same work: they share an id, or have the same kind and title and about the same
 * release date.
 */
function isSame(one: Work, two: Work, spelled: Map<Work, Spelled[]>): boolean {
  if (one.ids.some((id) => two.ids.includes(id))) return true
  const contradicts = one.ids.some((id) => two.ids.some((other) => other.split(':')[0] === id.split(':')[0]))
  if (contradicts || one.mediaType !== two.mediaType) return false
  const [first, second] = [one.releaseDate, two.releaseDate].map((date) => date && Number(date.slice(0, 4)))
  if (first && second && Math.abs(first - second) > 1) return false
  const known = new Set((spelled.get(one) ?? []).map(({ compact }) => compact))
  return (spelled.get(two) ?? []).some(({ compact }) => known.has(compact))
}

function overlaid(works: Work[], languages: string[]) {
  const fields: Record<string, unknown> = { cover: '', assets: [] }
  const origins: Record<string, string[]> = {}
  const translations: Record<string, { title: string; description: string }> = {}
  for (const work of works) {
    const { name } = work.source
    /**
     * Records the source of a value if it is the first, or has the same value as the first; returns whether it is the
     * first.
     */
    const isFirst = (path: string, value: unknown, taken: unknown): boolean => {
      const said = (origins[path] ??= [])
      if (said.length > 0 && !isSameValue(path, value, taken)) return false
      if (!said.includes(name)) said.push(name)
      return said.length === 1 && taken === undefined
    }
    const take = (path: string, value: unknown): void => {
      if (value !== undefined && fits(path, value) && isFirst(path, value, fields[path])) fields[path] = value
    }
    for (const field of ['title', 'description'] as const)
      for (const [tag, text] of Object.entries(field === 'title' ? work.titles : work.descriptions)) {
        if (!fits('translations', { [tag]: { [field]: text } })) continue
        const known = Object.keys(translations)
        const language = inLanguages(tag, [...known, ...languages])
        if (known.length >= MAX_LANGUAGES && !known.includes(language)) continue
        const texts = (translations[language] ??= { title: '', description: '' })
        if (text && isFirst(`translations.${language}.${field}`, text, texts[field] || undefined)) texts[field] = text
      }
    for (const path of SCALAR_FIELDS) take(path, work[path])
    const characters = work.characters.filter((each) => CharacterSuggestion.safeParse(each).success)
    const tags = work.tags.filter((each) => fits('tags', [each]))
    if (characters.length > 0) take('characters', characters.slice(0, MAX_CHARACTERS))
    if (tags.length > 0) take('tags', tags.slice(0, MAX_TAGS))
  }
  return { fields: { ...fields, translations }, origins }
}

/** Whether a suggestion accepts a value: a source may have a title that is too long, or -1 episodes. */
const fits = (path: string, value: unknown): boolean =>
  MediaSuggestion.shape[path as keyof typeof MediaSuggestion.shape].safeParse(value).success

/** Dates are compared by day. */
const isSameValue = (path: string, one: unknown, two: unknown): boolean =>
  path === 'releaseDate'
    ? String(one).slice(0, 10) === String(two).slice(0, 10)
    : JSON.stringify(one) === JSON.stringify(two)
