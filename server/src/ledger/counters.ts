import { type Document } from '@mokuroku/contract/merge'
import { type Kysely, sql } from 'kysely'
import { lateWrite, type Transaction } from '#database/db.ts'
import { lockRows } from '#database/locks.ts'
import type { Kind, Tables } from '#database/tables.ts'

/** Counts one entity more or less: `mediaCount`, and by type `tagCount.GENRE`, `assetCount.IMAGE`. */
export function countOne(tx: Transaction, kind: Kind, fields: Document, by: 1 | -1): void {
  bump(tx, `${kind.toLowerCase()}Count`, by)
  if (kind === 'Tag' || kind === 'Asset') bump(tx, `${kind.toLowerCase()}Count.${String(fields.type)}`, by)
}

/** The changes of the uses of a tag: by media, and by characters. */
interface Uses {
  mediaCount: number
  characterCount: number
}

const usesIn = lateWrite<Map<string, Uses>>('tagUses', () => new Map(), writeUses)

/** Counts the uses of tags that one entity of `kind` took up or gave up, at the end of the transaction. */
export function countLinks(tx: Transaction, kind: Kind, added: string[], gone: string[]): void {
  const uses = usesIn(tx)
  const own = kind === 'Media' ? 'mediaCount' : 'characterCount'
  const count = (id: string, step: number): void => {
    const known = uses.get(id) ?? { mediaCount: 0, characterCount: 0 }
    uses.set(id, { ...known, [own]: known[own] + step })
  }
  for (const id of added) count(id, 1)
  for (const id of gone) count(id, -1)
}

async function writeUses(tx: Transaction, uses: Map<string, Uses>): Promise<void> {
  const changed = [...uses].filter(([, { mediaCount, characterCount }]) => mediaCount !== 0 || characterCount !== 0)
  if (changed.length === 0) return
  const ids = changed.map(([id]) => id)
  await lockRows(
    tx,
    ids.map((id) => ({ kind: 'Tag', id })),
  )
  const tags = await tx.selectFrom('tags').select(['_id', 'type', 'deletedAt']).where('_id', 'in', ids).execute()
  for (const { _id, type, deletedAt } of tags) {
    const { mediaCount = 0, characterCount = 0 } = uses.get(_id) ?? {}
    // What a tag in the trash counts comes back with it.
    if (!deletedAt) bump(tx, `tagUsage.${type}`, mediaCount + characterCount)
  }
  for (const same of Map.groupBy(
    changed,
    ([, { mediaCount, characterCount }]) => `${mediaCount} ${characterCount}`,
  ).values()) {
    const [{ mediaCount, characterCount }] = [same[0]?.[1] ?? { mediaCount: 0, characterCount: 0 }]
    await tx
      .updateTable('tags')
      .set({
        usageCount: sql`"usageCount" + ${mediaCount + characterCount}`,
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
  const rows = await db.selectFrom('counters').selectAll().where('name', 'in', names).execute()
  return Object.fromEntries(names.map((name) => [name, rows.find((row) => row.name === name)?.value ?? 0]))
}

const addedIn = lateWrite<Map<string, number>>(
  'counters',
  () => new Map(),
  async (tx, added) => {
    const rows = [...added].filter(([, value]) => value !== 0).toSorted(([one], [two]) => (one < two ? -1 : 1))
    if (rows.length === 0) return
    await tx
      .insertInto('counters')
      .values(rows.map(([name, value]) => ({ name, value })))
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet({ value: sql`"counters"."value" + "excluded"."value"` }),
      )
      .execute()
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
