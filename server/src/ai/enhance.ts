import type { EnhanceResult } from '@mokuroku/contract/ai'
import type * as z from 'zod/mini'
import { settings } from '#store/settings'
import { type AiRequest, startConversation } from './runs.ts'
import { isKnown, findReferences } from './references.ts'
import { askAndParse } from './repair.ts'
import { providerOf } from './providers/index.ts'
import type { Texts } from './providers/provider.ts'
import { parseTexts } from './parseAnswers.ts'

/** Streams the texts of an entity with missing ones added; returns the parsed result at the end. */
export async function* enhanceTexts(
  texts: Texts,
  asked: AiRequest,
): AsyncGenerator<string, z.output<typeof EnhanceResult>> {
  const { languages } = (await settings.find()).general
  const known = await findReferences(texts, languages)
  const task = { call: 'enhance' as const, texts, languages, known }
  const provider = providerOf(asked.slot.settings)
  const conversation = await startConversation(provider, task, known.sources, asked)
  const { result, problem } = yield* askAndParse(conversation, task, (content) => parseTexts(content, texts))
  const answers = result ? [{ fields: { translations: result } }] : []
  const run = await conversation.end(answers, problem ? 'faulty' : result ? 'done' : 'unknown')
  return { run, result, problem, isKnown: isKnown(known) }
}
