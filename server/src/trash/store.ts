import { type TrashKind, TRASH_KINDS, kindOf } from '@mokuroku/contract/kinds'
import type { Document } from '@mokuroku/contract/merge'
import { reasonText } from '@mokuroku/contract/reasons'
import type { TrashQuery, TrashRow } from '@mokuroku/contract/trash'
import { type RawBuilder, sql } from 'kysely'
import type * as z from 'zod/mini'
import { db } from '#database/db.ts'
import { type Actor, checkPermission } from '#access/permissions.ts'
import { goneAt, lastGone } from '#ledger/trash.ts'
import { TABLES } from '#database/tables.ts'
import type { Row } from '#ledger/definition.ts'
import { definitionOf } from '#ledger/registry.ts'
import { titlesOf } from '#ledger/texts.ts'

/** Counting the trash stops here. */
const MAX_COUNTED_ROWS = 10_001

type List = z.output<typeof TrashQuery>
interface Place {
  kind: TrashKind
  _id: string
}

export const trash = {
  /** A page of the trash as `actor` may see it, last deleted first. */
  list: async ({ kind, page, limit }: List, actor: Actor) => {
    const seen = (kind ? [kind] : TRASH_KINDS).filter((each) => seesOf(actor, each) !== 'none')
    const offset = (page - 1) * limit
    const [found, total] = await Promise.all([
      placesOf(seen, actor, limit, offset),
      seen.length === 0 ? 0 : countOf(seen, actor),
    ])
    return { data: await shown(found, actor), pagination: { total, page, limit } }
  },

  /** Up to `limit` entities of a kind whose time in the trash is over. */
  expired: async (kind: TrashKind, limit: number): Promise<string[]> => {
    const rows = await db
      .selectFrom(TABLES[kind])
      .select('_id')
      .where('deletedAt', 'is not', null)
      .where('deletedAt', '<=', lastGone())
      .orderBy('deletedAt')
      .orderBy('_id')
      .limit(limit)
      .execute()
    return rows.map(({ _id }) => _id)
  },
}

/** Users who can restore other people's items see all of them; so do moderators, who can read every kind. */
function seesOf(actor: Actor, kind: TrashKind): 'all' | 'own' | 'none' {
  if (actor.role === 'moderator' || checkPermission(actor, 'restore', kind).allowed) return 'all'
  return kindOf(kind).adminOnly ? 'none' : 'own'
}

/** The trash of one kind, read from an index only. */
function partOf(kind: TrashKind, actor: Actor, limit: number): RawBuilder<Place & { deletedAt: string }> {
  const own = seesOf(actor, kind) === 'own' ? sql`AND "createdBy" = ${actor._id}` : sql``
  return sql`SELECT * FROM (
    SELECT ${sql.lit(kind)} AS "kind", "_id", "deletedAt" FROM ${sql.table(TABLES[kind])}
    WHERE "deletedAt" IS NOT NULL AND "deletedAt" > ${lastGone()} ${own}
    ORDER BY "deletedAt" DESC, "_id" DESC LIMIT ${sql.lit(limit)}) AS ${sql.ref(kind)}`
}

async function placesOf(kinds: TrashKind[], actor: Actor, limit: number, offset: number): Promise<Place[]> {
  if (kinds.length === 0) return []
  const parts = kinds.map((kind) => partOf(kind, actor, offset + limit))
  const { rows } = await sql<Place>`SELECT "kind", "_id" FROM (${sql.join(parts, sql` UNION ALL `)}) AS "trash"
    ORDER BY "deletedAt" DESC, "_id" DESC LIMIT ${sql.lit(limit)} OFFSET ${sql.lit(offset)}`.execute(db)
  return rows
}

async function countOf(kinds: TrashKind[], actor: Actor): Promise<number> {
  const parts = kinds.map((kind) => partOf(kind, actor, MAX_COUNTED_ROWS))
  const { rows } = await sql<{ total: number }>`SELECT COUNT(*) AS "total" FROM (
    ${sql.join(parts, sql` UNION ALL `)} LIMIT ${sql.lit(MAX_COUNTED_ROWS)}) AS "trash"`.execute(db)
  return rows[0]?.total ?? 0
}

async function shown(places: Place[], actor: Actor): Promise<TrashRow[]> {
  const ids = places.map(({ _id }) => _id)
  const [names, deleters, merged] = await Promise.all([namesOf(places), deletersOf(ids), mergedAmong(ids)])
  return places.flatMap(({ kind, _id }) => {
    const found = names.get(_id)
    if (!found) return []
    const { meta, name } = found
    const verdict = checkPermission(actor, 'restore', kind, meta.createdBy)
    return {
      kind,
      _id,
      ...name,
      deletedAt: meta.deletedAt,
      deletedBy: deleters.get(_id) ?? { _id: '', username: '' },
      goneAt: goneAt(meta.deletedAt),
      mayRestore: verdict.allowed && !merged.has(_id),
      reason: verdict.allowed ? (merged.has(_id) ? reasonText('mergedTrash') : undefined) : verdict.reason,
      mayPurge: checkPermission(actor, 'purge', kind).allowed,
    }
  })
}

/** Those of the entities that were merged into others. */
async function mergedAmong(ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db.selectFrom('merges').select('fromId').where('fromId', 'in', ids).execute()
  return new Set(rows.map(({ fromId }) => fromId))
}

/** Who last deleted each of the entities. */
async function deletersOf(ids: string[]): Promise<Map<string, TrashRow['deletedBy']>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('revisions')
    .select(['entityId', 'userId', 'username'])
    .where('entityId', 'in', ids)
    .where('action', '=', 'delete')
    .orderBy('entityId')
    .orderBy('version')
    .execute()
  return new Map(rows.map(({ entityId, userId, username }) => [entityId, { _id: userId ?? '', username }]))
}

/** The names of some entities, with one query per kind; those restored or purged meanwhile are left out. */
async function namesOf(places: Place[]) {
  const byKind = Map.groupBy(places, ({ kind }) => kind)
  const named = await Promise.all(
    [...byKind].map(async ([kind, some]) => {
      const definition = definitionOf(kind)
      const rows = (await db
        .selectFrom(TABLES[kind])
        .selectAll()
        .where(
          '_id',
          'in',
          some.map(({ _id }) => _id),
        )
        .execute()) as unknown as Row<Document>[]
      const details = await definition.inTrash?.(rows)
      return rows.flatMap((meta, at) => {
        const { deletedAt } = meta
        const name = titlesOf(kind, meta)
        return deletedAt
          ? [[meta._id, { meta: { ...meta, deletedAt }, name: { ...name, ...details?.[at] } }] as const]
          : []
      })
    }),
  )
  return new Map(named.flat())
}
