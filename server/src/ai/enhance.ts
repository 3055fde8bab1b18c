import type { Enhanced } from '@mokuroku/contract/ai'
import type * as z from 'zod/mini'
import { settings } from '#store/settings'
import { type Asked, converse } from './answer.ts'
import { isKnown, knownOf } from './known.ts'
import { askAndRead } from './mend.ts'
import { providerOf } from './providers/index.ts'
import type { Texts } from './providers/provider.ts'
import { readTexts } from './read.ts'

/** The texts of an entity with those that are missing, as they are said; at the end what the answer holds. */
export async function* enhanceTexts(texts: Texts, asked: Asked): AsyncGenerator<string, z.output<typeof Enhanced>> {
  const { languages } = (await settings.find()).general
  const known = await knownOf(texts, languages)
  const task = { call: 'enhance' as const, texts, languages, known }
  const provider = providerOf(asked.entry.settings)
  const conversation = await converse(provider, task, known.sources, asked)
  const { result, problem } = yield* askAndRead(conversation, task, (content) => readTexts(content, texts))
  const answers = result ? [{ fields: { translations: result } }] : []
  const run = await conversation.end(answers, problem ? 'faulty' : result ? 'done' : 'unknown')
  return { run, result, problem, isKnown: isKnown(known) }
}
