import type { AiSource } from '@mokuroku/contract/provenance'
import { type MediaSuggestion, SCALAR_FIELDS } from '@mokuroku/contract/suggestion'
import type { References, Texts } from './providers/provider.ts'
import type { Merged } from './sources/merge.ts'
import { uniqueSources } from './sources/source.ts'

// Answers without a model: only what the sources contain.

const NOUNS = { ANIME: 'an anime', MANGA: 'a manga', NOVEL: 'a novel' }

const block = (value: unknown): string => `\n\`\`\`json\n${JSON.stringify(value, undefined, 2)}\n\`\`\`\n`

const named = (sources: AiSource[]): string =>
  sources.map(({ name, licence }) => (licence ? `${name} (${licence})` : name)).join(', ')

/** The answer about one work; a plain sentence if it is unknown. `failures` says which sources could not be queried. */
export function renderWork(asked: string, merged: Merged | undefined, failures: string[]): string {
  // On one line, so that a block of JSON in the topic is not taken for that of the answer.
  const topic = asked.replaceAll(/\s+/g, ' ')
  const notes = failures.map((failure) => `${failure}\n`).join('')
  if (!merged) return `The reference data does not know “${topic}”. Nothing is suggested.\n${notes}`
  const { suggestion, sources, isExact, others, works } = merged
  const known = works.find(({ entityId }) => entityId)
  const lines = [
    `From reference data, not from a model: ${named(sources)}.`,
    `${isExact ? '' : `No title is “${topic}”; the nearest one is taken. `}${summaryOf(suggestion)}`,
    ...(others.length > 0 ? [`“${topic}” may also mean: ${others.join(', ')}.`] : []),
    ...(known ? [`This catalogue already has it: /media/${known.entityId}`] : []),
    ...missing(suggestion),
  ]
  return `${lines.join('\n')}\n${notes}${block(suggestion)}`
}

function summaryOf({ translations, originalTitle, mediaType, releaseDate }: MediaSuggestion): string {
  const titles = [originalTitle, translations.en?.title, ...Object.values(translations).map(({ title }) => title)]
  const [first = '', ...others] = [...new Set(titles.filter(Boolean))]
  const also = others.length > 0 ? ` (${others.join(', ')})` : ''
  const year = releaseDate ? ` of ${releaseDate.slice(0, 4)}` : ''
  return `“${first}”${also} is ${mediaType ? NOUNS[mediaType] : 'a work'}${year}.`
}

function missing({ translations, ...suggestion }: MediaSuggestion): string[] {
  const absent = [
    ...SCALAR_FIELDS.filter((name) => suggestion[name] === undefined),
    ...(Object.values(translations).some(({ description }) => description) ? [] : ['descriptions']),
    ...(suggestion.characters.length > 0 ? [] : ['characters']),
  ]
  return absent.length > 0 ? [`Not known, and left empty: ${absent.join(', ')}.`] : []
}

/** The texts of an entity completed with known ones; a plain sentence if there are none. */
export function renderTexts(texts: Texts, { texts: known, sources }: References): string {
  if (Object.keys(known).length === 0) return 'The reference data knows nothing about this. Nothing is suggested.\n'
  const completed = completedTexts(texts, known)
  if (completed.added.length === 0)
    return 'The reference data has nothing to add to these translations. They stay as they are.\n'
  const intro = `From reference data, not from a model: ${named(sources)}.\nAdded: ${completed.added.join(', ')}.\n`
  return intro + block(completed.texts)
}

/** Fills empty texts with known ones; existing texts stay. */
function completedTexts(texts: Texts, known: References['texts']) {
  const result: Record<string, Record<string, string>> = {}
  const added: string[] = []
  const fields = [...new Set(Object.values(texts).flatMap((each) => Object.keys(each)))]
  for (const tag of new Set([...Object.keys(texts), ...Object.keys(known)]))
    for (const field of fields) {
      const there = texts[tag]?.[field] ?? ''
      const found = there || (known[tag]?.[field as 'title'] ?? '')
      if (found && !there) added.push(`${tag} ${field}`)
      result[tag] = { ...result[tag], [field]: found }
    }
  return { texts: result, added }
}

/** The texts of several media with the titles from the sources filled in; unknown ones stay. */
export function renderItems(items: { id: string; translations: Texts; known: References }[]): string {
  const sources = uniqueSources(items.flatMap(({ known }) => known.sources))
  const found = items.filter(({ known }) => Object.keys(known.texts).length > 0)
  if (found.length === 0)
    return 'The reference data knows none of these media in their languages. Nothing is suggested.\n'
  const result = found.map(({ id, translations, known }) => ({
    id,
    translations: Object.fromEntries(
      [...new Set([...Object.keys(translations), ...Object.keys(known.texts)])].map((tag) => [
        tag,
        {
          title: known.texts[tag]?.title || (translations[tag]?.title ?? ''),
          description: (translations[tag]?.description ?? '') || (known.texts[tag]?.description ?? ''),
        },
      ]),
    ),
  }))
  const intro = `From reference data, not from a model: ${named(sources)}.\nKnown: ${found.length} of ${items.length} media. Their titles are given as the sources write them; descriptions stay.\n`
  return intro + block(result)
}
