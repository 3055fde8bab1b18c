import type { Kind } from '@mokuroku/contract/kinds'
import type { Document } from '@mokuroku/contract/merge'
import { inList } from '#database/inList.ts'
import type { Transaction } from '#database/db.ts'
import type { RowKey } from '#database/locks.ts'
import { readOnly } from '#database/readOnly.ts'
import { type Meta, TABLES, type Tables } from '#database/tables.ts'
import type { EntityDefinition } from './definition.ts'
import { idsIn, linkFields } from './fields.ts'

/** The maximum number of ids in one query. */
const IDS_PER_QUERY = 5000

/** A merge, and the last survivor of the entity. */
interface KnownMerge {
  merge: Tables['merges']
  into: string
}

/** What a read-only transaction has read for many entities at once. */
interface Ahead {
  /** By kind and id; entities that do not exist are missing. */
  rows: Map<string, Document & Meta>
  asked: Set<string>
  /**
   * By kind and id, the deletion times of linked entities; null if not deleted, undefined if the entity does not exist.
   */
  links: Map<Kind, Map<string, string | null | undefined>>
  /** Merges, by the id of the merged entity; undefined if they were not read ahead. */
  merges?: Map<string, KnownMerge>
}

const aheadOf = new WeakMap<object, Ahead>()
const keyOf = ({ kind, id }: RowKey) => `${kind} ${id}`

/**
 * Reads entities with one statement per kind, for a transaction that then plans changes to each and writes nothing:
 * `findRow` and `linkedRows` use what was read.
 */
export async function readAhead(tx: Transaction, keys: RowKey[]): Promise<void> {
  await readOnly(tx)
  const ahead: Ahead = { rows: new Map(), asked: new Set(keys.map(keyOf)), links: new Map() }
  aheadOf.set(tx, ahead)
  for (const [kind, some] of Map.groupBy(keys, (key) => key.kind)) {
    const ids = some.map(({ id }) => id)
    const rows = await tx.selectFrom(TABLES[kind]).selectAll().where(inList('_id', ids)).execute()
    for (const row of rows) ahead.rows.set(keyOf({ kind, id: row._id }), row)
  }
}

/** The row that was read ahead: undefined if it was not read, `{ row: undefined }` if it does not exist. */
export function rowAhead(tx: Transaction, key: RowKey): { row: (Document & Meta) | undefined } | undefined {
  const ahead = aheadOf.get(tx)
  return ahead?.asked.has(keyOf(key)) ? { row: ahead.rows.get(keyOf(key)) } : undefined
}

/** The rows that were read ahead for some entities; missing ones are left out. */
export const rowsAhead = (tx: Transaction, keys: RowKey[]): (Document & Meta)[] =>
  keys.flatMap((key) => rowAhead(tx, key)?.row ?? [])

/** Reads ahead the link targets of some documents of a kind, with one statement per kind of target. */
export async function readLinksAhead(
  tx: Transaction,
  definition: EntityDefinition<Document>,
  documents: Document[],
): Promise<void> {
  const byTarget = Map.groupBy(linkFields(definition), ([, target]) => target)
  for (const [target, fields] of byTarget)
    await linkedRows(
      tx,
      target,
      documents.flatMap((document) => fields.flatMap(([field]) => idsIn(document, field))),
    )
}

/** Keeps what was read of the merges of some entities (`readMergesAhead`). */
export function keepMergesAhead(tx: Transaction, merges: Map<string, KnownMerge>): void {
  const ahead = aheadOf.get(tx)
  if (ahead) ahead.merges = merges
}

/** The merge of an entity: undefined if it was not read ahead, `{ known: undefined }` if the entity was not merged. */
export function mergeAhead(tx: object, id: string): { known: KnownMerge | undefined } | undefined {
  const merges = aheadOf.get(tx)?.merges
  return merges && { known: merges.get(id) }
}

/** The deletion times of entities of a kind, by id; null if not deleted. Entities that do not exist are missing. */
export async function linkedRows(tx: Transaction, kind: Kind, ids: string[]): Promise<Map<string, string | null>> {
  const known = aheadOf.get(tx)?.links.get(kind) ?? new Map<string, string | null | undefined>()
  const unread = [...new Set(ids)].filter((id) => !known.has(id))
  if (unread.length > 0) {
    for (const id of unread) known.set(id, undefined)
    for (let at = 0; at < unread.length; at += IDS_PER_QUERY) {
      const some = unread.slice(at, at + IDS_PER_QUERY)
      const rows = await tx.selectFrom(TABLES[kind]).select(['_id', 'deletedAt']).where(inList('_id', some)).execute()
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
