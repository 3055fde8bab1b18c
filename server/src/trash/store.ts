import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
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
import { labelsOf, titlesOf } from '#ledger/texts.ts'
import { search } from '#store/search'

/** Counting the trash stops here. */
const MAX_COUNTED_ROWS = 10_001
/** A search looks through this many rows, the last deleted ones. */
const MAX_SEARCHED_ROWS = 10_000
/** Number of rows whose names are read at a time. */
const BATCH_SIZE = 500

type List = z.output<typeof TrashQuery>
interface Place {
  kind: TrashKind
  _id: string
}
interface Deleted extends Place {
  deletedAt: string
}
/** The part of the trash that is read: the kinds, and those of their rows that `actor` sees. */
interface Part {
  kinds: TrashKind[]
  actor: Actor
  query: Pick<List, 'deletedFrom' | 'deletedTo'>
}

export const trash = {
  /** A page of the trash as `actor` may see it, last deleted first. */
  list: async (query: List, actor: Actor) => {
    const { kind, page, limit, search: text, deletedBy } = query
    const kinds = (kind ? [kind] : TRASH_KINDS).filter((each) => seesOf(actor, each) !== 'none')
    const part = { kinds, actor, query }
    const offset = (page - 1) * limit
    if (text || deletedBy) {
      const { found, older } = await matching(part, query)
      const data = await shown(found.slice(offset, offset + limit), actor)
      return { data, pagination: { total: found.length, page, limit }, older }
    }
    const [found, total] = await Promise.all([placesOf(part, limit, offset), countOf(part)])
    return { data: await shown(found, actor), pagination: { total, page, limit } }
  },

  /** Up to `limit` entities of a kind that were deleted at `last` (an ISO timestamp) or earlier. */
  deletedUntil: async (kind: TrashKind, last: string, limit: number): Promise<string[]> => {
    const rows = await db
      .selectFrom(TABLES[kind])
      .select('_id')
      .where('deletedAt', 'is not', null)
      .where('deletedAt', '<=', last)
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
function partOf(kind: TrashKind, { actor, query }: Part, limit: number): RawBuilder<Deleted> {
  const { deletedFrom, deletedTo } = query
  const own = seesOf(actor, kind) === 'own' ? sql`AND "createdBy" = ${actor._id}` : sql``
  const from = deletedFrom ? sql`AND "deletedAt" >= ${deletedFrom}` : sql``
  const to = deletedTo ? sql`AND "deletedAt" < ${deletedTo}` : sql``
  return sql`SELECT * FROM (
    SELECT ${sql.lit(kind)} AS "kind", "_id", "deletedAt" FROM ${sql.table(TABLES[kind])}
    WHERE "deletedAt" IS NOT NULL AND "deletedAt" > ${lastGone()} ${from} ${to} ${own}
    ORDER BY "deletedAt" DESC, "_id" DESC LIMIT ${sql.lit(limit)}) AS ${sql.ref(kind)}`
}

async function placesOf(part: Part, limit: number, offset: number): Promise<Deleted[]> {
  if (part.kinds.length === 0) return []
  const parts = part.kinds.map((kind) => partOf(kind, part, offset + limit))
  const { rows } = await sql<Deleted>`SELECT "kind", "_id", "deletedAt"
    FROM (${sql.join(parts, sql` UNION ALL `)}) AS "trash"
    ORDER BY "deletedAt" DESC, "_id" DESC LIMIT ${sql.lit(limit)} OFFSET ${sql.lit(offset)}`.execute(db)
  return rows
}

async function countOf(part: Part): Promise<number> {
  if (part.kinds.length === 0) return 0
  const parts = part.kinds.map((kind) => partOf(kind, part, MAX_COUNTED_ROWS))
  const { rows } = await sql<{ total: number }>`SELECT COUNT(*) AS "total" FROM (
    ${sql.join(parts, sql` UNION ALL `)} LIMIT ${sql.lit(MAX_COUNTED_ROWS)}) AS "trash"`.execute(db)
  return rows[0]?.total ?? 0
}

/**
 * The rows of this name that this user deleted, among those deleted last. Rows have no search index while they are in
 * the trash, and who deleted them is in their versions. `older`: the end of the rows that were not searched.
 */
async function matching(part: Part, { search: text, deletedBy }: List): Promise<{ found: Place[]; older?: string }> {
  const searched = await placesOf(part, MAX_SEARCHED_ROWS + 1, 0)
  const last = searched.splice(MAX_SEARCHED_ROWS)[0]
  const holds = text ? search.holding(text) : undefined
  const found: Place[] = []
  for (let at = 0; at < searched.length; at += BATCH_SIZE) {
    const places = searched.slice(at, at + BATCH_SIZE)
    const theirs = deletedBy ? await deletedByOnly(places, deletedBy) : places
    found.push(...(holds ? await namedSo(theirs, holds) : theirs))
    // Let waiting requests run in between.
    await yieldToEventLoop()
  }
  // Rows of the same millisecond as the next one are searched again.
  return { found, ...(last && { older: new Date(Date.parse(last.deletedAt) + 1).toISOString() }) }
}

async function deletedByOnly(places: Place[], userId: string): Promise<Place[]> {
  const deleters = await deletersOf(places.map(({ _id }) => _id))
  return places.filter(({ _id }) => deleters.get(_id)?._id === userId)
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

/** Those with a name that meets `holds`: of users, this is never the email address, which not all may know. */
async function namedSo(places: Place[], holds: (compact: string) => boolean): Promise<Place[]> {
  const names = await namesOf(places)
  return places.filter(({ kind, _id }) => {
    const found = names.get(_id)
    if (!found) return false
    const { title, translations = {} } = found.name
    const labels = kindOf(kind).texts ? labelsOf(definitionOf(kind), found.meta).map(({ text }) => text) : []
    const texts = new Set([title, ...Object.values(translations).map(({ name }) => name), ...labels])
    return [...texts].some((text) => search.spellings(text).some(holds))
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
