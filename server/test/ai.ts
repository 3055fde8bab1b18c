// The AI calls as a browser makes them, over a real connection, since streams cannot be read from in-process requests.
import { aiApi, EnhanceResult, type SearchLine, type StandardizeLine, SuggestResult } from '@mokuroku/contract/ai'
import { urlOf } from '@mokuroku/contract/call'
import { beforeAll } from 'vitest'
import type * as z from 'zod/mini'
import { SYSTEM } from '#access/permissions.ts'
import { type AiSettings, settings } from '#store/settings'
import { bangumi } from '../src/ai/sources/bangumi.ts'
import { app, signedIn } from './app.ts'
import { listen } from './stream.ts'

let address: string | undefined

/** The URL of the server under test. */
async function listening(): Promise<string> {
  address = app.server.listening ? address : await app.listen({ host: '127.0.0.1', port: 0 })
  return address ?? ''
}

export type Texts = Record<string, Record<string, string>>

/** Loads the reference data before the tests of a file, so that the time this takes is not part of a test. */
export const withReferences = (): void =>
  beforeAll(async () => void (await bangumi.find('warm', new AbortController().signal)))

/** A client of a new user, and the streams of the AI calls. */
export async function assisted(who: Parameters<typeof signedIn>[0] = {}) {
  const user = await signedIn(who)
  const url = await listening()
  const open = (path: string, body?: unknown) => listen(url + path, user.token, undefined, body)
  const streams = {
    media: (text: string) => open(urlOf(aiApi.processMedia, { query: { text, stream: true } })),
    enhance: (text: Texts) => open(urlOf(aiApi.process, { query: { text, stream: true } })),
    standardize: (text: unknown) => open(aiApi.processStandard.path, { text, stream: true }),
    search: (query: string, more: object = {}) =>
      open(aiApi.searchOutside.path, { maxResults: 300, searchDepth: 'basic', query, requirement: '', ...more }),
  }
  return {
    ...user,
    open,
    streams,
    /** The answer of source 1 about a topic. */
    suggested: async (topic: string) => answerOf(SuggestResult, await (await streams.media(topic)).rest()),
    enhanced: async (texts: Texts) => answerOf(EnhanceResult, await (await streams.enhance(texts)).rest()),
    standardized: async (text: unknown) => {
      const lines = dataOf<StandardizeLine>(await (await streams.standardize(text)).rest())
      return {
        lines,
        content: lines.map((line) => ('content' in line ? line.content : '')).join(''),
        last: lines.at(-1) as Exclude<StandardizeLine, { content: string }>,
      }
    },
    searched: async (query: string, more: object = {}) => {
      const lines = dataOf<SearchLine>(await (await streams.search(query, more)).rest())
      return {
        lines,
        images: lines.filter((line) => line.type === 'image'),
        content: lines.map((line) => (line.type === 'answer' ? line.data : '')).join(''),
        complete: lines.flatMap((line) => (line.type === 'answer' && line.complete ? [line.complete] : []))[0],
      }
    },
  }
}

const dataOf = <T>(events: { data?: unknown }[]): T[] => events.map(({ data }) => data as T)

/** The events of an answer, its text, and the content of its last event. */
function answerOf<T extends z.ZodMiniType>(schema: T, events: { event?: string | undefined; data?: unknown }[]) {
  const content = events
    .map(({ event, data }) => (event === 'chunk' ? (data as { content: string }).content : ''))
    .join('')
  const of = (name: string) => events.find(({ event }) => event === name)?.data
  return {
    names: [...new Set(events.map(({ event }) => event))],
    content,
    complete: of('complete') === undefined ? undefined : schema.parse(of('complete')),
    error: of('error') as { message: string; code: string; retryAfter?: number } | undefined,
  }
}

/** Configures a model; without one, the reference data answers. */
export async function useModel(
  ai: Partial<Pick<AiSettings, 'baseUrl' | 'model' | 'apiKey' | 'streamsPerUser' | 'dailyTokensPerUser'>> = {},
): Promise<void> {
  const plain = { baseUrl: '', model: '', apiKey: '', streamsPerUser: 4, dailyTokensPerUser: 500_000 }
  await settings.change({ ai: { ...plain, ...ai } }, { actor: SYSTEM })
}
