// Merges one entity into another: its fields and dependents move to the other, links to it are redirected, and it goes
// to the trash.
import { MAX_NAMES } from '@mokuroku/contract/common'
import { fieldError } from '@mokuroku/contract/faults'
import { kindOf, type Translated } from '@mokuroku/contract/kinds'
import { changedPaths, type Document, getPath, isBlank, withPaths } from '@mokuroku/contract/merge'
import { MAX_MERGED_USES, type MergeInput } from '@mokuroku/contract/merges'
import { reasonText } from '@mokuroku/contract/reasons'
import type { Transaction } from '#database/db.ts'
import { eachTogether } from '#database/executor.ts'
import { lockRows } from '#database/locks.ts'
import type { Tables } from '#database/tables.ts'
import { invalid, Refusal } from '#lib/errors.ts'
import { now } from '#lib/clock.ts'
import { seenBefore } from './conflict.ts'
import type { WriteContext, EntityDefinition } from './definition.ts'
import { idsIn, inputOf, linkFields } from './fields.ts'
import { reflect } from './mirror.ts'
import { linkedRows } from './readAhead.ts'
import { definitionOf } from './registry.ts'
import { authorizeNow, fieldsOf, findRow, presentRow } from './rows.ts'
import { planUpdate, removeIn, updateIn, writeUpdate } from './write.ts'

/** The titles of the two entities before the merge. */
interface Merged {
  title: string
  from: string
}

/**
 * Merges an entity into another of its kind, for a caller who may edit the survivor and delete the other. All resulting
 * writes belong to the batch in `by`. Throws 412 if the survivor's version is not `base`, and 409 if the other entity's
 * version is not the one that the caller has seen.
 */
export async function mergeEntities(
  tx: Transaction,
  kind: Translated,
  id: string,
  { from: { _id: from, version }, pick }: MergeInput,
  context: WriteContext & { batch: string },
  base?: number,
): Promise<Merged> {
  const definition = definitionOf(kind)
  if (id === from) invalid([fieldError('from._id', 'otherEntry')])
  await lockRows(tx, await touched(tx, kind, id, from))
  const [current, merged] = [await presentRow(definition, tx, id), await presentRow(definition, tx, from)]
  await authorizeNow(definition, tx, context, 'edit', current.createdBy)
  await authorizeNow(definition, tx, context, 'delete', merged.createdBy)
  const [fields, others] = [fieldsOf(definition, current), fieldsOf(definition, merged)]
  if (base !== undefined && base !== current.version)
    throw await seenBefore(tx, current, base, { theirs: fields, conflicts: [] })
  if (version !== merged.version)
    throw new Refusal(409, 'stale', reasonText('mergeStale'), undefined, { version: merged.version })

  const unseen = await unseenLinks(tx, definition, [fields, others])
  const united = uniteFields(definition, { id, fields }, { id: from, fields: others }, pick, unseen)
  const after = (await definition.settle?.(tx, united, { id, fields, from: { id: from, fields: others } })) ?? united
  // `followLinks` below writes the other sides of all relations.
  const all: WriteContext = { ...context, isMirrored: true }
  const planned = await planUpdate(definition, tx, id, inputOf(kind, fields, after), { ...all, inherits: others })
  if (planned) await writeUpdate(definition, tx, planned, all)
  const consequence: WriteContext = { ...all, quiet: true, verdict: { allowed: true } }
  await definition.adopt?.(tx, id, from, consequence, MAX_MERGED_USES)
  await followLinks(tx, { kind, id, from }, consequence)
  await followFromTrash(tx, definition, { id, from, others }, consequence)
  await removeIn(definition, tx, from, all)
  await tx
    .insertInto('merges')
    .values({ fromId: from, toId: id, entityType: kind, batch: context.batch, createdAt: now() })
    .execute()
  return { title: definition.title(after), from: definition.title(others) }
}

interface Side {
  id: string
  fields: Document
}

/** The ids in single links that no response shows, since they lead into the trash. */
async function unseenLinks(
  tx: Transaction,
  definition: EntityDefinition<Document>,
  sides: Document[],
): Promise<Set<unknown>> {
  const unseen = new Set<unknown>()
  for (const [field, kind] of linkFields(definition)) {
    if (!definition.hidden?.includes(field)) continue
    const ids = sides.flatMap((side) => (Array.isArray(side[field]) ? [] : idsIn(side, field)))
    for (const [id, deletedAt] of await linkedRows(tx, kind, ids)) if (deletedAt) unseen.add(id)
  }
  return unseen
}

/** Decides which side wins for each differing field and text. Lists are united, and losing titles become aliases. */
function uniteFields(
  definition: EntityDefinition<Document>,
  { id, fields }: Side,
  from: Side,
  pick: MergeInput['pick'],
  unseen: Set<unknown>,
): Document {
  const differing = changedPaths(fields, from.fields)
  refuseUnknown(definition, [fields, from.fields], Object.keys(pick))
  const isList = (path: string) => Array.isArray(getPath(fields, path)) || Array.isArray(getPath(from.fields, path))
  const defaultOf = (path: string) => {
    const [own, other] = [getPath(fields, path), getPath(from.fields, path)]
    return isBlank(own) || (unseen.has(own) && !isBlank(other) && !unseen.has(other)) ? 'from' : 'survivor'
  }
  const taken = differing
    .filter((path) => !isList(path))
    .filter((path) => (pickOf(pick, path) ?? defaultOf(path)) === 'from')
  const united: Document = { ...withPaths(fields, from.fields, taken) }
  for (const path of differing.filter(isList)) {
    const lists = [fields[path], from.fields[path]].flatMap((list) => (list ?? []) as unknown[])
    united[path] = [...new Set(lists)]
  }
  for (const [field, kind] of linkFields(definition))
    if (kind === definition.kind && Array.isArray(united[field]))
      united[field] = idsIn(united, field).filter((each) => each !== id && each !== from.id)
  return withLostTitles(definition, united, [fields, from.fields])
}

/** What the caller picked for a path: by the path itself, its language, or its field. */
function pickOf(pick: MergeInput['pick'], path: string) {
  const parts = path.split('.')
  const names = parts.map((_, at) => parts.slice(0, parts.length - at).join('.'))
  const name = names.find((each) => Object.hasOwn(pick, each))
  return name === undefined ? undefined : pick[name]
}

/** Throws 400 for names that are neither a field nor a path in one of the documents. */
function refuseUnknown(definition: EntityDefinition<Document>, documents: Document[], names: string[]): void {
  const paths = documents.flatMap((document) => changedPaths(undefined, document))
  const known = new Set([...definition.fields, ...paths, ...paths.map((path) => path.split('.').slice(0, 2).join('.'))])
  const faults = names.filter((name) => !known.has(name)).map((name) => fieldError(`pick.${name}`, 'unknown'))
  if (faults.length > 0) invalid(faults)
}

function withLostTitles({ kind }: EntityDefinition<Document>, united: Document, sides: Document[]): Document {
  const { title = '', original = '', aliases } = kindOf(kind).texts ?? {}
  if (!aliases) return united
  const titlesOf = ({ translations, ...document }: Document) => [
    document[original],
    ...Object.values((translations ?? {}) as Record<string, Document>).map((texts) => texts[title]),
  ]
  const kept = new Set(titlesOf(united))
  const names = [...((united[aliases] ?? []) as unknown[]), ...sides.toReversed().flatMap(titlesOf)]
  const lost = new Set(names.filter((name) => typeof name === 'string').map((name) => name.trim()))
  const list = [...lost].filter((name) => name !== '' && !kept.has(name)).slice(0, MAX_NAMES)
  return list.length > 0 || united[aliases] !== undefined ? { ...united, [aliases]: list } : united
}

/** The rows that a merge writes, so that they can be locked in one order. */
async function touched(tx: Transaction, kind: Translated, id: string, from: string) {
  const links = await linksTo(tx, from)
  return [{ kind, id }, { kind, id: from }, ...links.map(({ fromKind, fromId }) => ({ kind: fromKind, id: fromId }))]
}

async function linksTo(tx: Transaction, id: string): Promise<Pick<Tables['links'], 'fromKind' | 'fromId' | 'field'>[]> {
  const links = await tx
    .selectFrom('links')
    .select(['fromKind', 'fromId', 'field'])
    .where('toId', '=', id)
    .orderBy('fromKind')
    .orderBy('fromId')
    .limit(MAX_MERGED_USES + 1)
    .execute()
  if (links.length > MAX_MERGED_USES) refuseLarge()
  return links
}

function refuseLarge(): never {
  throw new Refusal(409, 'mergeLarge', reasonText('mergeLarge', { limit: MAX_MERGED_USES }))
}

/** Redirects all links to `from` to `id`. */
async function followLinks(
  tx: Transaction,
  { kind, id, from }: { kind: Translated; id: string; from: string },
  context: WriteContext,
): Promise<void> {
  const links = await linksTo(tx, from)
  await lockRows(
    tx,
    links.map(({ fromKind, fromId }) => ({ kind: fromKind, id: fromId })),
  )
  await eachTogether([...Map.groupBy(links, (link) => link.fromId)], async ([fromId, some]) => {
    const definition = definitionOf(some[0]?.fromKind ?? kind)
    const row = await findRow(definition, fromId, tx)
    if (!row || row.deletedAt) return
    const input = some.map(({ field }) => [field, replaced(row[field], from, id)])
    await updateIn(definition, tx, fromId, Object.fromEntries(input) as Document, context)
  })
}

/** Redirects to `id` the relations with `from` of entities in the trash, whose links `links` does not have. */
async function followFromTrash(
  tx: Transaction,
  { mirrors = {} }: EntityDefinition<Document>,
  { id, from, others }: { id: string; from: string; others: Document },
  context: WriteContext,
): Promise<void> {
  for (const [field, mirror] of Object.entries(mirrors))
    if (mirror)
      for (const [otherId, deletedAt] of await linkedRows(tx, mirror.kind, idsIn(others, field)))
        if (deletedAt) {
          const side = { kind: mirror.kind, id: otherId, field: mirror.field }
          await reflect(tx, side, { drop: from }, context)
          await reflect(tx, side, { add: id }, context)
        }
}

/** An id, or a list of ids, in which `other` replaces `one`. */
const replaced = (value: unknown, one: string, other: string): unknown =>
  Array.isArray(value)
    ? [...new Set(value.map((each) => (each === one ? other : each)))]
    : value === one
      ? other
      : value
