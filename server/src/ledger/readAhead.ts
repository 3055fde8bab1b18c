import type { Kind } from '@mokuroku/contract/kinds'
import type { Document } from '@mokuroku/contract/merge'
import { oneOf } from '#database/oneOf.ts'
import type { Transaction } from '#database/db.ts'
import type { RowKey } from '#database/locks.ts'
import { readOnly } from '#database/readOnly.ts'
import { type Meta, TABLES, type Tables } from '#database/tables.ts'
import type { EntityDefinition } from './definition.ts'
import { idsIn, linkFields } from './fields.ts'

/** A statement takes a bounded number of values. */
const IDS_PER_QUERY = 5000

/** What a transaction that only reads has read for many entities at once. */
interface Ahead {
  /** By kind and id; an entity that is not there has none. */
  rows: Map<string, Document & Meta>
  asked: Set<string>
  /** By kind, when what an id leads to was deleted; undefined where there is no such thing. */
  links: Map<Kind, Map<string, string | null | undefined>>
  /** What entities were merged into, by their ids; undefined where nobody asked. */
  merges?: Map<string, Tables['merges']>
}

const aheadOf = new WeakMap<object, Ahead>()
const keyOf = ({ kind, id }: RowKey) => `${kind} ${id}`

/**
 * Reads entities with one statement for each kind, for a transaction that then plans what becomes of each and writes
 * nothing: `findRow` and `linkedRows` answer from what was read.
 */
export async function readAhead(tx: Transaction, keys: RowKey[]): Promise<void> {
  await readOnly(tx)
  const ahead: Ahead = { rows: new Map(), asked: new Set(keys.map(keyOf)), links: new Map() }
  aheadOf.set(tx, ahead)
  for (const [kind, some] of Map.groupBy(keys, (key) => key.kind)) {
    const ids = some.map(({ id }) => id)
    const rows = await tx.selectFrom(TABLES[kind]).selectAll().where(oneOf('_id', ids)).execute()
    for (const row of rows) ahead.rows.set(keyOf({ kind, id: row._id }), row)
  }
}

/** The row that was read ahead; undefined where nothing was, `{ row: undefined }` where there is none. */
export function rowAhead(tx: Transaction, key: RowKey): { row: (Document & Meta) | undefined } | undefined {
  const ahead = aheadOf.get(tx)
  return ahead?.asked.has(keyOf(key)) ? { row: ahead.rows.get(keyOf(key)) } : undefined
}

/** The rows that were read ahead of some entities, as far as they are there. */
export const rowsAhead = (tx: Transaction, keys: RowKey[]): (Document & Meta)[] =>
  keys.flatMap((key) => rowAhead(tx, key)?.row ?? [])

/** Reads ahead what the links of some documents of a kind lead to, with one statement for each kind of target. */
export async function readLinksAhead(
  tx: Transaction,
  definition: EntityDefinition<Document>,
  documents: Document[],
): Promise<void> {
  const wanted = Map.groupBy(linkFields(definition), ([, target]) => target)
  for (const [target, fields] of wanted)
    await linkedRows(
      tx,
      target,
      documents.flatMap((document) => fields.flatMap(([field]) => idsIn(document, field))),
    )
}

/** Reads ahead which of some entities were merged into others. */
export async function readMergesAhead(tx: Transaction, ids: string[]): Promise<void> {
  const ahead = aheadOf.get(tx)
  if (!ahead) return
  const rows = await tx.selectFrom('merges').selectAll().where(oneOf('fromId', ids)).execute()
  ahead.merges = new Map(rows.map((row) => [row.fromId, row]))
}

/** What an entity was merged into; undefined where that was not read ahead, `{ merge: undefined }` where it was not. */
export function mergeAhead(tx: object, id: string): { merge: Tables['merges'] | undefined } | undefined {
  const merges = aheadOf.get(tx)?.merges
  return merges && { merge: merges.get(id) }
}

/** By id, when things of a kind were deleted: null where they were not. What is not there is not in it. */
export async function linkedRows(tx: Transaction, kind: Kind, ids: string[]): Promise<Map<string, string | null>> {
  const known = aheadOf.get(tx)?.links.get(kind) ?? new Map<string, string | null | undefined>()
  const wanted = [...new Set(ids)].filter((id) => !known.has(id))
  if (wanted.length > 0) {
    for (const id of wanted) known.set(id, undefined)
    for (let at = 0; at < wanted.length; at += IDS_PER_QUERY) {
      const some = wanted.slice(at, at + IDS_PER_QUERY)
      const rows = await tx.selectFrom(TABLES[kind]).select(['_id', 'deletedAt']).where(oneOf('_id', some)).execute()
      for (const { _id, deletedAt } of rows) known.set(_id, deletedAt)
    }
  }
  aheadOf.get(tx)?.links.set(kind, known)
  return new Map(
    ids.flatMap((id) => {
      const deletedAt = known.get(id)
      return deletedAt === undefined ? [] : [[id, deletedAt] as const]
    }),
  )
}
