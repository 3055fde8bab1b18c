import { type Document } from '@mokuroku/contract/merge'
import { type Kysely, sql } from 'kysely'
import type { Transaction } from './db.ts'
import type { Kind, Tables } from './tables.ts'

/** Counts one entity more or less: `mediaCount`, and by type `tagCount.GENRE`, `assetCount.IMAGE`. */
export async function countOne(tx: Transaction, kind: Kind, fields: Document, by: 1 | -1): Promise<void> {
  await bump(tx, `${kind.toLowerCase()}Count`, by)
  if (kind === 'Tag' || kind === 'Asset') await bump(tx, `${kind.toLowerCase()}Count.${String(fields.type)}`, by)
}

/**
 * Counts the uses of tags that one entity of `kind` took up or gave up.
 * Rows are changed in a fixed order, so that two writers do not wait for each other.
 */
export async function countLinks(tx: Transaction, kind: Kind, added: string[], gone: string[]): Promise<void> {
  const ids = [...added, ...gone]
  if (ids.length === 0) return
  const own = kind === 'Media' ? 'mediaCount' : 'characterCount'
  const tags = await tx
    .selectFrom('tags')
    .select(['_id', 'type', 'deletedAt'])
    .where('_id', 'in', ids)
    .orderBy('_id')
    .execute()
  const uses = new Map<string, number>()
  for (const { _id, type, deletedAt } of tags) {
    const step = added.includes(_id) ? 1 : -1
    // What a tag in the trash counts comes back with it.
    if (!deletedAt) uses.set(`tagUsage.${type}`, (uses.get(`tagUsage.${type}`) ?? 0) + step)
    await tx
      .updateTable('tags')
      .set({ usageCount: sql`"usageCount" + ${step}`, [own]: sql`${sql.ref(own)} + ${step}` })
      .where('_id', '=', _id)
      .execute()
  }
  for (const name of [...uses.keys()].toSorted()) await bump(tx, name, uses.get(name) ?? 0)
}

/** The kept numbers whose names are asked for; those never counted are 0. */
export async function countersOf(db: Kysely<Tables>, names: string[]): Promise<Record<string, number>> {
  const rows = await db.selectFrom('counters').selectAll().where('name', 'in', names).execute()
  return Object.fromEntries(names.map((name) => [name, rows.find((row) => row.name === name)?.value ?? 0]))
}

/** Adds to a kept number, which begins at 0. */
export async function bump(tx: Transaction, name: string, by: number): Promise<void> {
  if (by === 0) return
  await tx
    .insertInto('counters')
    .values({ name, value: by })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: sql`"counters"."value" + ${by}` }))
    .execute()
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
  if (before) await bump(tx, `tagUsage.${before}`, -uses)
  if (after) await bump(tx, `tagUsage.${after}`, uses)
  // Coming and going is counted by countOne; here a tag only changes its type.
  if (before && after) {
    await bump(tx, `tagCount.${before}`, -1)
    await bump(tx, `tagCount.${after}`, 1)
  }
}
