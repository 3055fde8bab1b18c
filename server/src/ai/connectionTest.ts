import type { ConnectionTestInput, ConnectionTestResult } from '@mokuroku/contract/ai'
import type * as z from 'zod/mini'
import { Refusal } from '#lib/errors.ts'
import { aiSettings } from '#store/settings'
import { openai } from './providers/openai.ts'

/** How long an administrator is kept waiting, in milliseconds. */
const TIMEOUTS = { firstChunkMs: 30_000, chunkMs: 15_000, totalMs: 45_000 }
/** How much of an answer proves that the model works, in characters. */
const MAX_ANSWER_CHARS = 20

type Answer = z.output<typeof ConnectionTestResult>

/**
 * Sends the model a short prompt, using the settings as they would be with the given values saved, and reports success
 * or what is wrong. A stored API key is sent only to the host it was entered for.
 */
export async function testConnection(given: z.output<typeof ConnectionTestInput>): Promise<Answer> {
  const { baseUrl, model, apiKey } = await aiSettings(given)
  const started = performance.now()
  const answer = (success: boolean, code: string, message: string): Answer => ({
    success,
    code,
    message,
    milliseconds: Math.round(performance.now() - started),
  })
  if (!baseUrl) return answer(false, 'ai.unset', 'No address is set. Reference data is used instead.')
  if (!model) return answer(false, 'ai.unset', 'No model is set. Reference data is used instead.')
  const ending = new AbortController()
  try {
    let said = ''
    const words = openai({ baseUrl, model, apiKey, timeouts: TIMEOUTS }).answer(
      { call: 'test', languages: [] },
      ending.signal,
    )
    for await (const word of words) {
      said += word
      if (said.length > MAX_ANSWER_CHARS) break
    }
    return answer(true, 'ok', `The model ${model} answers.`)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code === 'ai.key' && !apiKey)
      return answer(false, error.code, 'The AI service requires an API key, and none is set for this address.')
    return answer(false, error.code, error.message)
  } finally {
    ending.abort()
  }
}
