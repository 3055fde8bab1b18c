import { setTimeout as sleep } from 'node:timers/promises'
import { kindOf, type Translated } from '@mokuroku/contract/kinds'
import { MAX_SUGGESTIONS, type WorkSuggestion } from '@mokuroku/contract/work'
import { fieldError } from '@mokuroku/contract/faults'
import type { Document } from '@mokuroku/contract/merge'
import { idsIn } from '#ledger/fields.ts'
import { definitionOf } from '#ledger/registry.ts'
import { fieldsOf, findRow } from '#ledger/rows.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { logFailure } from '#lib/background.ts'
import { search } from '#store/search'
import { isWrongScript, scriptOf } from './languages.ts'
import type { Texts } from './providers/provider.ts'
import { findReferences } from './references.ts'
import { asSeason, splitTitle } from './seasonNumbers.ts'

// Suggestions for a text of an entity from local data only: neither a model nor an external service is queried.

/** Timeout of a source, in milliseconds; a late one is left out. */
const TIMEOUT_MS = 2000
/** Limits: related entities read, search results per title, titles searched by, and titles compared. */
const LIMITS = { related: 12, found: 8, titles: 3, compared: 12 }
/** The tag for a text in an unknown language (ISO 639-2). */
const UNCODED = 'mis'

interface Asked {
  entityType: Translated
  entityId: string
  language: string
  field?: string | undefined
}

/** The names of a catalogue entity, by language; the original one under `UNCODED`. */
interface Named {
  id: string
  title: string
  names: Record<string, string>
  texts: Texts
  fields: Document
}

/** Throws 404 for an entity that does not exist or is in the trash, 400 for a field that is no text of the kind. */
export async function suggestTexts(asked: Asked): Promise<{ data: WorkSuggestion[]; late: boolean }> {
  const { entityType, entityId, language } = asked
  const { title = '', fields = [] } = kindOf(entityType).texts ?? {}
  const field = asked.field ?? title
  if (!fields.includes(field)) invalid([fieldError('field', 'oneOf', { values: [...fields] })])
  const entity = (await namedOf(entityType, entityId)) ?? notFound(entityType)
  const sources = [
    ...(field === title
      ? [() => fromReferences(entity, language, title), () => fromRelated(entityType, entity, language)]
      : []),
    () => converted(entity, language, field),
  ]
  const said = await Promise.all(sources.map(withTimeout))
  const found = said.flatMap((each) => each ?? [])
  const present = entity.texts[language]?.[field]?.trim()
  const useful = found.filter(({ text }) => text.trim() && text.trim() !== present && !isWrongScript(language, text))
  const first = useful.filter(({ text }, at) => useful.findIndex((each) => each.text === text) === at)
  return { data: first.slice(0, MAX_SUGGESTIONS), late: said.includes(undefined) }
}

/** The suggestions of a source; undefined if it is late, empty if it fails, which is logged. */
async function withTimeout(source: () => Promise<WorkSuggestion[]>): Promise<WorkSuggestion[] | undefined> {
  const late = new AbortController()
  const said = source().catch((error: unknown) => {
    logFailure('suggesting texts')(error)
    return []
  })
  const timeout = sleep(TIMEOUT_MS, undefined, { signal: late.signal }).catch(() => undefined)
  return Promise.race([said, timeout]).finally(() => late.abort())
}

async function namedOf(kind: Translated, id: string): Promise<Named | undefined> {
  const definition = definitionOf(kind)
  const row = await findRow(definition, id)
  if (!row || row.deletedAt) return undefined
  const { title = '', original = '' } = kindOf(kind).texts ?? {}
  const fields = fieldsOf(definition, row)
  const texts = (fields.translations ?? {}) as Texts
  const names = Object.entries(texts).map(([tag, each]): [string, string] => [tag, each[title] ?? ''])
  const all: [string, string][] = [[UNCODED, (fields[original] as string | undefined) ?? ''], ...names]
  return {
    id,
    title: definition.title(fields),
    names: Object.fromEntries(all.filter(([, name]) => name.trim())),
    texts,
    fields,
  }
}

/** The title or name in the reference data. */
async function fromReferences({ names }: Named, language: string, title: string): Promise<WorkSuggestion[]> {
  // The text in question comes last, since it may be wrong: the others should decide.
  const others = Object.entries(names).filter(([tag]) => tag !== language)
  const asked = [...others, ...Object.entries(names).filter(([tag]) => tag === language)]
  const texts = Object.fromEntries(asked.map(([tag, name]) => [tag, { [title]: name }]))
  const { texts: known, sources } = await findReferences(texts, [language])
  const text = (known[language] as Record<string, string> | undefined)?.[title] ?? ''
  const [source] = sources
  // Other entities of this catalogue are left to `fromRelated`, which says which one it is.
  if (!text || !source?.url?.startsWith('https:')) return []
  return [{ text, origin: 'reference', source: source.name, url: source.url }]
}

/** The titles of other seasons, with this one's number. */
async function fromRelated(kind: Translated, entity: Named, language: string): Promise<WorkSuggestion[]> {
  const others = Object.entries(entity.names).filter(([tag]) => tag !== language)
  const stems = [...new Set(others.map(([, name]) => splitTitle(name).stem))].slice(0, LIMITS.titles)
  const found = await Promise.all(stems.map((stem) => search.find(kind, stem, LIMITS.found)))
  const linked = Object.entries(definitionOf(kind).links ?? {}).filter(([, to]) => to === kind)
  const ids = [
    ...linked.flatMap(([field]) => idsIn(entity.fields, field)),
    ...found.flatMap(({ matches }) => matches.map(({ entityId }) => entityId)),
  ]
  const relatedIds = [...new Set(ids)].filter((id) => id !== entity.id).slice(0, LIMITS.related)
  const related = await Promise.all(relatedIds.map((id) => namedOf(kind, id)))
  return related.flatMap((other) => {
    const title = other?.names[language]
    const match = other && title ? compareNumbers(entity, other, language) : undefined
    if (!other || !title || !match) return []
    return [
      {
        text: match.isOwn ? asSeason(title, match.number, language) : title,
        origin: 'related' as const,
        source: other.title,
        entityId: other.id,
      },
    ]
  })
}

/**
 * Compares an entity with another of the same work, i.e. one with a title that differs only in its number. `number` is the
 * entity's, and `isOwn` says whether it differs from the other's. Undefined if they are not of one work.
 */
function compareNumbers(entity: Named, other: Named, language: string) {
  for (const mine of titlesOf(entity, language))
    for (const theirs of titlesOf(other, language))
      if (mine.spellings.some((each) => theirs.spellings.includes(each)))
        return { number: mine.number, isOwn: (mine.number ?? 1) !== (theirs.number ?? 1) }
  return undefined
}

/** Its titles, except in the language in question, split at their numbers. */
const titlesOf = ({ names }: Named, language: string) =>
  Object.entries(names)
    .filter(([tag]) => tag !== language)
    .slice(0, LIMITS.compared)
    .map(([, name]) => {
      const { stem, number } = splitTitle(name)
      return { number, spellings: search.spellings(stem) }
    })

/**
 * Chinese texts converted to the script of the language, by character and phrase: one in the other script, and, before
 * it, the text itself, or else the one in Chinese without a script, which may have characters of both.
 */
async function converted({ texts }: Named, language: string, field: string): Promise<WorkSuggestion[]> {
  const other = CHINESE[scriptOf(language)]
  if (!other) return []
  const filled = (tag: string) => Boolean(texts[tag]?.[field]?.trim())
  // Without a script, the language allows both.
  const own = language === 'zh' ? undefined : [language, 'zh'].find(filled)
  const apart = Object.keys(texts).find((tag) => scriptOf(tag) === other.from && filled(tag))
  const convert = await other.converter()
  return [own, apart].flatMap((source) => {
    const text = source && texts[source]?.[field]
    return text ? [{ text: convert(text), origin: 'converted', source }] : []
  })
}

/** By target script: the source script and the converter. The dictionaries are loaded on first use. */
const CHINESE: Record<string, { from: string; converter: () => Promise<(text: string) => string> }> = {
  'zh-Hans': {
    from: 'zh-Hant',
    converter: async () => (await import('opencc-js/t2cn')).Converter({ from: 'tw', to: 'cn' }),
  },
  'zh-Hant': {
    from: 'zh-Hans',
    converter: async () => (await import('opencc-js/cn2t')).Converter({ from: 'cn', to: 'tw' }),
  },
}
