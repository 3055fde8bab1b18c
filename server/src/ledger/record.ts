import { isDeepStrictEqual } from 'node:util'
import { ACTIVITY_TYPES, type ActivityType } from '@mokuroku/contract/dashboard'
import type { Document } from '@mokuroku/contract/merge'
import { SYSTEM } from '#access/permissions.ts'
import { incrementCounter, countOne } from './counters.ts'
import { afterCommit, send, type Transaction } from '#database/db.ts'
import { together } from '#database/executor.ts'
import { now } from '#lib/clock.ts'
import { newId } from '#lib/ids.ts'
import type { Action, Change, EntityDefinition, Label } from './definition.ts'
import { insertRows } from '#database/insert.ts'
import { publishEntity } from './changes.ts'
import { countLanguages } from './filled.ts'
import type { Derivation } from './findingRows.ts'
import { deriveFindings, deriveUses } from './findings.ts'
import { insertLinks, moveLinks } from './links.ts'
import { provenanceOf } from './provenance.ts'
import type { Kind } from '@mokuroku/contract/kinds'
import { storedAs } from './snapshots.ts'
import { labelsOf } from './texts.ts'
import { countWrite } from './writeLimit.ts'

/** Maintains the search index. Set by the search store, which is in a higher layer than this file. */
export interface Indexer {
  index(tx: Transaction, kind: Kind, id: string, before: Label[], labels: Label[]): Promise<void>
  /** Like `index`, for entities without any labels yet. */
  add(tx: Transaction, kind: Kind, entities: { id: string; labels: Label[] }[]): Promise<void>
}
let indexer: Indexer | undefined
export const indexWith = (use: Indexer): void => void (indexer = use)

/** A write, for the watcher; `title` is the name that people know the entity by. */
export interface Watched extends Change<Document> {
  kind: Kind
  title: string
}
type Watcher = (tx: Transaction, change: Watched) => void
let watcher: Watcher | undefined
/**
 * Calls `use` with every write, in its transaction. Set by the audit log, which is in a higher layer than this file.
 */
export const watchWith = (use: Watcher): void => void (watcher = use)

/** Passes a write to the watcher, unless it belongs to a mass write or deletes a dependent. */
export function notifyWatcher<Fields extends Document>(
  tx: Transaction,
  { kind, title }: EntityDefinition<Fields>,
  change: Change<Fields>,
  fields: Fields,
): void {
  if (!change.context.quiet && !change.context.dependent) watcher?.(tx, { ...change, kind, title: title(fields) })
}

/** Writes what a change leaves behind: revision, history, links, search texts, derived data, counters, activity. */
export async function record<Fields extends Document>(
  tx: Transaction,
  definition: EntityDefinition<Fields>,
  change: Change<Fields>,
): Promise<void> {
  const { action, meta, before, after } = change
  const fields = after ?? before
  if (!fields) return
  const revisionId = await recordRevision(tx, definition.kind, change, fields)
  if (action === 'update') recordCells(tx, definition.kind, change, revisionId)
  moveLinks(tx, definition, meta._id, before, after)
  const derived = async () => {
    await definition.derive?.(tx, meta._id, before, after)
    await deriveRows(tx, definition.kind, [{ id: meta._id, before, after }])
  }
  const oldLabels = before ? labelsOf(definition, before) : []
  const labels = after ? labelsOf(definition, after) : []
  await together(
    indexer && !isDeepStrictEqual(oldLabels, labels)
      ? indexer.index(tx, definition.kind, meta._id, oldLabels, labels)
      : Promise.resolve(),
    derived(),
    recordActivity(tx, definition, change, fields),
  )
  if (!before || !after) countOne(tx, definition.kind, fields, after ? 1 : -1)
  notifyWatcher(tx, definition, change, fields)
}

/** Like `record`, for new entities of one kind. */
export async function recordCreated<Fields extends Document>(
  tx: Transaction,
  definition: EntityDefinition<Fields>,
  created: (Change<Fields> & { after: Fields })[],
): Promise<void> {
  const { kind } = definition
  const revisions = created.map((change) => revisionOf(kind, change, change.after))
  for (const { context, after } of created) await countWrite(tx, context.actor, after)
  await insertRows(tx, 'revisions', revisions)
  const entities = created.map(({ meta, after }) => ({ id: meta._id, after }))
  await insertLinks(tx, definition, entities)
  if (definition.labels) {
    const found = entities.map(({ id, after }) => ({ id, labels: labelsOf(definition, after) }))
    await indexer?.add(tx, kind, found)
  }
  await deriveRows(
    tx,
    kind,
    created.map(({ meta, after }) => ({ id: meta._id, before: undefined, after })),
  )
  for (const change of created) {
    await definition.derive?.(tx, change.meta._id, undefined, change.after)
    countOne(tx, kind, change.after, 1)
    await recordActivity(tx, definition, change, change.after)
    notifyWatcher(tx, definition, change, change.after)
  }
}

/** Writes data derived from the texts and fields of the entities alone. */
async function deriveRows(tx: Transaction, kind: Kind, changes: Derivation[]): Promise<void> {
  countLanguages(tx, kind, changes)
  await deriveFindings(tx, kind, changes)
  if (kind === 'Asset')
    await deriveUses(
      tx,
      changes.map(({ id }) => id),
    )
}

/** Inserts the revision, and returns its id. */
export async function recordRevision(
  tx: Transaction,
  entityType: Kind,
  change: Omit<Change<Document>, 'before' | 'after'>,
  snapshot: Document,
): Promise<string> {
  const revision = revisionOf(entityType, change, snapshot)
  const { _id: id, version } = change.meta
  const [stored] = await together(
    storedAs(tx, { kind: entityType, id, version }, snapshot),
    countWrite(tx, change.context.actor, snapshot),
  )
  send(tx, tx.insertInto('revisions').values({ ...revision, ...stored }))
  afterCommit(tx, () => publishEntity(revision.entityId))
  return revision._id
}

function revisionOf(
  entityType: Kind,
  { action, meta, context, paths }: Omit<Change<Document>, 'before' | 'after'>,
  snapshot: Document,
) {
  const provenance = provenanceOf(context.assists ?? [], meta._id, snapshot, paths)
  return {
    _id: newId(),
    entityType,
    entityId: meta._id,
    version: meta.version,
    action,
    origin: context.origin ?? (provenance.length > 0 ? ('ai' as const) : ('person' as const)),
    batch: context.batch ?? null,
    reason: context.reason ?? null,
    userId: context.actor._id,
    username: context.actor.username,
    paths,
    provenance: provenance.length > 0 ? provenance : undefined,
    snapshot,
    createdAt: meta.updatedAt,
  }
}

function recordCells(
  tx: Transaction,
  entityType: Kind,
  { meta, before, after, context, paths }: Change<Document>,
  revisionId: string,
): void {
  const cells = paths
    .filter((path) => path.startsWith('translations.'))
    .map((path) => path.split('.').slice(1) as [string, string])
    // For a reader, nothing changes if an empty text is added or removed with its language.
    .filter(([language, field]) => textAt(before, language, field) !== textAt(after, language, field))
  if (cells.length === 0) return
  send(
    tx,
    tx.insertInto('history').values(
      cells.map(([language, field]) => ({
        _id: newId(),
        revisionId,
        entityType,
        entityId: meta._id,
        language,
        field,
        oldValue: textAt(before, language, field),
        newValue: textAt(after, language, field),
        updatedById: context.actor._id,
        updatedBy: context.actor.username,
        isRolledBack: false,
        rolledBackBy: null,
        rollbackReason: null,
        rolledBackAt: null,
        createdAt: meta.updatedAt,
      })),
    ),
  )
  incrementCounter(tx, `historyCount.${entityType}`, cells.length)
}

/** A text of a document; '' if it has none. */
export const textAt = (document: Document | undefined, language: string, field: string): string =>
  (document?.translations as Record<string, Record<string, string>> | undefined)?.[language]?.[field] ?? ''

/** Inserts the activity for a change, if there is one. */
export async function recordActivity<Fields extends Document>(
  tx: Transaction,
  definition: EntityDefinition<Fields>,
  change: Change<Fields>,
  fields: Fields,
): Promise<void> {
  const { action, meta, context, paths } = change
  if (context.quiet) return
  const { kind } = definition
  const type = definition.activity ? definition.activity(action, paths) : activityOf(kind, action, paths)
  if (!type) return
  const itself = { entityType: kind, entityId: meta._id, title: definition.title(fields) }
  const about = (await definition.about?.(tx, fields)) ?? itself
  send(
    tx,
    tx.insertInto('activities').values({
      _id: newId(),
      type,
      description: `${sentenceOf(type)}: ${about.title}`,
      username: context.actor.username,
      userId: context.actor._id === SYSTEM._id ? null : context.actor._id,
      ...about,
      createdAt: meta.updatedAt,
    }),
  )
}

/** `RATING_ADDED` is `Rating added`. */
const sentenceOf = (type: ActivityType) => type.charAt(0) + type.slice(1).toLowerCase().replaceAll('_', ' ')

function activityOf(kind: Kind, action: Action, paths: string[]): ActivityType {
  if (action === 'update' && paths.some((path) => path.startsWith('translations.'))) return 'TRANSLATION_UPDATED'
  const name = `${kind.toUpperCase()}_${PAST[action]}`
  const type = ACTIVITY_TYPES.find((each) => each === name)
  if (!type) throw new Error(`${name} is no type of an activity: add it to the contract, or give ${kind} its own`)
  return type
}

const PAST: Record<Action, string> = {
  create: 'CREATED',
  update: 'UPDATED',
  delete: 'DELETED',
  restore: 'RESTORED',
  purge: 'PURGED',
}

/** Inserts an activity that is not about a single entity; `title` says how many, or what. */
export async function recordNote(
  tx: Transaction,
  type: ActivityType,
  description: string,
  username = SYSTEM.username,
  title = '',
): Promise<void> {
  const about = { entityType: '', entityId: '', title }
  await tx
    .insertInto('activities')
    .values({ _id: newId(), type, description, username, userId: null, ...about, createdAt: now() })
    .execute()
}
