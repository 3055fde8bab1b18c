import { findingsApi, type FindingTarget, MAX_MARKED_IDS } from '@mokuroku/contract/findings'
import { merge } from '@mokuroku/contract/merge'
import { type RevisionRow, revisionsApi } from '@mokuroku/contract/revisions'
import { rollBack } from '#api/batches.ts'
import { call } from '#api/call.ts'
import { messageOf } from '#i18n/errors.ts'
import { editable, type Fields, toRequestBody } from '#lib/editorText.ts'
import { isNotFound } from '#lib/errorStatus.ts'
import { versionConflictOf } from '#lib/versionConflict.ts'
import type { Stored } from '#parts/area/area.ts'
import { update } from '#parts/area/calls.ts'
import { mergeTexts } from '#parts/merging/texts.ts'
import { bodyOf, type DeskState } from './deskState.ts'
import { type Act, currentOf, type Entry, type EntryState, isEditable, isEnded, nextOf, tallyOf } from './queue.ts'
import { advance, claim } from './reservations.ts'
import { findingOf } from './target.ts'

/** How many versions of an entity are searched for that of a save: others may have saved it since. */
const MAX_NEWEST = 100

/** Saves what was typed or chosen for the current entry, and advances. Returns false if there is nothing to save. */
export function save(core: DeskState): boolean {
  const entry = currentOf(core.get())
  const { entity } = entry ?? {}
  if (!entry || !entity || entry.stale || !isEditable(entry)) return false
  const body = bodyOf(core, { ...entry, entity })
  if (!body) return false
  send(core, entry, body, entry.base ?? entity.version)
  return true
}

/** Saves resolved conflicts. */
export function settle(core: DeskState, entry: Entry, merged: Fields): void {
  const { schema } = core.area.editor
  if (entry.stale)
    send(core, entry, toRequestBody(schema, editable(schema, merged), entry.stale.theirs), entry.stale.version)
}

/** Optimistic: the next entry is shown immediately; if the save is refused, this one waits in the queue. */
function send(core: DeskState, entry: Entry, body: Fields, base: number): void {
  const { id, entity, runs, findings } = entry
  core.drafts.flush()
  core.patch(id, { state: 'saving', stale: undefined, reason: undefined })
  const before = editable(core.area.editor.schema, entry.stale?.theirs ?? entity ?? {})
  const links = core.task.fill === 'links' ? findingOf(core.task, findings)?.links : undefined
  const dropped = [...new Set(links?.map(({ _id }) => _id))]
  noteAct(core, {
    id,
    what: 'saved',
    before,
    sent: body,
    ended: store(core, entry, { body, base, runs: [...runs], dropped }),
  })
  advance(core)
}

interface Sent {
  body: Fields
  base: number
  runs: string[]
  dropped: string[]
}

async function store(core: DeskState, before: Entry, sent: Sent): Promise<void> {
  const { id } = before
  const language = core.languageIn(before)
  try {
    const entity = (await update(core.area, id, sent)) as Stored & Fields
    core.drafts.drop({ id, language }, before.text)
    core.patch(id, { state: 'saved', entity, base: undefined })
    done(core)
    if (entity.version > sent.base + 1) core.onMerged()
  } catch (error) {
    comeBack(core, id, 'saved', error)
  }
}

/** The entry's finding for which the queue is filtered, as input for dismissing it; undefined if it has none. */
export function targetOf({ task }: DeskState, { id, findings }: Entry): FindingTarget | undefined {
  const found = findingOf(task, findings)
  if (!found) return undefined
  const { code, language, field } = found
  return { entityId: id, code, ...(language && { language }), ...(field && { field }) }
}

/** Dismisses the current entry's finding, and advances. Returns false if it has none. */
export function dismiss(core: DeskState): boolean {
  const entry = currentOf(core.get())
  const target = entry && isEditable(entry) ? targetOf(core, entry) : undefined
  if (!entry || !target) return false
  core.patch(entry.id, { state: 'saving', reason: undefined })
  const ended = dismissed(core, target)
  noteAct(core, { id: entry.id, what: 'dismissed', before: {}, ended })
  // The next one may be the other entry of the pair, which is settled then, too.
  if (core.task.fill === 'merge') void ended.then(() => leaveSettled(core, entry.id))
  else advance(core)
  return true
}

function leaveSettled(core: DeskState, id: string): void {
  if (core.get().current === id && core.entryOf(id)?.state === 'dismissed') advance(core)
}

async function dismissed(core: DeskState, target: FindingTarget): Promise<void> {
  try {
    await call(findingsApi.dismiss, { body: target })
    core.patch(target.entityId, { state: 'dismissed' })
    await recheckPairs(core, 'waiting')
    done(core)
  } catch (error) {
    if (!isNotFound(error)) return comeBack(core, target.entityId, 'dismissed', error)
    // Settled meanwhile, by somebody else: there is nothing to dismiss or to undo.
    core.patch(target.entityId, { state: 'dismissed' })
    dropActOf(core, target.entityId, 'dismissed')
    done(core)
  }
}

/**
 * In a queue of duplicates: dismissing the finding of an entry also settles the other entry of the pair, and undoing
 * that reopens both. Asks about the last entries in this state again, except those that the user dismissed here.
 */
async function recheckPairs(core: DeskState, state: 'waiting' | 'dismissed'): Promise<void> {
  if (core.task.fill !== 'merge') return
  const acted = new Set(core.get().acts.map(({ id }) => id))
  const others = core
    .get()
    .entries.filter((entry) => entry.state === state && !acted.has(entry.id))
    .slice(-MAX_MARKED_IDS)
  if (others.length === 0) return
  const ids = others.map(({ id }) => id).join(',')
  const query = { entityType: core.task.kind, ids, code: 'duplicate' as const }
  // Without an answer, the entries stay as they are.
  const answer = await call(findingsApi.marks, { query }).catch(() => undefined)
  if (!answer) return
  const found = new Set(answer.data.map(({ entityId }) => entityId))
  const changed = others.filter(
    ({ id }) => core.entryOf(id)?.state === state && found.has(id) === (state === 'dismissed'),
  )
  setStates(core, changed, () => (state === 'waiting' ? 'dismissed' : 'waiting'))
}

/**
 * Notes that two entries were merged, and advances. In a queue of duplicates, both are done; in others, the surviving
 * one is loaded again.
 */
export function noteMerge(core: DeskState, batch: string, into: string, from: string): void {
  const { entries, current = from } = core.get()
  const merged = entries.filter(({ id }) => id === into || id === from)
  noteAct(core, {
    id: current,
    what: 'merged',
    before: {},
    merge: { batch, entries: merged },
    ended: Promise.resolve(),
  })
  setStates(core, merged, ({ id, state }) =>
    id === from || core.task.fill === 'merge' ? 'merged' : isEnded(state) ? state : 'loading',
  )
  if (core.entryOf(current)?.state === 'merged') core.set({ current: nextOf(core.get()) })
  void claim(core)
}

type Former = Pick<Entry, 'id' | 'state'>

/** Changes the states of entries, and counts those that are done or skipped now, or no longer. */
function setStates(core: DeskState, entries: readonly Former[], stateOf: (entry: Former) => EntryState): void {
  const before = tallyOf(core.get())
  for (const entry of entries) core.patch(entry.id, { state: stateOf(entry) })
  const now = tallyOf(core.get())
  core.count({ done: now.done - before.done, skipped: now.skipped - before.skipped })
}

/** Skips the current entry, and advances. */
export function skip(core: DeskState): void {
  const entry = currentOf(core.get())
  if (!entry || !isEditable(entry)) return
  core.patch(entry.id, { state: 'skipped' })
  noteAct(core, { id: entry.id, what: 'skipped', before: {}, ended: Promise.resolve() })
  core.count({ skipped: 1 })
  advance(core)
}

/** Shows an entry. A skipped one can be worked on again, as after undoing the skip. */
export function goTo(core: DeskState, id: string): void {
  const skipped = core.get().acts.findLast((each) => each.id === id && each.what === 'skipped')
  if (skipped && core.entryOf(id)?.state === 'skipped') {
    reopen(core, skipped)
    dropAct(core, skipped)
  }
  core.set({ current: id })
}

/**
 * Undoes the last action. Returns false if there is none, or if it wrote nothing. Throws if the server refuses; the user
 * can then try again.
 */
export async function undo(core: DeskState): Promise<boolean> {
  const last = core.get().acts.at(-1)
  if (!last || core.get().isUndoing) return false
  core.set({ isUndoing: true })
  try {
    await last.ended
    const entry = core.entryOf(last.id)
    if (last.merge) await unmerge(core, last.merge)
    const isUndone = last.merge || !entry || entry.state !== last.what || (await takeBack(core, last, entry))
    if (isUndone) core.set({ current: last.id })
    dropAct(core, last)
    return Boolean(isUndone)
  } finally {
    core.set({ isUndoing: false })
  }
}

async function takeBack(core: DeskState, act: Act, entry: Entry): Promise<boolean> {
  const { id, what, before, sent = before } = act
  const { schema } = core.area.editor
  if (what === 'saved' && entry.entity) {
    const versions = await versionsOf(core, entry.entity)
    // Others had made the same change, so the save wrote nothing; what it would take back is theirs.
    if (versions.find(({ version }) => version === entry.entity?.version)?.userId !== core.user) return false
    // Only what this save changed: the server may have merged it with changes of others.
    const now = editable(schema, entry.entity)
    const body = toRequestBody(schema, merge(sent, before, now).merged, now)
    const entity =
      core.task.fill === 'links'
        ? await withLinks(core, entry.entity, versions)
        : ((await update(core.area, id, { body, base: entry.entity.version, runs: [] })) as Stored & Fields)
    core.patch(id, { entity })
  }
  const target = what === 'dismissed' ? targetOf(core, entry) : undefined
  if (target) {
    await call(findingsApi.undismiss, { body: target })
    await recheckPairs(core, 'dismissed')
  }
  reopen(core, act)
  // For the total.
  if (what !== 'skipped') void claim(core)
  return true
}

/** Undoes a merge, and loads its unfinished entries again. */
async function unmerge(core: DeskState, { batch, entries }: NonNullable<Act['merge']>): Promise<void> {
  const { changed } = await rollBack(batch, mergeTexts.get().undoReason)
  if (changed === 0) throw new Error(`The merge ${batch} was not rolled back`)
  setStates(core, entries, ({ state }) => (isEnded(state) ? state : 'loading'))
  void claim(core)
}

/** Makes an entry that was saved, skipped or dismissed unfinished again. */
function reopen(core: DeskState, { id, what }: Act): void {
  core.patch(id, { state: 'waiting' })
  core.count(what === 'skipped' ? { skipped: -1 } : { done: -1 })
}

/** Restores the links from before the entity's last change, from its history: their targets may be in the trash. */
async function withLinks(
  { area }: DeskState,
  { _id: entityId, version }: Stored,
  versions: RevisionRow[],
): Promise<Stored & Fields> {
  const last = versions.find((each) => each.version === version)
  const earlier = versions.find((each) => each.version < version)
  if (!last || !earlier) throw new Error(`Version ${version} and the one before it are not among the newest`)
  await call(revisionsApi.restore, { id: earlier._id, body: { paths: last.paths, base: version } })
  return (await call(area.api.find, { id: entityId } as object)) as Stored & Fields
}

/** The newest versions of an entity. */
async function versionsOf({ area }: DeskState, { _id: entityId }: Stored): Promise<RevisionRow[]> {
  const query = { entityType: area.kind, entityId, limit: MAX_NEWEST }
  return (await call(revisionsApi.list, { query })).data
}

/** Counts one more as done, and claims more: the total has changed, and if nothing was left, there may be more now. */
function done(core: DeskState): void {
  core.count({ done: 1 })
  void claim(core)
}

/** Keeps a refused entry with the reason; shows it immediately if no other is shown, otherwise once none is left. */
function comeBack(core: DeskState, id: string, what: Act['what'], error: unknown): void {
  core.patch(id, { state: 'failed', reason: messageOf(error), stale: versionConflictOf(error) })
  dropActOf(core, id, what)
  core.set({ current: core.get().current ?? id })
  if (core.hasLeft) core.onLost(error)
}

const noteAct = (core: DeskState, act: Act) => core.set({ acts: [...core.get().acts, act] })
const dropAct = (core: DeskState, act: Act) => core.set({ acts: core.get().acts.filter((each) => each !== act) })

function dropActOf(core: DeskState, id: string, what: Act['what']): void {
  const act = core.get().acts.findLast((each) => each.id === id && each.what === what)
  if (act) dropAct(core, act)
}
