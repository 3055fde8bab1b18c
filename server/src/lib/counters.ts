import { type Kysely, sql, type Transaction } from 'kysely'
import { type Document } from './merge.ts'
import type { Kind, Tables } from './tables.ts'

type Tx = Transaction<Tables>

/** Counts one entity more or less: `mediaCount`, and for a tag `tagCount.GENRE`. */
export async function countOne(tx: Tx, kind: Kind, fields: Document, by: 1 | -1): Promise<void> {
  await bump(tx, `${kind.toLowerCase()}Count`, by)
  if (kind === 'Tag') await bump(tx, `tagCount.${String(fields.type)}`, by)
}

/** Counts the uses of tags that one entity of `kind` took up or gave up. */
export async function countLinks(tx: Tx, kind: Kind, added: string[], gone: string[]): Promise<void> {
  const own = kind === 'Media' ? 'mediaCount' : 'characterCount'
  for (const [ids, step] of [
    [added, 1],
    [gone, -1],
  ] as const) {
    if (ids.length === 0) continue
    // In a fixed order, so that two writers cannot wait for each other.
    const tags = await tx.selectFrom('tags').select(['_id', 'type']).where('_id', 'in', ids).orderBy('_id').execute()
    for (const { _id, type } of tags) {
      await tx
        .updateTable('tags')
        .set({ usageCount: sql`"usageCount" + ${step}`, [own]: sql`${sql.ref(own)} + ${step}` })
        .where('_id', '=', _id)
        .execute()
      await bump(tx, `tagUsage.${type}`, step)
    }
  }
}

/** The kept numbers whose names are asked for; those never counted are 0. */
export async function countersOf(db: Kysely<Tables>, names: string[]): Promise<Record<string, number>> {
  const rows = await db.selectFrom('counters').selectAll().where('name', 'in', names).execute()
  return Object.fromEntries(names.map((name) => [name, rows.find((row) => row.name === name)?.value ?? 0]))
}

async function bump(tx: Tx, name: string, by: number): Promise<void> {
  await tx
    .insertInto('counters')
    .values({ name, value: by })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: sql`"counters"."value" + ${by}` }))
    .execute()
}
