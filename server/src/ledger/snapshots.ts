// Stores the documents of revisions: a full snapshot every so often, and deltas to the previous version in between. So
// an edit only stores what it changed, and not all languages of an entity.
import { kindOf, type Kind } from '@mokuroku/contract/kinds'
import type { Document } from '@mokuroku/contract/merge'
import { sql } from 'kysely'
import { inList } from '#database/inList.ts'
import type { Reader, Transaction } from '#database/db.ts'
import { areDeltasSupported } from '#database/formats.ts'
import { statement } from '#database/statement.ts'
import type { Tables } from '#database/tables.ts'
import { deltaOf, withDelta } from './deltas.ts'

/** The maximum number of rows that a snapshot is assembled from. */
const MAX_LINKS = 20

type Stored = Pick<Tables['revisions'], 'snapshot' | 'delta'>
/** A row that a snapshot is assembled from. */
type Link = Stored & Pick<Tables['revisions'], 'version'>
type Json = Parameters<typeof deltaOf>[0]

/** The rows from the last full snapshot up to each wanted revision, in the order of their versions. */
const linksOf = (from: Reader) =>
  from
    .selectFrom('revisions as wanted')
    .innerJoin('revisions as link', (join) =>
      join.onRef('link.entityId', '=', 'wanted.entityId').onRef('link.version', '<=', 'wanted.version'),
    )
    .where('link.version', '>=', (of) =>
      of
        .selectFrom('revisions as whole')
        .select(({ fn }) => fn.max<number>('whole.version').as('version'))
        .whereRef('whole.entityId', '=', 'wanted.entityId')
        .whereRef('whole.version', '<=', 'wanted.version')
        .where('whole.delta', 'is', null),
    )
    .select(['wanted._id', 'link.version', 'link.snapshot', 'link.delta'])
    .orderBy('link.version')

const linksAt = statement((from, id: string, version: number) =>
  linksOf(from).where('wanted.entityId', '=', id).where('wanted.version', '=', version),
)

/** The fields of an entity at a version; undefined if that version is not stored, or one that it builds on. */
export async function snapshotAt(tx: Transaction, entityId: string, version: number): Promise<Document | undefined> {
  return joined(await linksAt(tx, entityId, version))
}

/** The snapshots of revisions, by their ids, without those that `snapshotAt` does not know either. */
export async function snapshotsOf(from: Reader, ids: string[]): Promise<Map<string, Document>> {
  if (ids.length === 0) return new Map()
  const links = await linksOf(from).where('wanted._id', 'in', ids).execute()
  const byRevision = Map.groupBy(links, ({ _id }) => _id)
  return new Map(
    [...byRevision].flatMap(([id, each]) => {
      const snapshot = joined(each)
      return snapshot ? [[id, snapshot] as const] : []
    }),
  )
}

/** The size of the largest snapshot of each entity, in bytes. */
export async function snapshotBytes(from: Reader, entityIds: string[]): Promise<Map<string, number>> {
  const rows = await from
    .selectFrom('revisions')
    .select(['entityId', sql<number>`max(octet_length("snapshot"))`.as('bytes')])
    .where(inList('entityId', entityIds))
    .groupBy('entityId')
    .execute()
  return new Map(rows.map(({ entityId, bytes }) => [entityId, bytes]))
}

// Entities without texts are small, and assets/fileDeletion.ts reads their snapshots directly.
const storesDeltas = (kind: Kind): boolean => areDeltasSupported() && kindOf(kind).texts !== undefined

const lastLinks = statement((from, id: string) =>
  from
    .selectFrom('revisions')
    .where('entityId', '=', id)
    .where('version', '>=', (of) =>
      of
        .selectFrom('revisions as whole')
        .select(({ fn }) => fn.max<number>('whole.version').as('version'))
        .where('whole.entityId', '=', id)
        .where('whole.delta', 'is', null),
    )
    .select(['version', 'snapshot', 'delta'])
    .orderBy('version'),
)

const aheadOf = new WeakMap<Transaction, Map<string, ReturnType<typeof lastLinks>>>()

/** Reads the last version of an entity, which `storedAs` will compare with the next. */
export async function readLastVersionAhead(tx: Transaction, kind: Kind, id: string): Promise<void> {
  if (!storesDeltas(kind)) return
  const links = lastLinks(tx, id)
  aheadOf.set(tx, (aheadOf.get(tx) ?? new Map<string, typeof links>()).set(id, links))
  await links
}

/** What to store of a snapshot: a delta to the previous version if that is much smaller, otherwise all of it. */
export async function storedAs(
  tx: Transaction,
  { kind, id, version }: { kind: Kind; id: string; version: number },
  snapshot: Document,
): Promise<Stored> {
  const whole = { snapshot, delta: null }
  if (!storesDeltas(kind) || version === 1) return whole
  const ahead = await aheadOf.get(tx)?.get(id)
  aheadOf.get(tx)?.delete(id)
  const links = ahead?.at(-1)?.version === version - 1 ? ahead : await linksAt(tx, id, version - 1)
  const before = links.length < MAX_LINKS ? (joined(links) as Json | undefined) : undefined
  if (before === undefined) return whole
  const text = JSON.stringify(snapshot)
  const delta = deltaOf(before, JSON.parse(text) as Json)
  const isMuchLess = JSON.stringify(delta).length < text.length / 2
  return isMuchLess && JSON.stringify(withDelta(before, delta)) === text ? { snapshot: '' as never, delta } : whole
}

/**
 * The document that a full snapshot and the deltas after it result in. Undefined if there is none, if versions are
 * missing in between, as while a partition is detached (the deltas after them would result in another document), or if
 * a damaged delta cannot be applied: the entity can still be saved, and `verify` reports it.
 */
function joined([whole, ...others]: Link[]): Document | undefined {
  if (!whole || others.some(({ version }, at) => version !== whole.version + at + 1)) return undefined
  return others.reduce<Document | undefined>((before, link) => documentOf(link, before), whole.snapshot)
}

/** The document of a revision, given that of the version before. Undefined if it cannot be read. */
export function documentOf({ snapshot, delta }: Stored, before: Document | undefined): Document | undefined {
  if (!delta) return snapshot
  try {
    return before && withDelta(before as Json, delta)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}
