// What happened to entities that were merged into others.
import type { Kind } from '@mokuroku/contract/kinds'
import type { MergedAnswer } from '@mokuroku/contract/merges'
import { reasonText } from '@mokuroku/contract/reasons'
import { db, type Reader, type Transaction } from '#database/db.ts'
import { inList } from '#database/inList.ts'
import { TABLES, type Tables } from '#database/tables.ts'
import { Refusal } from '#lib/errors.ts'
import { keepMergesAhead, mergeAhead } from './readAhead.ts'

export type MergeRow = Tables['merges']

/** The maximum length of a chain of merges that is followed. */
const MAX_CHAIN = 100

/** The merge of an entity into another. */
export const mergeOf = (from: Reader, id: string): Promise<MergeRow | undefined> =>
  from.selectFrom('merges').selectAll().where('fromId', '=', id).executeTakeFirst()

/** The merge that a batch did, unless it was undone. */
export const mergeBy = (from: Reader, batch: string): Promise<MergeRow | undefined> =>
  from.selectFrom('merges').selectAll().where('batch', '=', batch).executeTakeFirst()

/** Which of some entities were merged into others. */
export async function mergedAmong(from: Reader, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await from.selectFrom('merges').select('fromId').where(inList('fromId', ids)).execute()
  return new Set(rows.map(({ fromId }) => fromId))
}

/**
 * The entities that were merged into some entities, directly or indirectly, each with the one of them that it belongs
 * to now.
 */
export async function mergedInto(from: Reader, ids: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  let next = [...ids]
  for (let hops = 0; next.length > 0 && hops < MAX_CHAIN; hops += 1) {
    const rows = await from.selectFrom('merges').select(['fromId', 'toId']).where(inList('toId', next)).execute()
    for (const { fromId, toId } of rows) found.set(fromId, found.get(toId) ?? toId)
    next = rows.map(({ fromId }) => fromId)
  }
  return found
}

/**
 * Resolves merged entities to their last survivors; other ids stay, and so does `unmerged`, whose merge is being undone.
 * Without repetitions.
 */
export const currentIds = async (from: Reader, ids: readonly string[], unmerged = ''): Promise<string[]> => [
  ...new Set(await lastIds(from, ids, unmerged)),
]

/** Like `currentIds`, one for each id. */
async function lastIds(from: Reader, ids: readonly string[], unmerged = ''): Promise<string[]> {
  let current = [...ids]
  for (let hops = 0; current.length > 0 && hops < MAX_CHAIN; hops += 1) {
    const rows = await from
      .selectFrom('merges')
      .select(['fromId', 'toId'])
      .where('fromId', 'in', current)
      .where('fromId', '!=', unmerged)
      .execute()
    if (rows.length === 0) break
    const next = new Map(rows.map(({ fromId, toId }) => [fromId, toId]))
    current = current.map((id) => next.get(id) ?? id)
  }
  return current
}

/** Reads ahead which of some entities were merged into others, and into which they are now. */
export async function readMergesAhead(tx: Transaction, ids: string[]): Promise<void> {
  const rows = await tx.selectFrom('merges').selectAll().where(inList('fromId', ids)).execute()
  const last = await lastIds(
    tx,
    rows.map(({ toId }) => toId),
  )
  keepMergesAhead(tx, new Map(rows.map((merge, at) => [merge.fromId, { merge, into: last[at] ?? merge.toId }])))
}

/**
 * The id of the last survivor of a merged entity. Undefined if it was not merged, or the survivor is in the trash or
 * gone.
 */
export async function survivorOf(from: Reader, kind: Kind, id: string): Promise<string | undefined> {
  const [at = id] = await currentIds(from, [id])
  if (at === id) return undefined
  const row = from.selectFrom(TABLES[kind]).select('_id').where('_id', '=', at).where('deletedAt', 'is', null)
  return (await row.executeTakeFirst())?._id
}

/** Throws 409 if an entity was merged into another one. */
export async function refuseMerged(from: Reader, id: string, reason: 'mergedAway' | 'mergedTrash'): Promise<void> {
  const ahead = mergeAhead(from, id)
  const known = ahead ? ahead.known : await mergeAndSurvivor(from, id)
  if (known) throw refusal(409, reason, known.merge, known.into)
}

async function mergeAndSurvivor(from: Reader, id: string) {
  const merge = await mergeOf(from, id)
  if (!merge) return undefined
  const [into = merge.toId] = await lastIds(from, [merge.toId])
  return { merge, into }
}

/** Throws 308 if an entity was merged: a read is redirected to the survivor, a write refused with 409 (errorAnswer.ts). */
export async function redirectMerged(kind: Kind, id: string): Promise<void> {
  const merge = await mergeOf(db, id)
  if (!merge) return
  const into = await survivorOf(db, kind, id)
  if (into !== undefined) throw refusal(308, 'mergedAway', merge, into)
}

function refusal(status: number, reason: 'mergedAway' | 'mergedTrash', merge: MergeRow, into: string): Refusal {
  const more: MergedAnswer = { from: merge.fromId, into, batch: merge.batch }
  return new Refusal(status, 'merged', reasonText(reason), undefined, { ...more })
}
