import { aiApi, type SearchLine } from '@mokuroku/contract/ai'
import { suggestionsApi } from '@mokuroku/contract/work'
import type * as z from 'zod/mini'
import { notFound, type Refusal } from '#lib/errors.ts'
import { serve } from '#http/serve.ts'
import { type Actor, authorize, enforce, mayAssist } from '#access/permissions.ts'
import { attachProvenance } from '#ledger/provenance.ts'
import { runs } from '#store/ai'
import { audit } from '#store/audit'
import { media } from '#store/media'
import { aiSettings } from '#store/settings'
import { type AiRequest, mapStream, withRunCleanup } from './runs.ts'
import { saveBatch } from './batch.ts'
import { awaitFirstChunk } from './firstChunk.ts'
import { createMedia } from './create.ts'
import { searchExternal } from './externalSearch.ts'
import { enhanceTexts } from './enhance.ts'
import { acquireSlot } from './limits.ts'
import { suggestMedia } from './media.ts'
import { matchCharacters } from './resolveCharacters.ts'
import { providerOf } from './providers/index.ts'
import type { Texts } from './providers/provider.ts'
import { searchMedia } from './search.ts'
import { bangumi, preloadIndex } from './sources/bangumi.ts'
import { catalogue } from './sources/catalogue.ts'
import { CATALOGUES } from './sources/publicCatalogues.ts'
import { standardizeMedia } from './standardize.ts'
import { suggestTexts } from './suggestions.ts'
import { testConnection } from './connectionTest.ts'

const assisting = ({ actor }: { actor: Actor }): void => enforce(mayAssist(actor))

export const aiRoutes = serve(
  aiApi,
  {
    status: ({ actor }) => statusFor(actor),
    process: ({ query, actor, signal }) => enhance(query.text, actor, signal),
    processLong: ({ body, actor, signal }) => enhance(body.text, actor, signal),
    processMedia: async ({ query, actor, signal }) => {
      const asked = await beginRequest(actor, signal)
      return awaitFirstChunk(asEvents(withRunCleanup(asked, suggestMedia(query.text, asked))), signal)
    },
    processStandard: async ({ body, actor, signal }) => {
      const asked = await beginRequest(actor, signal)
      return awaitFirstChunk(mapStream(withRunCleanup(asked, standardizeMedia(body.text, asked)), asData), signal)
    },
    searchOutside: async ({ body, actor, signal }) => {
      const asked = await beginRequest(actor, signal)
      const search = asked.slot.settings.searchUrl ? searchExternal : searchMedia
      return awaitFirstChunk(mapStream(withRunCleanup(asked, search(body, asked)), asData), signal, (refusal) =>
        asData(errorLine(refusal)),
      )
    },
    matchCharacters: async ({ body }) => ({ matches: await matchCharacters(body.characters) }),
    createMedia: async ({ body, actor, runs: ids, key }) =>
      (await media.find(await createMedia(body, { ...(await attachProvenance(actor, ids)), key }))) ??
      notFound('Media'),
    saveBatch: async ({ body, actor, runs: ids }) => saveBatch(body, await attachProvenance(actor, ids)),
    test: async ({ body, actor }) => {
      const answer = await testConnection(body)
      const details = {
        what: 'ai',
        code: answer.code,
        address: body.baseUrl || undefined,
        model: body.model || undefined,
      }
      audit.recordLater({ action: 'settings.tested', outcome: answer.success ? 'ok' : 'failed', actor, details })
      return answer
    },
  },
  {
    process: assisting,
    processLong: assisting,
    processMedia: assisting,
    processStandard: assisting,
    searchOutside: assisting,
    createMedia: authorize('create', 'Media'),
    saveBatch: authorize('edit', 'Media'),
    test: authorize('edit', 'Setting'),
  },
)

/** Suggestions for a text, without a model: see suggestions.ts. */
export const suggestionRoutes = serve(suggestionsApi, { list: ({ query }) => suggestTexts(query) }, { list: assisting })

const beginRequest = async (actor: Actor, signal: AbortSignal): Promise<AiRequest> => ({
  actor,
  signal,
  slot: await acquireSlot(actor),
})

async function enhance(texts: Texts, actor: Actor, signal: AbortSignal) {
  const asked = await beginRequest(actor, signal)
  return awaitFirstChunk(asEvents(withRunCleanup(asked, enhanceTexts(texts, asked))), signal)
}

const NOTHING: Record<string, never> = {}

/** Turns an answer into events: `chunk`s, then `complete` with the whole, then `end` (docs/behaviour.md#ai). */
async function* asEvents<Result>(said: AsyncGenerator<string, Result>) {
  const data = yield* mapStream(said, (content) => ({ event: 'chunk' as const, data: { content } }))
  yield { event: 'complete' as const, data }
  yield { event: 'end' as const, data: NOTHING }
}

const asData = <Line>(data: Line): { data: Line } => ({ data })

function errorLine({ message, code, more }: Refusal): SearchLine {
  const { retryAfter } = more as { retryAfter?: number }
  return { type: 'error', data: message, code, ...(retryAfter !== undefined && { retryAfter }) }
}

async function statusFor(actor: Actor): Promise<z.output<(typeof aiApi)['status']['response']>> {
  // A screen that asks for the status is likely to use AI next.
  preloadIndex()
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
