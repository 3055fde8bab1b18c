// Findings that depend on other entities: likely duplicates (`duplicate`), and links to missing assets (`brokenLink`).
// A write also updates those of the other entities, at the end of its transaction.
import { isRelatedFinding, RELATED_FINDINGS } from '@mokuroku/contract/findings'
import type { DuplicateKeys } from '@mokuroku/contract/findings/duplicate'
import type { Rules } from '@mokuroku/contract/findings/checks'
import { TRANSLATED_KINDS, type Translated } from '@mokuroku/contract/kinds'
import type { Document } from '@mokuroku/contract/merge'
import { isDeepStrictEqual } from 'node:util'
import { type Kysely, sql } from 'kysely'
import { inList } from '#database/inList.ts'
import { lateWrite, advisoryLock, advisoryLocks, type Transaction } from '#database/db.ts'
import { together } from '#database/executor.ts'
import { type Executor, compilable, statement } from '#database/statement.ts'
import type { Tables } from '#database/tables.ts'
import { sendCounters } from './counters.ts'
import { idsIn, linkFields } from './fields.ts'
import { type CheckedEntity, type Derivation, type EntityFinding, withoutDismissed } from './findingRows.ts'
import { rulesIn, storedOf, writeFindings } from './findingStore.ts'
import { definitionOf } from './registry.ts'
import { pairsOf, storedPairs, writePairs } from './duplicatePairs.ts'
import {
  keyChanges,
  likelyOf,
  type Neighbours,
  neighboursAt,
  neighboursOf,
  storedKeys,
  textOfKeys,
  type TitleKey,
  expectedKeys,
  writeKeys,
} from './titleKeys.ts'

/** How many entities are updated together. */
const CHUNK_SIZE = 1000

/** An entity whose findings are to be updated. */
interface Related {
  id: string
  kind: Translated
  likely: DuplicateKeys
}
/** What is stored for entities. */
type Stored = [keys: TitleKey[], dismissals: Tables['dismissals'][]]

interface Pending {
  entities: Map<string, Related>
  /** What is stored for the first entity that is about to be written: most transactions write only one. */
  ahead?: { id: string; stored: Promise<Stored> } | undefined
  /** Whether all findings of the entities are updated, not only those that their changed titles and assets affect. */
  again: boolean
  /** Assets that were created, deleted or restored, or failed. */
  assets: Set<string>
  /** Assets that a field of an entity has started or stopped linking to. */
  relinked: Set<string>
}

const pendingIn = lateWrite<Pending>(
  'relatedFindings',
  () => ({ entities: new Map(), again: false, assets: new Set(), relinked: new Set() }),
  settle,
)

/**
 * Updates the findings that depend on other entities, for the written entities and the others, where a write may have
 * changed them.
 */
export function relate(tx: Transaction, kind: Translated, writes: Derivation[]): void {
  for (const { id, before, after } of writes) {
    const [was, is] = [dependenciesOf(kind, before), dependenciesOf(kind, after)]
    if (isDeepStrictEqual(was, is)) continue
    add(tx, [{ id, kind, likely: is.likely }])
    for (const [one, other] of [
      [was, is],
      [is, was],
    ] as const)
      for (const { field, asset } of one.assets)
        if (!other.assets.some((each) => each.field === field && each.asset === asset))
          pendingIn(tx).relinked.add(asset)
  }
}

/** Like `relate`, whether or not a write has changed them. */
export function relateAgain(tx: Transaction, kind: Translated, entities: CheckedEntity[]): void {
  if (entities.length > 0) pendingIn(tx).again = true
  add(
    tx,
    entities.map(({ id, document }) => ({ id, kind, likely: likelyOf(kind, document) })),
  )
}

function add(tx: Transaction, entities: Related[]): void {
  const [only] = entities
  if (!only) return
  const { entities: known } = pendingIn(tx)
  if (known.size === 0 && entities.length === 1) void readRelatedAhead(tx, only.id).catch(() => undefined)
  for (const each of entities) known.set(each.id, each)
}

/** Reads what is stored for an entity that is about to be written, if it is the first. */
export async function readRelatedAhead(tx: Transaction, id: string): Promise<void> {
  const pending = pendingIn(tx)
  if (pending.entities.size > 0) return
  if (pending.ahead?.id !== id) pending.ahead = { id, stored: storedOfAll(tx, [id]) }
  await pending.ahead.stored
}

const storedOfAll = (tx: Transaction, ids: string[]): Promise<Stored> =>
  ids.length === 0 ? Promise.resolve([[], []]) : together(storedKeys(tx, ids), storedOf(tx, 'dismissals', ids))

/** Updates the findings of all entities that link to an asset that was created, deleted or restored, or failed. */
export const relateAsset = (tx: Transaction, id: string): void => void pendingIn(tx).assets.add(id)

/** The parts of a document that these findings depend on. */
const dependenciesOf = (kind: Translated, document: Document | undefined) => ({
  likely: likelyOf(kind, document),
  assets: linkFields(definitionOf(kind)).flatMap(([field, to]) =>
    document && to === 'Asset' ? idsIn(document, field).map((asset) => ({ field, asset })) : [],
  ),
})

/**
 * Writers that change the same title key or asset wait for each other. A write of one entity that changes no link to an
 * asset, and no key that another entity has, is done then: a later writer that becomes a neighbour writes for both. If
 * several entities or a link changed, nothing may be near, broken or stored. All others continue one at a time under a
 * global lock, and read the current state again: their neighbours may share a title with a third entity.
 */
async function settle(tx: Transaction, { entities, ahead, again, assets, relinked }: Pending): Promise<void> {
  if (entities.size + assets.size + relinked.size === 0) return
  const own = [...entities.keys()]
  const isAhead = own.length === 1 && own[0] === ahead?.id
  const [stored, dismissals] = await ((isAhead && ahead?.stored) || storedOfAll(tx, own))
  const changes = keyChanges(stored, expectedKeys([...entities.values()], dismissals))
  const changed = [...changes.removed, ...changes.added]
  const locking = advisoryLocks(tx, 'related findings', [...changed.map(({ key }) => key), ...relinked, ...assets])
  writeKeys(tx, changes)
  // Most transactions count nothing after this.
  await sendCounters(tx)
  // Of several entities, each may have been the only neighbour of another, by a key that none of them has any longer.
  const isNarrow = own.length === 1 && !again && assets.size + relinked.size === 0
  const [, near, users, hasOwn] = await together(
    locking,
    neighboursAt(tx, isNarrow ? changed : [...stored, ...changes.added]),
    usersOf(tx, assets),
    isNarrow ? Promise.resolve(false) : hasRelated(tx, own),
  )
  if (near.every((each) => each.near.length === 0) && users.length === 0 && !hasOwn) return
  await advisoryLock(tx, 'related findings')
  const [affected, rules] = [new Set([...own, ...near.flatMap((each) => each.near)]), await rulesIn(tx)]
  for (const ids of chunksOf([...affected])) await refresh(tx, ids, rules)
  // An asset changes nothing about duplicates, and may have very many users.
  for (const ids of chunksOf(users.filter((id) => !affected.has(id)))) await refreshBroken(tx, ids, rules)
}

const chunksOf = (ids: string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / CHUNK_SIZE) }, (_, at) =>
    ids.slice(at * CHUNK_SIZE, (at + 1) * CHUNK_SIZE),
  )

/** Whether any of the entities has such a finding, is part of a stored pair, or has a broken link. */
async function hasRelated(tx: Transaction, ids: string[]): Promise<boolean> {
  if (ids.length === 0) return false
  const [row] = await anyRelated(tx, ids)
  return Boolean(row?.has)
}

const anyRelated = statement((from, ids: string[]) =>
  compilable<{ has: boolean | number }>(
    from,
    sql`SELECT EXISTS ${from.selectFrom('findings').select('code').where(inList('entityId', ids)).where('code', 'in', RELATED_FINDINGS)}
      OR EXISTS ${from.selectFrom('duplicatePairs').select('first').where(inList('first', ids))}
      OR EXISTS ${from.selectFrom('duplicatePairs').select('first').where(inList('second', ids))}
      OR EXISTS ${brokenAmong(from, ids)} AS "has"`,
  ),
)

/** Recomputes the stored findings of this type, and the pairs. */
async function refresh(tx: Transaction, ids: string[], { codes }: Rules): Promise<void> {
  const [near, dismissals, stored, storedOnes, broken] = await together(
    neighboursOf(tx, ids),
    storedOf(tx, 'dismissals', ids),
    storedOf(tx, 'findings', ids),
    storedPairs(tx, ids),
    codes.includes('brokenLink') ? brokenLinksIn(tx, ids) : Promise.resolve([]),
  )
  const isAsked = codes.includes('duplicate')
  const [found, pairs] = isAsked ? [[...(await duplicatesIn(tx, near)), ...broken], pairsOf(near)] : [broken, []]
  const expected = withoutDismissed(found, dismissals)
  await writeFindings(
    tx,
    stored.filter(({ code }) => isRelatedFinding(code)),
    expected,
  )
  await writePairs(tx, storedOnes, pairs)
}

/** Recomputes only the stored findings about links to assets. */
async function refreshBroken(tx: Transaction, ids: string[], { codes }: Rules): Promise<void> {
  const [dismissals, stored, broken] = await together(
    storedOf(tx, 'dismissals', ids),
    storedOf(tx, 'findings', ids),
    codes.includes('brokenLink') ? brokenLinksIn(tx, ids) : Promise.resolve([]),
  )
  await writeFindings(
    tx,
    stored.filter(({ code }) => code === 'brokenLink'),
    withoutDismissed(broken, dismissals),
  )
}

/** The findings of entities that depend on other entities. Dismissed `brokenLink` findings are included. */
export async function relatedFindings(
  tx: Kysely<Tables>,
  ids: string[],
  { codes }: Pick<Rules, 'codes'> = { codes: RELATED_FINDINGS },
): Promise<(EntityFinding & { entityType: Translated })[]> {
  if (ids.length === 0) return []
  const [duplicates, broken] = await together(
    codes.includes('duplicate') ? neighboursOf(tx, ids).then((near) => duplicatesIn(tx, near)) : Promise.resolve([]),
    codes.includes('brokenLink') ? brokenLinksIn(tx, ids) : Promise.resolve([]),
  )
  return [...duplicates, ...broken]
}

async function duplicatesIn(tx: Kysely<Tables>, near: Neighbours[]) {
  const kinds = new Map(near.map(({ id, kind }) => [id, kind]))
  if (kinds.size === 0) return []
  const keys = Map.groupBy(await storedKeys(tx, [...kinds.keys()]), ({ entityId }) => entityId)
  return Array.from(kinds, ([entityId, entityType]) => {
    const text = textOfKeys(keys.get(entityId) ?? [])
    return { entityId, entityType, code: 'duplicate' as const, language: '', field: '', text }
  })
}

/** Links of entities to assets that are in the trash, do not exist, or whose file could not be processed. */
export async function brokenLinks(tx: Kysely<Tables>, ids: string[]) {
  const rows = await brokenFrom(tx, ids)
  return rows.toSorted((one, other) => (`${one.field} ${one.toId}` < `${other.field} ${other.toId}` ? -1 : 1))
}

const brokenFrom = statement((from, ids: string[]) => brokenAmong(from, ids))

const brokenAmong = (from: Executor, ids: string[]) =>
  from
    .selectFrom('links')
    .leftJoin('assets', 'assets._id', 'links.toId')
    .select(['fromKind', 'fromId', 'field', 'toId', 'assets._id', 'assets.filename', 'assets.deletedAt'])
    .where(inList('fromId', ids))
    .where('toKind', '=', 'Asset')
    .where('fromKind', 'in', TRANSLATED_KINDS)
    .where((column) =>
      column.or([
        column('assets._id', 'is', null),
        column('assets.deletedAt', 'is not', null),
        column('assets.status', '=', 'ERROR'),
      ]),
    )

/** One finding per entity for all its broken links. */
async function brokenLinksIn(tx: Kysely<Tables>, ids: string[]) {
  const rows = await brokenLinks(tx, ids)
  return [...Map.groupBy(rows, ({ fromId }) => fromId).values()].flatMap((links) => {
    const shown = links.find(({ field }) => field === 'cover') ?? links[0]
    if (!shown) return []
    const { fromId: entityId, fromKind, field } = shown
    const text = links
      .map(({ toId }) => toId)
      .toSorted()
      .join('\n')
    return [{ entityId, entityType: fromKind as Translated, code: 'brokenLink' as const, language: '', field, text }]
  })
}

/** The entities with texts that link to these assets. */
async function usersOf(tx: Transaction, assets: Set<string>): Promise<string[]> {
  if (assets.size === 0) return []
  const rows = await tx
    .selectFrom('links')
    .select('fromId')
    .distinct()
    .where('toId', 'in', [...assets])
    .where('fromKind', 'in', TRANSLATED_KINDS)
    .execute()
  return rows.map(({ fromId }) => fromId)
}
