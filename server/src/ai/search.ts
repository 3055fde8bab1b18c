import type { SearchLine } from '@mokuroku/contract/ai'
import type { UnavailableSource } from '@mokuroku/contract/provenance'
import { Refusal } from '#lib/errors.ts'
import { settings } from '#store/settings'
import { type AiRequest, startConversation, mapStream } from './runs.ts'
import { findInReferences, finishAnswer } from './media.ts'
import { askAndParse } from './repair.ts'
import { previewOf } from './previews.ts'
import { providerOf } from './providers/index.ts'
import { parseMedia } from './parseAnswers.ts'
import { mergeWorks } from './sources/merge.ts'
import { CATALOGUES } from './sources/publicCatalogues.ts'
import { retryNow } from './sources/hostBackoff.ts'
import type { Source, Work } from './sources/source.ts'

export interface Search {
  query: string
  requirement: string
  maxResults: number
  /** Names of sources to query even if they were unreachable a moment ago. */
  retry: string[]
}

/**
 * Source 2: queries the public catalogues and the reference data about a topic. Streams images as they are found, then
 * the answer: the model's, or without a model the facts themselves. A source that cannot be queried is listed in the
 * answer and does not make it fail.
 */
export async function* searchMedia(
  { query, requirement, maxResults, retry }: Search,
  asked: AiRequest,
): AsyncGenerator<SearchLine> {
  const { languages } = (await settings.find()).general
  retryNow(retry)
  const references = await findInReferences(query, asked.signal)
  const topic = await betterTopic(query, references)
  const [works, unavailable]: [Work[], UnavailableSource[]] = [[...references], []]
  const shown = new Set<string>()
  for await (const { source, found, failure } of queryAll(CATALOGUES, topic, asked.signal)) {
    works.push(...found)
    if (failure) unavailable.push(failure)
    const merged = await mergeWorks(query, [...references, ...found], languages)
    for (const { url, title } of merged?.works.flatMap(({ pictures }) => pictures) ?? []) {
      if (shown.has(url) || shown.size >= maxResults) continue
      shown.add(url)
      yield { type: 'image', data: url, title, source: source.name, preview: previewOf(url) }
    }
  }
  const inOrder = [
    ...references,
    ...CATALOGUES.flatMap(({ name }) => works.filter((each) => each.source.name === name)),
  ]
  const merged = await mergeWorks(query, inOrder, languages)
  const provider = providerOf(asked.slot.settings)
  unavailable.sort((one, two) => nameOrder(one.name) - nameOrder(two.name))
  const failures = unavailable.map(({ message }) => message)
  const task = { call: 'search' as const, topic: query, requirement, languages, works: inOrder, merged, failures }
  const conversation = await startConversation(provider, task, merged?.sources ?? [], asked)
  const answer = askAndParse(conversation, task, parseMedia)
  const read = yield* mapStream(answer, (data) => ({ type: 'answer' as const, data }))
  yield { type: 'answer', data: '', complete: await finishAnswer(conversation, read, merged, unavailable) }
}

const nameOrder = (name: string): number => CATALOGUES.findIndex((source) => source.name === name)

/** The title to search catalogues by: the work's English or original title, if the reference data knows the work. */
async function betterTopic(topic: string, references: Work[]): Promise<string> {
  const merged = await mergeWorks(topic, references, ['en'])
  if (!merged?.isExact) return topic
  return merged.suggestion.translations.en?.title || merged.suggestion.originalTitle || topic
}

/** Queries all sources at once, and yields the result of each as soon as it arrives. */
async function* queryAll(sources: Source[], topic: string, signal: AbortSignal) {
  const asked = new Map(
    sources.map((source) => [
      source,
      source
        .find(topic, signal)
        .then((found) => ({ source, found, failure: undefined }))
        .catch((error: unknown) => ({ source, found: [], failure: failureOf(error, source) })),
    ]),
  )
  while (asked.size > 0) {
    const first = await Promise.race(asked.values())
    asked.delete(first.source)
    if (signal.aborted) return
    yield first
  }
}

function failureOf(error: unknown, { name }: Source): UnavailableSource {
  if (error instanceof Refusal) return { name, code: error.code, message: error.message }
  return { name, code: 'outside.answer', message: `${name} is unavailable at the moment.` }
}
