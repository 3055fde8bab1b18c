import { type Kind, kindOf } from '@mokuroku/contract/kinds'
import type { Document } from '@mokuroku/contract/merge'
import { type Kysely, sql } from 'kysely'
import { oneOf } from '#database/oneOf.ts'
import { lateWrite, send, type Transaction } from '#database/db.ts'
import { statement } from '#database/statement.ts'
import { lockRows } from '#database/locks.ts'
import type { Tables } from '#database/tables.ts'

/** Where the number of entities of a kind is kept. */
export const totalCounter = (kind: Kind): string => `${kind.toLowerCase()}Count`

/** Counts one entity more or less: `mediaCount`, and by type `tagCount.GENRE`, `assetCount.IMAGE`. */
export function countOne(tx: Transaction, kind: Kind, fields: Document, by: 1 | -1): void {
  const name = totalCounter(kind)
  const { countedBy } = kindOf(kind)
  bump(tx, name, by)
  if (countedBy) bump(tx, `${name}.${String(fields[countedBy])}`, by)
}

/** The uses of a tag: all, and those by the kinds that have a number of their own. */
export const NO_USES = { usageCount: 0, mediaCount: 0, characterCount: 0 }
export type TagUses = typeof NO_USES

const usesIn = lateWrite<Map<string, TagUses>>('tagUses', () => new Map(), writeUses)

/** Counts the uses of tags that one entity of `kind` took up or gave up, at the end of the transaction. */
export function countLinks(tx: Transaction, kind: Kind, added: string[], gone: string[]): void {
  // A tag below another is no use of it.
  if (kind === 'Tag') return
  const uses = usesIn(tx)
  for (const id of added) uses.set(id, addUses(uses.get(id), kind, 1))
  for (const id of gone) uses.set(id, addUses(uses.get(id), kind, -1))
}

/** The uses with so many more by entities of a kind. */
export function addUses(uses: TagUses = NO_USES, kind: Kind, count: number): TagUses {
  const { tagCounter } = kindOf(kind)
  const sum = { ...uses, usageCount: uses.usageCount + count }
  return tagCounter ? { ...sum, [tagCounter]: uses[tagCounter] + count } : sum
}

async function writeUses(tx: Transaction, uses: Map<string, TagUses>): Promise<void> {
  const changed = [...uses].filter(([, counts]) => Object.values(counts).some((count) => count !== 0))
  if (changed.length === 0) return
  const ids = changed.map(([id]) => id)
  await lockRows(
    tx,
    ids.map((id) => ({ kind: 'Tag', id })),
  )
  const tags = await tx.selectFrom('tags').select(['_id', 'type', 'deletedAt']).where(oneOf('_id', ids)).execute()
  for (const { _id, type, deletedAt } of tags)
    // What a tag in the trash counts comes back with it.
    if (!deletedAt) bump(tx, `tagUsage.${type}`, uses.get(_id)?.usageCount ?? 0)
  for (const same of Map.groupBy(changed, ([, counts]) => JSON.stringify(counts)).values()) {
    const [, { usageCount, mediaCount, characterCount }] = same[0] ?? ['', NO_USES]
    await tx
      .updateTable('tags')
      .set({
        usageCount: sql`"usageCount" + ${usageCount}`,
        mediaCount: sql`"mediaCount" + ${mediaCount}`,
        characterCount: sql`"characterCount" + ${characterCount}`,
      })
      .where(
        '_id',
        'in',
        same.map(([id]) => id),
      )
      .execute()
  }
}

/** The kept numbers whose names are asked for; those never counted are 0. */
export async function countersOf(db: Kysely<Tables>, names: string[]): Promise<Record<string, number>> {
  const rows = await countersNamed(db, names)
  return Object.fromEntries(names.map((name) => [name, rows.find((row) => row.name === name)?.value ?? 0]))
}

const countersNamed = statement((from, names: string[]) =>
  from.selectFrom('counters').selectAll().where(oneOf('name', names)),
)

const addedIn = lateWrite<Map<string, number>>(
  'counters',
  () => new Map(),
  async (tx, added) => {
    const rows = [...added].filter(([, value]) => value !== 0).toSorted(([one], [two]) => (one < two ? -1 : 1))
    if (rows.length === 0) return
    send(
      tx,
      tx
        .insertInto('counters')
        .values(rows.map(([name, value]) => ({ name, value })))
        .onConflict((conflict) =>
          conflict.column('name').doUpdateSet({ value: sql`"counters"."value" + "excluded"."value"` }),
        ),
    )
  },
)

/** Adds to a kept number, which begins at 0, at the end of the transaction. */
export function bump(tx: Transaction, name: string, by: number): void {
  const added = addedIn(tx)
  added.set(name, (added.get(name) ?? 0) + by)
}

/** Sets a kept number, whatever it was. */
export async function setCounter(tx: Transaction, name: string, value: number): Promise<void> {
  await tx
    .insertInto('counters')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/** Moves the uses of a tag to where its type now counts; an absent type is a tag that is not there. */
export async function recountTag(
  tx: Transaction,
  id: string,
  before: string | undefined,
  after: string | undefined,
): Promise<void> {
  if (before === after) return
  const tag = await tx.selectFrom('tags').select('usageCount').where('_id', '=', id).executeTakeFirst()
  const uses = tag?.usageCount ?? 0
  if (before) bump(tx, `tagUsage.${before}`, -uses)
  if (after) bump(tx, `tagUsage.${after}`, uses)
  // Coming and going is counted by countOne; here a tag only changes its type.
  if (before && after) {
    bump(tx, `tagCount.${before}`, -1)
    bump(tx, `tagCount.${after}`, 1)
  }
}
