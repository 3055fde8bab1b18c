import { aiApi, type SearchLine, type SuggestResult } from '@mokuroku/contract/ai'
import { ApiError } from '@mokuroku/contract/call'
import { suggestionRequirement } from '@mokuroku/contract/requirement'
import { extractJson, MediaSuggestion } from '@mokuroku/contract/suggestion'
import * as z from 'zod/mini'
import { stream } from '#api/stream.ts'
import { site } from '#lib/site.ts'
import type { Step } from '#parts/ai/useAiStream.ts'

export type Suggestion = MediaSuggestion & { origins?: Record<string, string[]> }
export type FoundImage = Extract<SearchLine, { type: 'image' }>

/** Parameters for the AI search service: up to 300 results, basic depth. */
const RESULTS = { maxResults: 300, searchDepth: 'basic' } as const

/** Source 1: the AI provider's suggestion for a topic. */
export async function* fromProvider(topic: string, signal: AbortSignal): AsyncGenerator<Step<Suggestion>> {
  for await (const { event, data } of stream(aiApi.processMedia, { query: { text: topic, stream: 'true' }, signal })) {
    if (event === 'chunk') yield { content: data.content }
    else if (event === 'complete') yield { answer: withOrigins(data) }
    else return
  }
}

/**
 * Source 2: what the AI search service finds; images arrive first. `retry` names sources that were unavailable before.
 */
export async function* fromSearch(
  topic: string,
  { retry, onImage, signal }: { retry: string[]; onImage: (image: FoundImage) => void; signal: AbortSignal },
): AsyncGenerator<Step<Suggestion>> {
  const requirement = suggestionRequirement(site.get().languages)
  const body = { ...RESULTS, query: topic, requirement, retry }
  for await (const { data: line } of stream(aiApi.searchOutside, { body, signal })) {
    if (line.type === 'image') onImage(line)
    else if (line.type === 'error') throw new ApiError(502, { message: line.data, code: line.code })
    else yield { content: line.data, ...(line.complete && { answer: withOrigins(line.complete) }) }
  }
}

/** Parses the suggestion from the text of an interrupted response. */
export function readSuggestion(text: string): Suggestion | undefined {
  const parsed = z.safeParse(MediaSuggestion, extractJson(text))
  return parsed.success ? parsed.data : undefined
}

const withOrigins = ({ result, origins, ...rest }: SuggestResult) => ({
  ...rest,
  result: result && { ...result, origins },
})
