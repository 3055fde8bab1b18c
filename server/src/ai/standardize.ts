import type { StandardizeLine } from '@mokuroku/contract/ai'
import { reasonText } from '@mokuroku/contract/reasons'
import type { StandardizedItem } from '@mokuroku/contract/suggestion'
import { Refusal } from '#lib/errors.ts'
import { type AiRequest, type Conversation, startConversation } from './runs.ts'
import { isKnown, findReferences } from './references.ts'
import { familiesOf, inTargets, targetsOf } from './languages.ts'
import { providerOf } from './providers/index.ts'
import type { Task, Texts } from './providers/provider.ts'
import { parseItems } from './parseAnswers.ts'
import { uniqueSources } from './sources/source.ts'

type Items = Extract<Task, { call: 'standardize' }>['items']

/**
 * Makes the texts of several media consistent. Items missing or wrong in the answer are requested once more. If an
 * answer fails midway, the finished items are kept.
 */
export async function* standardizeMedia(
  given: { id: string; translations: Texts }[],
  asked: AiRequest,
): AsyncGenerator<StandardizeLine> {
  const languages = familiesOf([...new Set(given.flatMap(({ translations }) => Object.keys(translations)))])
  // Media without texts cannot be looked up, and nothing is invented for them.
  const [named, unnamed] = [given.filter(hasTexts), given.filter((item) => !hasTexts(item))]
  const items: Items = []
  for (const item of named) {
    const targets = targetsOf(Object.keys(item.translations), languages)
    const { texts, sources } = await findReferences(item.translations, [])
    items.push({ ...item, languages: targets, known: { texts: inTargets(texts, targets), sources } })
  }
  const provider = providerOf(asked.slot.settings)
  const task = { call: 'standardize' as const, languages, items }
  const conversation = await startConversation(
    provider,
    task,
    uniqueSources(items.flatMap(({ known }) => known.sources)),
    asked,
  )

  const done = new Map<string, StandardizedItem>()
  const first = yield* partsOf(conversation, task, done)
  const missing = items.filter(({ id }) => first.faults.has(id))
  const mustRepeat = !first.failure && missing.length > 0 && provider.kind === 'model'
  if (mustRepeat)
    yield { content: '\n\nSome media are missing or wrong in this answer. They are asked for once more.\n\n' }
  const last = mustRepeat ? yield* partsOf(conversation, { ...task, items: missing }, done) : first

  const result = items.flatMap(({ id }) => done.get(id) ?? [])
  // A model may know more than the sources, so an item missing from its answer counts as an error.
  const isUnknown = (item: Items[number] | undefined) => provider.kind === 'reference' && item && !isKnown(item.known)
  const unknown = (id: string) => ({ id, message: reasonText('sourcesSilent'), code: 'unknown' as const })
  const errors = [...last.faults].map(([id, message]) =>
    isUnknown(items.find((item) => item.id === id))
      ? unknown(id)
      : { id, message: `${message}.`, code: 'faulty' as const },
  )
  errors.push(...unnamed.map(({ id }) => unknown(id)))
  const answers = result.map(({ id, translations }) => ({ id, fields: { translations } }))
  const run = await conversation.end(answers, last.failure?.code ?? (errors.length > 0 ? 'faulty' : 'done'))
  if (!last.failure) yield { status: 'completed', run, result, errors }
  else {
    const { message, code, more } = last.failure
    yield { status: 'failed', message, code, ...(more as { retryAfter?: number }), run, result, errors }
  }
}

const hasTexts = ({ translations }: { translations: Texts }): boolean => Object.keys(translations).length > 0

/** Requests some media and adds the parsed ones to `done`, even if the answer fails midway. */
async function* partsOf(
  { ask }: Conversation,
  task: Extract<Task, { call: 'standardize' }>,
  done: Map<string, StandardizedItem>,
): AsyncGenerator<StandardizeLine, { faults: Map<string, string>; failure: Refusal | undefined }> {
  let [content, failure]: [string, Refusal | undefined] = ['', undefined]
  try {
    for await (const piece of ask(task)) {
      content += piece
      yield { content: piece }
    }
  } catch (error) {
    if (!(error instanceof Refusal) || (content === '' && done.size === 0)) throw error
    failure = error
  }
  const targetsById = new Map(task.items.map(({ id, languages, translations }) => [id, { languages, translations }]))
  const { result, faults } = parseItems(content, targetsById)
  for (const item of result) done.set(item.id, item)
  return { faults, failure }
}
