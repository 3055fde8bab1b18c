import { MAX_COUNTED_USES, type Uses } from '@mokuroku/contract/uses'
import { sql } from 'kysely'
import { countUpTo } from '#database/countUpTo.ts'
import { db } from '#database/db.ts'
import { idsFrom } from '#database/inList.ts'
import { CATALOGUE, type Kind, kindsWith } from '@mokuroku/contract/kinds'
import { TABLES } from '#database/tables.ts'
import { notFound } from '#lib/errors.ts'
import { hasAvatar } from '#ledger/assetFlags.ts'
import { linkFields } from '#ledger/fields.ts'
import { presentIds } from '#ledger/links.ts'
import { allDefinitions, definitionOf } from '#ledger/registry.ts'
import { titlesOf } from '#ledger/texts.ts'

/** How many entities that use another one are named. */
const MAX_NAMED = 10

type Named = Omit<Uses['first'][number], 'fields'>

const NAMED_KINDS = kindsWith('namedInUses')

/** The kinds whose entities link to others. */
const pointing = (): Kind[] =>
  allDefinitions()
    .filter((definition) => linkFields(definition).length > 0)
    .map(({ kind }) => kind)
    .toSorted()

/** Where an entity is used, from the links and the avatars alone. Throws 404 if it does not exist. */
export async function usesOf(usedKind: Kind, id: string): Promise<Uses> {
  if ((await presentIds(usedKind, [id])).length === 0) notFound(usedKind)
  const by = (await Promise.all(pointing().map((kind) => countsOf(id, kind)))).flat()
  const first: Uses['first'] = []
  for (const kind of NAMED_KINDS)
    if (first.length < MAX_NAMED) first.push(...(await namedUses(id, kind, MAX_NAMED - first.length)))
  if (usedKind === 'Asset') {
    const { count, named } = await avatarUses(id, MAX_NAMED - first.length)
    by.push(...count)
    first.push(...named)
  }
  return { total: by.reduce((sum, { count }) => sum + count, 0), by, first }
}

/** How many accounts have a picture as their avatar, and the first `limit` of them. */
async function avatarUses(id: string, limit: number): Promise<{ count: Uses['by']; named: Uses['first'] }> {
  const { storageKey } = await db
    .selectFrom('assets')
    .select('storageKey')
    .where('_id', '=', id)
    .executeTakeFirstOrThrow()
  const rows = await db
    .selectFrom('users')
    .select('_id')
    .where(hasAvatar(sql.val(storageKey)))
    .orderBy('_id')
    .limit(MAX_COUNTED_USES)
    .execute()
  if (rows.length === 0) return { count: [], named: [] }
  const fields = ['avatar']
  const named = await namesOf(
    'User',
    rows.slice(0, limit).map(({ _id }) => _id),
  )
  const isAtLeast = rows.length === MAX_COUNTED_USES
  return {
    count: [{ entityType: 'User', fields, count: rows.length, isAtLeast }],
    named: named.map((use) => ({ ...use, fields })),
  }
}

const linksOf = (id: string, kind: Kind) =>
  db
    .selectFrom('links')
    .select(['field', 'fromId'])
    .where('toId', '=', id)
    .where('fromKind', '=', kind)
    .limit(MAX_COUNTED_USES)

/** How many entities of a kind use `id`, and in which fields; empty if there are none. */
async function countsOf(id: string, kind: Kind): Promise<Uses['by']> {
  const fields = await db
    .selectFrom(linksOf(id, kind).as('links'))
    .select(({ fn }) => ['field', fn.countAll<number>().as('count')])
    .groupBy('field')
    .orderBy('field')
    .execute()
  const [only] = fields
  if (!only) return []
  const { count } =
    fields.length === 1
      ? only
      : await db
          .selectFrom(linksOf(id, kind).as('links'))
          .select(({ fn }) => fn.count<number>('fromId').distinct().as('count'))
          .executeTakeFirstOrThrow()
  const links = fields.reduce((sum, each) => sum + each.count, 0)
  const isAtLeast = links === MAX_COUNTED_USES
  return [{ entityType: kind, fields: fields.map(({ field }) => field), count, isAtLeast }]
}

/** The first `limit` entities of a kind that use `id`, in the order of ids, each with the fields that do. */
async function namedUses(id: string, kind: Kind, limit: number): Promise<Uses['first']> {
  const found = db.selectFrom(linksOf(id, kind).as('links')).select('fromId').distinct()
  const rows = await found.orderBy('fromId').limit(limit).execute()
  const ids = rows.map(({ fromId }) => fromId)
  if (ids.length === 0) return []
  const links = await linksOf(id, kind).where('fromId', 'in', ids).orderBy('field').execute()
  return (await namesOf(kind, ids)).map((use) => ({
    ...use,
    fields: links.filter(({ fromId }) => fromId === use.entityId).map(({ field }) => field),
  }))
}

/**
 * The first use of each of some entities of a kind, by their ids: a media item rather than a character. Reads one row
 * of the index for each entity and field, however often it is used.
 */
export async function firstUses(usedKind: Kind, ids: string[]): Promise<Map<string, Named>> {
  if (ids.length === 0) return new Map()
  const parts = NAMED_KINDS.flatMap((kind) =>
    linkFields(definitionOf(kind))
      .filter(([, target]) => target === usedKind)
      .map(
        ([field]) => sql`SELECT "id", ${sql.lit(kind)} AS "kind", (
          SELECT min("fromId") FROM "links" WHERE "toId" = "id" AND "fromKind" = ${sql.lit(kind)}
          AND "field" = ${sql.lit(field)}) AS "fromId" FROM (${idsFrom(ids)}) AS "each"`,
      ),
  )
  const { rows } = await sql<{ id: string; kind: Kind; fromId: string | null }>`
    SELECT * FROM (${sql.join(parts, sql` UNION ALL `)}) AS "first" ORDER BY "kind", "fromId" DESC`.execute(db)
  // Media come last, so they win, and among them the first.
  const firstOf = new Map(
    rows.flatMap(({ id, kind, fromId }) => (fromId === null ? [] : [[id, { id, kind, fromId }] as const])),
  )
  const uses = [...firstOf.values()]
  const names = await Promise.all(
    NAMED_KINDS.map((kind) =>
      namesOf(
        kind,
        uses.filter((use) => use.kind === kind).map(({ fromId }) => fromId),
      ),
    ),
  )
  const named = new Map(names.flat().map((use) => [use.entityId, use]))
  return new Map(
    uses.flatMap(({ id, fromId }) => {
      const use = named.get(fromId)
      return use ? [[id, use] as const] : []
    }),
  )
}

async function namesOf(entityType: Kind, ids: string[]): Promise<Named[]> {
  if (ids.length === 0) return []
  const rows = await db.selectFrom(TABLES[entityType]).selectAll().where('_id', 'in', ids).orderBy('_id').execute()
  return rows.map((row) => ({ entityType, entityId: row._id, ...titlesOf(entityType, row) }))
}

/** What an account created, changed or rated that still exists: it stays when the account is deleted. */
export async function usesOfUser(id: string): Promise<Uses> {
  const by = (await Promise.all([...CATALOGUE.toSorted().map((kind) => written(id, kind)), rated(id)])).filter(
    ({ count }) => count > 0,
  )
  return { total: by.reduce((sum, { count }) => sum + count, 0), by, first: [] }
}

/** Counts among the account's latest revisions only, since a long-time author has too many to read all. */
async function written(userId: string, entityType: Kind): Promise<Uses['by'][number]> {
  const latest = db
    .selectFrom('revisions')
    .select('entityId')
    .where('userId', '=', userId)
    .where('entityType', '=', entityType)
    .orderBy('_id', 'desc')
    .limit(MAX_COUNTED_USES)
  const table = sql.table(TABLES[entityType])
  const isThere = sql<boolean>`EXISTS (SELECT 1 FROM ${table} AS "there" WHERE "there"."_id" = "latest"."entityId" AND "there"."deletedAt" IS NULL)`
  const { all, count } = await db
    .selectFrom(latest.as('latest'))
    .select(({ fn, eb }) => [
      fn.countAll<number>().as('all'),
      fn
        .count<number>(eb.case().when(isThere).then(eb.ref('latest.entityId')).end())
        .distinct()
        .as('count'),
    ])
    .executeTakeFirstOrThrow()
  return { entityType, fields: ['updatedBy'], count, isAtLeast: all === MAX_COUNTED_USES }
}

async function rated(userId: string): Promise<Uses['by'][number]> {
  const ratings = db.selectFrom('ratings').select('mediaId').where('userId', '=', userId).where('deletedAt', 'is', null)
  const count = await countUpTo(ratings, MAX_COUNTED_USES)
  return { entityType: 'Rating', fields: ['userId'], count, isAtLeast: count === MAX_COUNTED_USES }
}
