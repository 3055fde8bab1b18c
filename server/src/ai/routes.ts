import { aiApi, type SearchLine } from '@mokuroku/contract/ai'
import type * as z from 'zod/mini'
import { notFound, type Refusal } from '#lib/errors.ts'
import { serve } from '#lib/http.ts'
import { type Actor, mayAssist } from '#lib/may.ts'
import { assisted, runs } from '#store/ai'
import { media } from '#store/media'
import { aiSettings } from '#store/settings'
import { saveBatch } from './batch.ts'
import { begun } from './begun.ts'
import { createMedia } from './create.ts'
import { searchElsewhere } from './elsewhere.ts'
import { enhanceTexts } from './enhance.ts'
import { enter } from './limits.ts'
import { suggestMedia } from './media.ts'
import { providerOf } from './providers/index.ts'
import type { Texts } from './providers/provider.ts'
import { CATALOGUES, searchMedia } from './search.ts'
import { bangumi, readAhead } from './sources/bangumi.ts'
import { catalogue } from './sources/catalogue.ts'
import { standardizeMedia } from './standardize.ts'
import { tryConnection } from './trial.ts'

export const aiRoutes = serve(aiApi, {
  status: ({ actor }) => statusFor(actor),
  process: ({ query, actor, signal }) => enhance(query.text, actor, signal),
  processLong: ({ body, actor, signal }) => enhance(body.text, actor, signal),
  processMedia: async ({ query, actor, signal }) =>
    begun(asEvents(suggestMedia(query.text, { actor, signal, entry: await enter(actor) }))),
  processStandard: async ({ body, actor, signal }) =>
    begun(asData(standardizeMedia(body.text, { actor, signal, entry: await enter(actor) }))),
  search: async ({ body, actor, signal }) => {
    const entry = await enter(actor)
    const search = entry.settings.searchUrl ? searchElsewhere : searchMedia
    return begun(asData(search(body, { actor, signal, entry })), (refusal) => ({ data: errorLine(refusal) }))
  },
  createMedia: async ({ body, actor, runs: ids }) =>
    (await media.find(await createMedia(body, await assisted(actor, ids)))) ?? notFound('Media'),
  saveBatch: async ({ body, actor, runs: ids }) => saveBatch(body, await assisted(actor, ids)),
  test: ({ body, actor }) => tryConnection(body, actor),
})

const enhance = async (texts: Texts, actor: Actor, signal: AbortSignal) =>
  begun(asEvents(enhanceTexts(texts, { actor, signal, entry: await enter(actor) })))

const NOTHING: Record<string, never> = {}

/** As the events of the specification: what is said in chunks, then what it was, then the end. */
async function* asEvents<Result>(said: AsyncGenerator<string, Result>) {
  try {
    let next = await said.next()
    for (; !next.done; next = await said.next()) yield { event: 'chunk' as const, data: { content: next.value } }
    yield { event: 'complete' as const, data: next.value }
    yield { event: 'end' as const, data: NOTHING }
  } finally {
    await said.return(undefined as never)
  }
}

async function* asData<Line>(lines: AsyncGenerator<Line>): AsyncGenerator<{ data: Line }> {
  for await (const data of lines) yield { data }
}

function errorLine({ message, code, more }: Refusal): SearchLine {
  const { retryAfter } = more as { retryAfter?: number }
  return { type: 'error', data: message, code, ...(retryAfter !== undefined && { retryAfter }) }
}

async function statusFor(actor: Actor): Promise<z.output<(typeof aiApi)['status']['response']>> {
  // A screen that asks is one where AI is about to be used.
  readAhead()
  const settings = await aiSettings()
  const { kind, name } = providerOf(settings)
  const verdict = mayAssist(actor)
  const { searchUrl, streamsPerUser, dailyTokensPerUser: dailyTokens } = settings
  return {
    provider: kind === 'model' ? 'model' : 'reference',
    model: name,
    sources: searchUrl ? [new URL(searchUrl).host] : [...CATALOGUES, bangumi, catalogue].map((source) => source.name),
    isElsewhere: searchUrl !== '',
    isAllowed: verdict.allowed,
    ...(!verdict.allowed && { reason: verdict.reason }),
    streamsPerUser,
    tokensToday: await runs.tokensToday(actor._id),
    dailyTokens,
  }
}
