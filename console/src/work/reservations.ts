import { findingsApi } from '@mokuroku/contract/findings'
import { MAX_CLAIM, MAX_RESERVED, suggestionsApi, workApi } from '@mokuroku/contract/work'
import { call } from '#api/call.ts'
import { sendKeepalive } from '#api/keepalive.ts'
import type { Fields } from '#lib/editorText.ts'
import { isNotFound } from '#lib/errorStatus.ts'
import type { Stored } from '#parts/area/area.ts'
import { type DeskState, proposed, textIn } from './deskState.ts'
import { doneUntil, isEnded, nextOf, openIn, pendingIn, withNew } from './queue.ts'
import { findingOf } from './target.ts'

/** How many entities are prefetched besides the one on screen. */
const PREFETCHED = 5
/** With fewer unfinished ones, more are reserved at once; with more, only when the last save has ended, with its total. */
const MIN_OPEN = 3
/** Delay before slow sources of suggestions are asked again. */
const RETRY_DELAY_MS = 3000

/** The last release request: later claims must reach the server after it. */
let releasing: Promise<unknown> = Promise.resolve()

/** Reserves the next entities, renews existing reservations, and prefetches the entities. */
export async function claim(core: DeskState): Promise<void> {
  await releasing
  if (core.hasLeft) return
  const claimed = ++core.claims
  const queue = core.get()
  const after = doneUntil(queue)
  const limit = Math.min(MAX_CLAIM, 1 + PREFETCHED + pendingIn(queue))
  try {
    const body = { entityType: core.task.kind, filter: { ...core.filter }, limit, ...(after && { after }) }
    const { ids, total } = await call(workApi.claim, { body })
    if (core.hasLeft) return
    const next = withNew(core.get(), ids)
    // A later claim may have been answered first.
    if (claimed === core.claims) next.total = total
    const progress = next.progress.of > 0 ? next.progress : { ...next.progress, of: total }
    core.store.set({ ...next, isAtEnd: ids.length < limit, failure: undefined, progress })
    await Promise.all(next.entries.filter(({ state }) => state === 'loading').map(({ id }) => load(core, id)))
  } catch (failure) {
    core.set({ failure })
  }
}

const loading = new Set<string>()

/** Loads an entity and its findings; its suggestions follow later. */
async function load(core: DeskState, id: string): Promise<void> {
  const { task, languageIn, patch } = core
  if (loading.has(id)) return
  loading.add(id)
  try {
    const [entity, { data: findings }] = await Promise.all([
      call(core.area.api.find, { id } as object) as Promise<Stored & Fields>,
      call(findingsApi.find, { id }),
    ])
    const language = languageIn({ findings })
    const draft = core.drafts.find({ id, language }, textIn(entity, language, task.field))
    const chosen = proposed(core, entity, findingOf(task, findings))
    patch(id, {
      entity,
      findings,
      chosen,
      state: 'waiting',
      ...(draft && { text: draft.text, isRestored: true, base: draft.version }),
    })
    if (task.fill === 'text') void suggest(core, id)
  } catch (error) {
    // After any other error, the entry stays `loading`, and the next claim tries again.
    if (!isNotFound(error)) return core.set({ failure: error })
    patch(id, { state: 'gone' })
    if (core.get().current === id) advance(core)
  } finally {
    loading.delete(id)
  }
}

/** Loads the suggestions of an entry, and once more if some sources are slow. */
export async function suggest(core: DeskState, id: string, isAgain = false): Promise<void> {
  const { task, entryOf, languageIn, patch } = core
  const entry = entryOf(id)
  if (!entry || core.hasLeft) return
  const query = { entityType: task.kind, entityId: id, language: languageIn(entry), field: task.field }
  try {
    const { data, late } = await call(suggestionsApi.list, { query })
    // A model's answer may have been added in the meantime.
    const answers = entryOf(id)?.suggestions?.filter(({ origin }) => origin === 'ai') ?? []
    patch(id, { suggestions: [...data, ...answers], suggestionsFailure: undefined })
    if (late && !isAgain) setTimeout(() => void suggest(core, id, true), RETRY_DELAY_MS)
  } catch (suggestionsFailure) {
    patch(id, { suggestionsFailure })
  }
}

/** Shows the next entry, and reserves more if few are left. */
export function advance(core: DeskState): void {
  core.set({ current: nextOf(core.get()) })
  core.count({})
  const { isAtEnd } = core.get()
  if (!isAtEnd && openIn(core.get()) < MIN_OPEN) void claim(core)
}

/** Releases the reservations. `isClosing`: the page is being closed, so the response is not awaited. */
export function release(core: DeskState, isClosing: boolean): void {
  core.hasLeft = !isClosing
  core.drafts.flush()
  const held = core.get().entries.filter(({ state }) => state === 'skipped' || !isEnded(state))
  const ids = held.slice(-MAX_RESERVED).map(({ id }) => id)
  if (ids.length === 0) return
  if (isClosing) sendKeepalive(workApi.release, { ids })
  else releasing = call(workApi.release, { body: { ids } }).catch(() => undefined)
}
