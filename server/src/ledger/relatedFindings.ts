// Findings that depend on other entities: what is likely the same as another (`duplicate`), and what links to an asset that
// is not there (`brokenLink`). A write settles those of the others, too, at the end of its transaction.
import { isRelatedFinding, RELATED_FINDINGS } from '@mokuroku/contract/findings'
import type { DuplicateKeys } from '@mokuroku/contract/findings/duplicate'
import type { Rules } from '@mokuroku/contract/findings/checks'
import { TRANSLATED_KINDS, type Translated } from '@mokuroku/contract/kinds'
import type { Document } from '@mokuroku/contract/merge'
import { isDeepStrictEqual } from 'node:util'
import { type Kysely, sql } from 'kysely'
import { oneOf } from '#database/oneOf.ts'
import { lateWrite, oneAtATime, oneOfEachAtATime, type Transaction } from '#database/db.ts'
import { together } from '#database/executor.ts'
import { type Asked, compilable, statement } from '#database/statement.ts'
import type { Tables } from '#database/tables.ts'
import { sendCounters } from './counters.ts'
import { idsIn } from './fields.ts'
import { type CheckedEntity, type Derivation, type EntityFinding, withoutDismissed } from './findingRows.ts'
import { rulesIn, storedOf, writeFindings } from './findingStore.ts'
import { linkFields } from './fields.ts'
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
  wantedKeys,
  writeKeys,
} from './titleKeys.ts'

/** So many entities are settled together. */
const CHUNK = 1000

/** An entity whose findings are to be settled. */
interface Related {
  id: string
  kind: Translated
  likely: DuplicateKeys
}
/** What is stored of entities. */
type Stored = [keys: TitleKey[], dismissals: Tables['dismissals'][]]

interface Pending {
  entities: Map<string, Related>
  /** Of the only one so far, asked for as soon as it is named: most transactions write no other. */
  ahead?: Promise<Stored> | undefined
  /** Assets that came, went or failed. */
  assets: Set<string>
  /** Assets that entities link to now and did not before, or the other way round. */
  relinked: Set<string>
}

const pendingIn = lateWrite<Pending>(
  'relatedFindings',
  () => ({ entities: new Map(), assets: new Set(), relinked: new Set() }),
  settle,
)

/** Settles the findings of entities that depend on others, and of these others, where a write may have changed them. */
export function relate(tx: Transaction, kind: Translated, writes: Derivation[]): void {
  for (const { id, before, after } of writes) {
    const [was, is] = [dependenciesOf(kind, before), dependenciesOf(kind, after)]
    if (isDeepStrictEqual(was, is)) continue
    add(tx, [{ id, kind, likely: is.likely }])
    for (const [one, other] of [
      [was, is],
      [is, was],
    ] as const)
      for (const asset of one.assets) if (!other.assets.includes(asset)) pendingIn(tx).relinked.add(asset)
  }
}

/** As `relate`, whether a write has changed them or not. */
export const relateAgain = (tx: Transaction, kind: Translated, entities: CheckedEntity[]): void =>
  add(
    tx,
    entities.map(({ id, document }) => ({ id, kind, likely: likelyOf(kind, document) })),
  )

function add(tx: Transaction, entities: Related[]): void {
  const [only] = entities
  if (!only) return
  const pending = pendingIn(tx)
  pending.ahead = pending.entities.size === 0 && entities.length === 1 ? storedOfAll(tx, [only.id]) : undefined
  pending.ahead?.catch(() => undefined)
  for (const each of entities) pending.entities.set(each.id, each)
}

const storedOfAll = (tx: Transaction, ids: string[]): Promise<Stored> =>
  ids.length === 0 ? Promise.resolve([[], []]) : together(storedKeys(tx, ids), storedOf(tx, 'dismissals', ids))

/** Settles the findings of what links to an asset that came, went or failed. */
export const relateAsset = (tx: Transaction, id: string): void => void pendingIn(tx).assets.add(id)

/** What of a document these findings depend on. */
const dependenciesOf = (kind: Translated, document: Document | undefined) => ({
  likely: likelyOf(kind, document),
  assets: linkFields(definitionOf(kind)).flatMap(([field, to]) =>
    document && to === 'Asset' ? idsIn(document, field) : [],
  ),
})

/**
 * Two writers come one after the other where both change whether they meet, by a title or by an asset. Who meets nobody
 * and has nothing stored is done: whoever comes to meet them later writes for both. Of all others there is one at a time,
 * and what is there is read again: those they meet may have a title in common with a third.
 */
async function settle(tx: Transaction, { entities, ahead, assets, relinked }: Pending): Promise<void> {
  const own = [...entities.keys()]
  const [stored, dismissals] = await (ahead ?? storedOfAll(tx, own))
  const changes = keyChanges(stored, wantedKeys([...entities.values()], dismissals))
  const keys = [...changes.gone, ...changes.added].map(({ key }) => key)
  const locking = oneOfEachAtATime(tx, 'related findings', [...keys, ...relinked, ...assets])
  writeKeys(tx, changes)
  // Most transactions count nothing after this.
  await sendCounters(tx)
  const [, near, users, hasOwn] = await together(
    locking,
    neighboursAt(tx, [...stored, ...changes.added]),
    usersOf(tx, assets),
    hasRelated(tx, own),
  )
  const others = [...near.flatMap((each) => each.near), ...users]
  if (others.length === 0 && !hasOwn) return
  await oneAtATime(tx, 'related findings')
  const [affected, rules] = [[...new Set([...own, ...others])], await rulesIn(tx)]
  for (let at = 0; at < affected.length; at += CHUNK) await refresh(tx, affected.slice(at, at + CHUNK), rules)
}

/** Whether entities have a finding of this sort, are stored as part of a pair, or link to what is not there. */
async function hasRelated(tx: Transaction, ids: string[]): Promise<boolean> {
  if (ids.length === 0) return false
  const [row] = await anyRelated(tx, ids)
  return Boolean(row?.has)
}

const anyRelated = statement((from, ids: string[]) =>
  compilable<{ has: boolean | number }>(
    from,
    sql`SELECT EXISTS ${from.selectFrom('findings').select('code').where(oneOf('entityId', ids)).where('code', 'in', RELATED_FINDINGS)}
      OR EXISTS ${from.selectFrom('duplicatePairs').select('first').where(oneOf('first', ids))}
      OR EXISTS ${from.selectFrom('duplicatePairs').select('first').where(oneOf('second', ids))}
      OR EXISTS ${brokenAmong(from, ids)} AS "has"`,
  ),
)

/** Makes the stored findings of this sort what they should be. */
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
  const wanted = withoutDismissed(found, dismissals)
  await writeFindings(
    tx,
    stored.filter(({ code }) => isRelatedFinding(code)),
    wanted,
  )
  await writePairs(tx, storedOnes, pairs)
}

/** The findings of entities that hang on others by the rules; those of `brokenLink` whether dismissed or not. */
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

/** Links of entities to assets that are in the trash, or gone, or whose file could not be processed. */
export async function brokenLinks(tx: Kysely<Tables>, ids: string[]) {
  const rows = await brokenFrom(tx, ids)
  return rows.toSorted((one, other) => (`${one.field} ${one.toId}` < `${other.field} ${other.toId}` ? -1 : 1))
}

const brokenFrom = statement((from, ids: string[]) => brokenAmong(from, ids))

const brokenAmong = (from: Asked, ids: string[]) =>
  from
    .selectFrom('links')
    .leftJoin('assets', 'assets._id', 'links.toId')
    .select(['fromKind', 'fromId', 'field', 'toId', 'assets._id', 'assets.filename', 'assets.deletedAt'])
    .where(oneOf('fromId', ids))
    .where('toKind', '=', 'Asset')
    .where('fromKind', 'in', TRANSLATED_KINDS)
    .where((column) =>
      column.or([
        column('assets._id', 'is', null),
        column('assets.deletedAt', 'is not', null),
        column('assets.status', '=', 'ERROR'),
      ]),
    )

/** The broken links of an entity are one finding. */
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

/** What with texts links to these assets. */
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
