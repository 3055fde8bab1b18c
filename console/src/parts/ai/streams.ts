import { aiApi, type EnhanceResult } from '@mokuroku/contract/ai'
import { stream } from '#api/stream.ts'
import type { Step } from './useAiStream.ts'

/** A longer URL may be rejected on its way, so the text is sent in the body instead. */
const MAX_URL_CHARS = 1500

/** Streams the enhancement of an entity's translations: `{ en: { title: '…' } }`. */
export async function* enhancement(
  translations: unknown,
  signal: AbortSignal,
): AsyncGenerator<Step<NonNullable<EnhanceResult['result']>>> {
  const text = JSON.stringify(translations)
  const events =
    encodeURIComponent(text).length > MAX_URL_CHARS
      ? stream(aiApi.processLong, { body: { text, stream: true }, signal })
      : stream(aiApi.process, { query: { text, stream: 'true' }, signal })
  for await (const { event, data } of events) {
    if (event === 'chunk') yield { content: data.content }
    else if (event === 'complete') yield { answer: data }
    else return
  }
}
