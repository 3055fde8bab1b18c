import type { SuggestResult } from '@mokuroku/contract/ai'
import { getPath } from '@mokuroku/contract/merge'
import type { UnavailableSource } from '@mokuroku/contract/provenance'
import { type MediaSuggestion, SCALAR_FIELDS } from '@mokuroku/contract/suggestion'
import type * as z from 'zod/mini'
import type { Answered } from '#database/tables.ts'
import { settings } from '#store/settings'
import { type AiRequest, startConversation, type RunHandle } from './runs.ts'
import { askAndParse, type ParsedResult } from './repair.ts'
import { providerOf } from './providers/index.ts'
import { parseMedia } from './parseAnswers.ts'
import { bangumi } from './sources/bangumi.ts'
import { catalogue } from './sources/catalogue.ts'
import { type Merged, mergeWorks } from './sources/merge.ts'
import type { Work } from './sources/source.ts'

/** Source 1: streams the suggestion for a topic; returns the parsed result at the end. */
export async function* suggestMedia(
  topic: string,
  asked: AiRequest,
): AsyncGenerator<string, z.output<typeof SuggestResult>> {
  const { languages } = (await settings.find()).general
  const works = await findInReferences(topic, asked.signal)
  const merged = await mergeWorks(topic, works, languages)
  const provider = providerOf(asked.slot.settings)
  const task = { call: 'media' as const, topic, languages, works, merged }
  const conversation = await startConversation(provider, task, merged?.sources ?? [], asked)
  const read = yield* askAndParse(conversation, task, parseMedia)
  return await finishAnswer(conversation, read, merged)
}

export const findInReferences = async (topic: string, signal: AbortSignal): Promise<Work[]> =>
  (await Promise.all([bangumi.find(topic, signal), catalogue.find(topic, signal)])).flat()

/** Ends a conversation about one work: stores what the answer contained and the origin of each part. */
export async function finishAnswer(
  { end, run: { model } }: RunHandle,
  { result, problem }: ParsedResult<MediaSuggestion>,
  merged: Merged | undefined,
  unavailable: UnavailableSource[] = [],
): Promise<z.output<typeof SuggestResult>> {
  const run = await end(result ? partsOf(result) : [], problem ? 'faulty' : result ? 'done' : 'unknown')
  return { run, result, problem, origins: result ? originsOf(result, merged, model) : {}, unavailable }
}

/** The parts of a suggestion that a media item, and the characters created with it, may contain. */
const partsOf = (suggestion: MediaSuggestion): Answered[] =>
  [suggestion, ...suggestion.characters].map((fields) => ({ fields }))

/** The origins of each field: the sources that have exactly this value, or else the model. */
function originsOf(suggestion: MediaSuggestion, merged: Merged | undefined, otherwise: string) {
  const texts = Object.entries(suggestion.translations).flatMap(([tag, each]) =>
    Object.entries(each).flatMap(([field, text]) => (text ? [`translations.${tag}.${field}`] : [])),
  )
  const fields = SCALAR_FIELDS.filter((name) => suggestion[name] !== undefined)
  const lists = (['characters', 'tags'] as const).filter((name) => suggestion[name].length > 0)
  return Object.fromEntries(
    [...texts, ...fields, ...lists].map((path) => {
      const said = JSON.stringify(getPath(suggestion, path))
      const sources =
        merged && JSON.stringify(getPath(merged.suggestion, path)) === said ? merged.origins[path] : undefined
      return [path, sources ?? [otherwise]]
    }),
  )
}
