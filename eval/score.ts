import { extractJson, type MediaSuggestion } from '@mokuroku/contract/suggestion'
import { isWrongScript, scriptOf } from '../server/src/ai/languages.ts'
import type { Provider } from '../server/src/ai/providers/provider.ts'
import { parseMedia } from '../server/src/ai/parseAnswers.ts'
import { bangumi } from '../server/src/ai/sources/bangumi.ts'
import { mergeWorks } from '../server/src/ai/sources/merge.ts'
import { search } from '../server/src/search/store.ts'
import { type Golden, goldenSet, UNKNOWN } from './golden.ts'

/** How many values were right, missing or wrong. */
export interface Tally {
  right: number
  missing: number
  wrong: number
}

export interface Score {
  /** By language of the title. */
  titles: Record<string, Tally>
  /** By field. */
  fields: Record<string, Tally>
  /** Answers about known works that are valid without corrections. */
  valid: { of: number; count: number }
  /** Made-up topics, and how many the provider said are unknown. */
  honest: { of: number; count: number }
  /** Texts in the answers, and how many are not in the script of their language. */
  wrongScript: { of: number; count: number }
  /** The number of questions without an answer. */
  failed: number
  milliseconds: number
}

interface How {
  /** The number of known works to ask about. */
  size: number
  /** Whether the provider gets no references, to test its own knowledge. */
  isBare?: boolean
  unknown?: string[]
  /** Called after each question. */
  onAnswer?: (done: number, of: number) => void
}

const LANGUAGES = ['ja', 'en', 'zh-Hans', 'zh-Hant']
const DAY = 86_400_000

/** Asks a provider about works of the reference data and about made-up topics, and counts the right answers. */
export async function score(
  provider: Provider,
  { size, isBare = false, unknown = UNKNOWN, onAnswer }: How,
): Promise<Score> {
  const golden = goldenSet(size)
  const result: Score = {
    titles: Object.fromEntries(LANGUAGES.map((tag) => [tag, tally()])),
    fields: { originalTitle: tally(), releaseDate: tally(), mediaType: tally() },
    valid: { of: golden.length, count: 0 },
    honest: { of: unknown.length, count: 0 },
    wrongScript: { of: 0, count: 0 },
    failed: 0,
    milliseconds: 0,
  }
  const began = performance.now()
  const topics = [...golden, ...unknown]
  for (const [at, each] of topics.entries()) {
    const topic = typeof each === 'string' ? each : each.topic
    const content = await answerOf(provider, topic, isBare).catch(() => undefined)
    if (content === undefined) result.failed++
    const reading = parseMedia(content ?? '')
    countScripts(result, content ?? '')
    if (typeof each !== 'string') {
      if (reading.result && reading.faults.length === 0) result.valid.count++
      compare(result, each, reading.result)
    } else if (content !== undefined && reading.result === null && reading.faults.length === 0) result.honest.count++
    onAnswer?.(at + 1, topics.length)
  }
  result.milliseconds = Math.round((performance.now() - began) / topics.length)
  return result
}

const tally = (): Tally => ({ right: 0, missing: 0, wrong: 0 })

async function answerOf(provider: Provider, topic: string, isBare: boolean): Promise<string> {
  const { signal } = new AbortController()
  const works = isBare ? [] : await bangumi.find(topic, signal)
  const merged = await mergeWorks(topic, works, LANGUAGES)
  let content = ''
  for await (const piece of provider.answer({ call: 'media', topic, languages: LANGUAGES, works, merged }, signal))
    content += piece
  return content
}

function compare({ titles, fields }: Score, golden: Golden, said: MediaSuggestion | null): void {
  const note = (counted: Tally | undefined, value: string | undefined, isRight: (value: string) => boolean) => {
    if (!counted) return
    if (!value) counted.missing++
    else if (isRight(value)) counted.right++
    else counted.wrong++
  }
  const byScript = new Map(Object.entries(said?.translations ?? {}).map(([tag, { title }]) => [scriptOf(tag), title]))
  for (const [tag, known] of Object.entries(golden.titles))
    note(titles[tag], byScript.get(scriptOf(tag)), (title) => isOneOf(title, known))
  note(fields.originalTitle, said?.originalTitle, (title) => isOneOf(title, [golden.originalTitle]))
  note(fields.mediaType, said?.mediaType, (type) => type === 'ANIME')
  note(
    fields.releaseDate,
    said?.releaseDate,
    (date) => Math.abs(Date.parse(date) - Date.parse(golden.releaseDate)) <= DAY,
  )
}

function isOneOf(title: string, known: string[]): boolean {
  const forms = new Set(known.flatMap(search.spellings))
  return search.spellings(title).some((form) => forms.has(form))
}

function countScripts({ wrongScript }: Score, content: string): void {
  const { translations = {} } = (extractJson(content) ?? {}) as {
    translations?: Record<string, Record<string, unknown>>
  }
  for (const [tag, texts] of Object.entries(translations))
    for (const text of Object.values(texts))
      if (typeof text === 'string' && text) {
        wrongScript.of++
        if (isWrongScript(tag, text)) wrongScript.count++
      }
}

/** The share of right values among all, from 0 to 1. */
export function accuracy({ right, missing, wrong }: Tally): number {
  const all = right + missing + wrong
  return all === 0 ? 1 : right / all
}

/** A score as a text table. */
export function tableOf(
  name: string,
  { titles, fields, valid, honest, wrongScript, failed, milliseconds }: Score,
): string {
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`.padStart(8)
  const row = (label: string, counted: Tally): string =>
    [
      label.padEnd(24),
      ...[counted.right, counted.missing, counted.wrong].map((each) => String(each).padStart(8)),
      percent(accuracy(counted)),
    ].join('')
  const share = (label: string, { of, count }: { of: number; count: number }): string =>
    `${label.padEnd(24)}${`${count} of ${of}`.padStart(24)}${percent(of === 0 ? 1 : count / of)}`
  return [
    name,
    `${''.padEnd(24)}${['right', 'missing', 'wrong', 'right'].map((each) => each.padStart(8)).join('')}`,
    ...Object.entries(titles).map(([tag, counted]) => row(`title in ${tag}`, counted)),
    ...Object.entries(fields).map(([field, counted]) => row(field, counted)),
    share('in the form asked for', valid),
    share('unknown, and said so', honest),
    share('texts in a wrong script', wrongScript),
    `${'questions without answer'.padEnd(24)}${String(failed).padStart(24)}`,
    `${'milliseconds an answer'.padEnd(24)}${String(milliseconds).padStart(24)}`,
  ].join('\n')
}
