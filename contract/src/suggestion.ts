import * as z from 'zod/mini'
import { SENTENCES } from './faults.ts'
import { Language, Timestamp } from './common.ts'
import { canonical } from './languageTags.ts'
import { MEDIA_TYPES, type MediaInput } from './media.ts'

// Schemas of AI answers. They accept plain text only, never markup; unknown values are absent rather than invented.

/** Matches the tags of HTML elements. Other words in angle brackets may be part of a title: <harmony/>. */
const ELEMENT =
  /<\/?(?:a|abbr|article|audio|b|base|blockquote|body|br|button|canvas|center|code|div|em|embed|font|footer|form|frame|frameset|h[1-6]|head|header|hr|html|i|iframe|img|input|label|li|link|main|marquee|math|meta|nav|noscript|object|ol|option|p|pre|s|script|section|select|small|source|span|strike|strong|style|sub|sup|svg|table|tbody|td|template|textarea|th|thead|title|tr|u|ul|video)(?:\s[^<>]*|\/)?>/gi
/** Matches the start of a comment, script, style or template, whose content a page does not display. */
const HIDDEN = /<!--|<(script|style|template)\b/gi
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }
// Control characters except tab and line breaks, zero-width ones, and those that change the writing direction.
// eslint-disable-next-line no-control-regex -- they are what is looked for
const INVISIBLE = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f\u200b\u2060\ufeff\u202a-\u202e\u2066-\u2069]/g

/**
 * Removes markup, invisible characters and characters that change the writing direction; keeps line breaks.
 * Markup that appears only after decoding the entities is removed too.
 */
export function toPlainText(text: string): string {
  const broken = text.replace(/<br\s*\/?>|<\/(p|div|li|h[1-6])\s*>/gi, '\n')
  const read = withoutMarkup(broken).replace(/&(#x?[\da-f]{1,6}|\w{2,6});/gi, (whole, name: string) =>
    charOf(name.toLowerCase(), whole),
  )
  return withoutMarkup(read)
    .toWellFormed()
    .replace(INVISIBLE, '')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

const withoutMarkup = (text: string): string => shown(text).replace(ELEMENT, '')

/** The text without comments, scripts, styles and templates. Those that are not closed are left to `ELEMENT`. */
function shown(text: string): string {
  const lower = text.toLowerCase()
  const endless = new Set<string>()
  let [kept, from] = ['', 0]
  for (const { 0: begin, 1: name, index } of text.matchAll(HIDDEN)) {
    const closing = name ? `</${name.toLowerCase()}` : '-->'
    if (index < from || endless.has(closing)) continue
    const at = lower.indexOf(closing, index + begin.length)
    const end = at < 0 || !name ? at + closing.length : text.indexOf('>', at) + 1
    // Remember that there is no end, so that a text full of opening tags does not take quadratic time.
    if (at < 0 || end === 0) endless.add(closing)
    else {
      kept += text.slice(from, index)
      from = end
    }
  }
  return kept + text.slice(from)
}

function charOf(name: string, otherwise: string): string {
  const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  if (!name.startsWith('#')) return ENTITIES[name] ?? otherwise
  return code > 31 && code < 0x110000 ? String.fromCodePoint(code) : ''
}

const Words = (maxLength: number) => z.string().check(z.overwrite(toPlainText), z.maxLength(maxLength))

/** An optional value; null and '' also count as absent, because models write them for unknown values. */
const known = <T extends z.ZodMiniType>(schema: T) =>
  z.optional(
    z.pipe(
      z.transform((value: unknown): unknown => (value === null || value === '' ? undefined : value)),
      z.optional(schema),
    ),
  )

/** A day, also with a time that is not in UTC: models write midnight in Japan, which is still the day before in UTC. */
const DAY = /^\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:[+-][\d:]+)?)?$/

const Day = z.pipe(
  z.transform((value: unknown) =>
    typeof value === 'string' && DAY.test(value) ? `${value.slice(0, 10)}T00:00:00.000Z` : value,
  ),
  Timestamp,
)

const Amount = z.pipe(
  z.transform((value: unknown) =>
    typeof value === 'string' && /^\d{1,6}$/.test(value.trim()) ? Number(value) : value,
  ),
  z.number().check(z.gte(0), z.lte(1_000_000)),
)

/** An optional list, [] by default; null counts as []. */
const listOf = <T extends z.ZodMiniType>(schema: T, limit: number) =>
  z._default(
    z.pipe(
      z.transform((value: unknown) => value ?? []),
      z.array(schema).check(z.maxLength(limit)),
    ),
    [],
  )

/** Texts by language. Tags are canonicalized; empty languages are dropped, and of duplicate tags the first is kept. */
const byLanguage = <Shape extends Record<string, z.ZodMiniType>>(shape: Shape) =>
  z.pipe(
    z.record(Language, z.object(shape)).check(z.refine((value) => Object.keys(value).length <= 100)),
    z.transform((value) => {
      const kept = new Map<string, (typeof value)[string]>()
      for (const [tag, texts] of Object.entries(value)) {
        const language = canonical(tag) ?? tag
        if (Object.values(texts).some(Boolean) && !kept.has(language)) kept.set(language, texts)
      }
      return Object.fromEntries(kept)
    }),
  )

const Text = (maxLength: number) =>
  z._default(
    z.pipe(
      z.transform((value: unknown) => value ?? ''),
      Words(maxLength),
    ),
    '',
  )

/** The name of a tag; models also write a tag as an object. */
export const TagName = z.pipe(
  z.transform((value: unknown) => nameIn(value)),
  Words(200).check(z.minLength(1)),
)

function nameIn(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const { name, translations } = value as { name?: unknown; translations?: Record<string, { name?: unknown }> }
  return name ?? translations?.en?.name ?? Object.values(translations ?? {})[0]?.name
}

const Address = z._default(
  z.pipe(
    z.transform((value: unknown) => (typeof value === 'string' ? value : '')),
    z.string().check(z.maxLength(2000)),
  ),
  '',
)

/** The maximum number of tags in a suggestion. */
export const MAX_SUGGESTED_TAGS = 20

export const CharacterSuggestion = z.object({
  translations: byLanguage({ name: Text(1000), description: Text(50_000) }),
  originalName: known(Words(1000)),
  tags: listOf(TagName, MAX_SUGGESTED_TAGS),
  assets: listOf(z.string().check(z.maxLength(2000)), 50),
  cover: Address,
})
export type CharacterSuggestion = z.output<typeof CharacterSuggestion>

/** Fields of media items that AI does not suggest; the compiler asks for all others. */
type NotSuggested = 'aliases' | 'readings' | 'relatedMedia'

/** An AI media suggestion. Values that the source does not know are absent or empty. */
export const MediaSuggestion = z
  .object({
    mediaType: known(
      z.pipe(
        z.transform((value: unknown) => (typeof value === 'string' ? value.toUpperCase() : value)),
        z.enum(MEDIA_TYPES),
      ),
    ),
    translations: byLanguage({ title: Text(1000), description: Text(50_000) }),
    originalTitle: known(Words(1000)),
    releaseDate: known(Day),
    duration: known(Amount),
    episodes: known(Amount),
    isOngoing: known(z.boolean()),
    characters: listOf(CharacterSuggestion, 20),
    /** In English. */
    tags: listOf(TagName, MAX_SUGGESTED_TAGS),
    cover: Address,
    assets: listOf(z.string().check(z.maxLength(2000)), 50),
  } satisfies Record<Exclude<keyof MediaInput, NotSuggested>, z.ZodMiniType>)
  .check(
    z.refine(
      ({ translations, originalTitle }) => !!originalTitle || Object.values(translations).some(({ title }) => title),
      SENTENCES.noTitle,
    ),
  )
export type MediaSuggestion = z.output<typeof MediaSuggestion>

type ScalarField = Exclude<keyof MediaSuggestion, 'translations' | 'characters' | 'tags' | 'cover' | 'assets'>
// An object, so that the compiler asks for each of them.
const scalars: Record<ScalarField, true> = {
  mediaType: true,
  originalTitle: true,
  releaseDate: true,
  isOngoing: true,
  episodes: true,
  duration: true,
}
// It has no other keys.
/** The fields of a suggestion that are one value, in the order in which they are shown. */
export const SCALAR_FIELDS = Object.keys(scalars) as ScalarField[]

/** Texts by language and field: the result of an enhancement. */
export const SuggestedTexts = z.record(
  Language,
  z.partialRecord(z.enum(['title', 'name', 'description']), Text(50_000)),
)
export type SuggestedTexts = z.output<typeof SuggestedTexts>

/** The standardized texts of one media item. */
export const StandardizedItem = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(64)),
  translations: byLanguage({ title: Text(1000), description: Text(50_000) }),
})
export type StandardizedItem = z.output<typeof StandardizedItem>

/** The maximum number of blocks of an answer that are tried, from the last one backwards. */
const MAX_BLOCKS = 20

/**
 * The JSON in an answer: its last ```json block that can be parsed, or the whole answer if it is JSON.
 * Undefined if there is none.
 */
export function extractJson(content: string): object | undefined {
  const answer = withoutReasoning(content)
  for (const text of [...blocksIn(answer).slice(-MAX_BLOCKS).toReversed(), answer]) {
    const value = parsed(text)
    if (typeof value === 'object' && value !== null) return value
  }
  return undefined
}

/** The answer without the reasoning before it, which some services send as a part of the text. */
export function withoutReasoning(content: string): string {
  const end = content.lastIndexOf(THOUGHT)
  // Templates of some models begin it in the prompt, so that the answer contains only its end.
  return end >= 0 ? content.slice(end + THOUGHT.length) : /^\s*<think>/.test(content) ? '' : content
}
const THOUGHT = '</think>'

/** The contents of the fenced code blocks marked as JSON, or without a language. */
function blocksIn(content: string): string[] {
  const blocks: string[] = []
  let open: string[] | undefined
  for (const line of content.split('\n')) {
    if (open) {
      const end = fenceIn(line)
      if (end < 0) open.push(line)
      else {
        blocks.push([...open, line.slice(0, end)].join('\n'))
        open = undefined
      }
    } else if (/^(json)?\s*$/i.test(line.split('```', 2)[1] ?? 'none')) open = []
  }
  return blocks
}

/** Where a line of JSON ends its block; -1 if it does not. In a text, a fence is followed by the quotation mark. */
const fenceIn = (line: string): number =>
  line.trimStart().startsWith('```') ? line.indexOf('```') : line.indexOf('```', line.lastIndexOf('"') + 1)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
