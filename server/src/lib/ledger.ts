import type { Fault } from '@mokuroku/contract/call'
import { countLinks, countOne } from './counters.ts'
import { db, locked, type Transaction, transaction } from './db.ts'
import { invalid, notFound, Refusal } from './errors.ts'
import { newId, now } from './ids.ts'
import { type Actor, must } from './may.ts'
import { changedPaths, type Document, merge } from './merge.ts'
import { COLUMNS, type Kind, type Meta, type Origin, TABLES, type Tables } from './tables.ts'

/** A text by which an entity can be found; `language` is '' for the original title. */
export interface Label {
  language: string
  text: string
}

/** What the ledger must know of an entity to keep it. `Fields` is what a person edits: it is compared, merged, kept. */
export interface Keeping<Fields extends Document> {
  kind: Kind
  /** The names of the fields: those of the contract's input. */
  fields: string[]
  /** What a new one has where its input says nothing. */
  empty: Partial<Fields>
  /** The fields that hold ids (one, or a list) of other entities. */
  links?: { [Field in keyof Fields]?: Kind }
  /** The links that are one relation with a list of the other entity: each side is written when the other is. */
  mirrors?: { [Field in keyof Fields]?: Mirror }
  /** The name that people know it by. */
  title: (fields: Fields) => string
  /** The texts that search finds it by; none for what is not searched. */
  labels?: (fields: Fields) => Label[]
  /** Derived data of its own, in the same transaction. `before` is absent on create and restore, `after` on delete. */
  derive?: (tx: Transaction, id: string, before: Fields | undefined, after: Fields | undefined) => Promise<void>
  /** The activity that a write shows as, where it is not KIND_ACTIONED. Undefined: none. */
  activity?: (action: Action, paths: string[]) => string | undefined
}

/** `asks`: writing it from this side needs the right to edit the other. */
interface Mirror {
  kind: Kind
  field: string
  asks?: boolean
}

/** How one entity is told that another took it into its list, or out of it. */
type Reflect = (
  tx: Transaction,
  id: string,
  field: string,
  change: { add?: string; drop?: string },
  by: By,
  asks: boolean,
) => Promise<void>
const reflections = new Map<Kind, Reflect>()

/** Who writes, from where; `batch` groups writes that belong together. `at` dates imported writes. */
export interface By {
  actor: Actor
  origin?: Origin
  batch?: string
  reason?: string
  at?: string
  id?: string
  /** Too much of the same to be an activity each: a bulk import. */
  quiet?: boolean
}

type Action = Tables['revisions']['action']
type Row<Fields> = Meta & Fields
type Input<Fields> = { [Field in keyof Fields]?: Fields[Field] | null | undefined }

/** How the ledger tells search of changed texts. Set by the search store, which is above this file. */
export interface Indexer {
  index(tx: Transaction, kind: Kind, id: string, labels: Label[]): Promise<void>
}
let indexer: Indexer | undefined
export const indexWith = (use: Indexer): void => void (indexer = use)

/**
 * The one path by which an entity is written. Every write is permission-checked, and stores the entity, its revision,
 * its translation history, links, counters, search texts and activity in one transaction.
 */
export function ledger<Fields extends Document>(keeping: Keeping<Fields>) {
  const { kind } = keeping
  const table = TABLES[kind]
  reflections.set(kind, reflect)

  /** The row of an entity, trashed or not, locked when `tx` is given. */
  async function row(id: string, tx?: Transaction): Promise<Row<Fields> | undefined> {
    const query = (tx ?? db).selectFrom(table).selectAll().where('_id', '=', id)
    const found = await (tx ? locked(query as never) : query).executeTakeFirst()
    return found as unknown as Row<Fields> | undefined
  }

  async function create(input: Input<Fields>, by: By): Promise<string> {
    const id = by.id ?? newId()
    await transaction((tx) => createIn(tx, id, input, by))
    return id
  }

  /** As `create`, inside a transaction that does more. `apart` are columns that no revision may hold. */
  async function createIn(
    tx: Transaction,
    id: string,
    input: Input<Fields>,
    by: By,
    apart: Document = {},
  ): Promise<void> {
    must(by.actor, 'create', kind)
    const fields = overlay({ ...keeping.empty } as Fields, input)
    const at = by.at ?? now()
    const meta: Meta = { _id: id, version: 1, createdBy: by.actor._id, createdAt: at, updatedAt: at, deletedAt: null }
    await checkLinks(tx, undefined, fields)
    await tx
      .insertInto(table)
      .values({ ...fields, ...meta, ...apart })
      .execute()
    await record(tx, 'create', meta, undefined, fields, by)
  }

  /**
   * Changes what `input` names; null clears. With `base`, the version it was made from, changes that others made since
   * are kept, and a change of the same text is refused with 412. Without, what is there is replaced.
   */
  async function update(id: string, input: Input<Fields>, by: By, base?: number): Promise<void> {
    await transaction((tx) => updateIn(tx, id, input, by, base))
  }

  /** As `update`, inside a transaction that does more. */
  async function updateIn(tx: Transaction, id: string, input: Input<Fields>, by: By, base?: number): Promise<void> {
    const current = await present(tx, id)
    must(by.actor, 'edit', kind, current.createdBy)
    const theirs = fieldsOf(current)
    const after =
      base === undefined || base === current.version
        ? overlay(theirs, input)
        : await merged(tx, current, theirs, input, base)
    const paths = changedPaths(theirs, after)
    if (paths.length === 0) return
    await checkLinks(tx, theirs, after)
    const meta = await advance(tx, current, by, cleared(theirs, after))
    await record(tx, 'update', meta, theirs, after, by, paths)
  }

  /** The other side of a relation changed: this one has a revision of its own, and no activity. */
  async function reflect(...[tx, id, field, { add, drop }, by, asks]: Parameters<Reflect>): Promise<void> {
    const current = await row(id, tx)
    if (!current) return
    if (asks) must(by.actor, 'edit', kind, current.createdBy)
    const fields = fieldsOf(current)
    const ids = idsIn(fields, field)
    const list = [...ids.filter((each) => each !== drop && each !== add), ...(add ? [add] : [])]
    if (list.length === ids.length && (drop || ids.includes(add ?? ''))) return
    const after = { ...fields, [field]: list }
    const meta = await advance(tx, current, by, { [field]: list })
    await keep(tx, 'update', meta, after, by, [field])
    await moveLinks(tx, id, current.deletedAt ? undefined : fields, current.deletedAt ? undefined : after)
  }

  async function remove(id: string, by: By, base?: number): Promise<void> {
    await transaction(async (tx) => {
      const current = await present(tx, id)
      must(by.actor, 'delete', kind, current.createdBy)
      const fields = fieldsOf(current)
      if (base !== undefined && base !== current.version) throw stale(undefined, fields, fields, ['deletedAt'], current)
      const meta = await advance(tx, current, by, { deletedAt: by.at ?? now() })
      await record(tx, 'delete', meta, fields, undefined, by)
    })
  }

  /** Takes an entity out of the trash, with its links. */
  async function restore(id: string, by: By): Promise<void> {
    await transaction(async (tx) => {
      const current = await row(id, tx)
      if (!current) return notFound(kind)
      must(by.actor, 'restore', kind, current.createdBy)
      if (!current.deletedAt) return
      const meta = await advance(tx, current, by, { deletedAt: null })
      await record(tx, 'restore', meta, undefined, fieldsOf(current), by)
    })
  }

  async function present(tx: Transaction, id: string): Promise<Row<Fields>> {
    const found = await row(id, tx)
    return found && !found.deletedAt ? found : notFound(kind)
  }

  async function advance(tx: Transaction, current: Meta, by: By, change: Document): Promise<Meta> {
    const step = { version: current.version + 1, updatedAt: by.at ?? now() }
    await tx
      .updateTable(table)
      .set({ ...change, ...step } as never)
      .where('_id', '=', current._id)
      .execute()
    return { ...current, ...step }
  }

  async function merged(
    tx: Transaction,
    current: Row<Fields>,
    theirs: Fields,
    input: Input<Fields>,
    version: number,
  ): Promise<Fields> {
    const base = await snapshotAt(tx, current._id, version)
    const mine = overlay((base ?? theirs) as Fields, input)
    if (!base) throw stale(base, mine, theirs, changedPaths(theirs, mine), current)
    const result = merge(base, mine, theirs)
    if (result.conflicts.length > 0) throw stale(base, mine, theirs, result.conflicts, current)
    return result.merged as Fields
  }

  /** Every id that is newly pointed at must be there. */
  async function checkLinks(tx: Transaction, before: Fields | undefined, after: Fields): Promise<void> {
    const faults: Fault[] = []
    for (const [field, target] of linkFields()) {
      const added = idsIn(after, field).filter((id) => !before || !idsIn(before, field).includes(id))
      if (added.length === 0) continue
      const rows = await tx
        .selectFrom(TABLES[target])
        .select('_id')
        .where('_id', 'in', added)
        .where('deletedAt', 'is', null)
        .execute()
      const known = new Set(rows.map(({ _id }) => _id))
      for (const id of added.filter((each) => !known.has(each)))
        faults.push({
          path: pathOf(after, field, id),
          message: `There is no ${target.toLowerCase()} with the id ${id}`,
        })
    }
    if (faults.length > 0) invalid(faults)
  }

  async function record(
    tx: Transaction,
    action: Action,
    meta: Meta,
    before: Fields | undefined,
    after: Fields | undefined,
    by: By,
    paths = changedPaths(before, after),
  ): Promise<void> {
    const fields = after ?? before
    if (!fields) return
    const revisionId = await keep(tx, action, meta, fields, by, paths)
    if (action === 'update')
      await recordCells(tx, { revisionId, kind, id: meta._id, createdAt: meta.updatedAt }, paths, fields, before, by)
    await moveLinks(tx, meta._id, before, after)
    if (action === 'create' || action === 'update') await mirror(tx, meta._id, before, fields, by)
    if (keeping.labels) await indexer?.index(tx, kind, meta._id, after ? labelsOf(after) : [])
    await keeping.derive?.(tx, meta._id, before, after)
    if (!before || !after) await countOne(tx, kind, fields, after ? 1 : -1)
    await recordActivity(tx, action, meta, fields, by, paths)
  }

  /** Adds the revision, and answers its id. */
  async function keep(
    tx: Transaction,
    action: Action,
    meta: Meta,
    fields: Fields,
    by: By,
    paths: string[],
  ): Promise<string> {
    const revisionId = newId()
    await tx
      .insertInto('revisions')
      .values({
        _id: revisionId,
        entityType: kind,
        entityId: meta._id,
        version: meta.version,
        action,
        origin: by.origin ?? 'person',
        batch: by.batch ?? null,
        reason: by.reason ?? null,
        userId: by.actor._id,
        username: by.actor.username,
        paths,
        snapshot: fields,
        createdAt: meta.updatedAt,
      })
      .execute()
    return revisionId
  }

  async function mirror(tx: Transaction, id: string, before: Fields | undefined, after: Fields, by: By): Promise<void> {
    for (const [field, target] of Object.entries<Mirror | undefined>(keeping.mirrors ?? {})) {
      const [old, next] = [before ? idsIn(before, field) : [], idsIn(after, field)]
      const tell = target && reflections.get(target.kind)
      if (!tell) continue
      for (const drop of old.filter((each) => !next.includes(each)))
        await tell(tx, drop, target.field, { drop: id }, by, target.asks ?? false)
      for (const add of next.filter((each) => !old.includes(each)))
        await tell(tx, add, target.field, { add: id }, by, target.asks ?? false)
    }
  }

  async function recordActivity(
    tx: Transaction,
    action: Action,
    meta: Meta,
    fields: Fields,
    by: By,
    paths: string[],
  ): Promise<void> {
    if (by.quiet) return
    const type = keeping.activity ? keeping.activity(action, paths) : activityOf(kind, action, paths)
    if (!type) return
    const title = keeping.title(fields)
    await tx
      .insertInto('activities')
      .values({
        _id: newId(),
        type,
        description: `${sentenceOf[action](kind)}: ${title}`,
        username: by.actor.username,
        entityType: kind,
        entityId: meta._id,
        title,
        createdAt: meta.updatedAt,
      })
      .execute()
  }

  async function moveLinks(
    tx: Transaction,
    id: string,
    before: Fields | undefined,
    after: Fields | undefined,
  ): Promise<void> {
    for (const [field, toKind] of linkFields()) {
      const old = before ? idsIn(before, field) : []
      const next = after ? idsIn(after, field) : []
      const gone = old.filter((each) => !next.includes(each))
      const added = next.filter((each) => !old.includes(each))
      if (gone.length > 0)
        await tx
          .deleteFrom('links')
          .where('fromId', '=', id)
          .where('field', '=', field)
          .where('toId', 'in', gone)
          .execute()
      if (added.length > 0)
        await tx
          .insertInto('links')
          .values(added.map((toId) => ({ fromKind: kind, fromId: id, field, toKind, toId })))
          .execute()
      if (toKind === 'Tag') await countLinks(tx, kind, added, gone)
    }
  }

  const linkFields = () => Object.entries(keeping.links ?? {}) as [string, Kind][]
  const labelsOf = (fields: Fields) => keeping.labels?.(fields).filter(({ text }) => text.trim() !== '') ?? []

  const fieldsOf = (from: Row<Fields>): Fields =>
    Object.fromEntries(
      keeping.fields.filter((name) => from[name] !== undefined).map((name) => [name, from[name]]),
    ) as Fields

  return { create, createIn, update, updateIn, remove, restore, row, fieldsOf }
}

/** The fields of an entity as they were at a version. */
async function snapshotAt(tx: Transaction, entityId: string, version: number): Promise<Document | undefined> {
  const found = await tx
    .selectFrom('revisions')
    .select('snapshot')
    .where('entityId', '=', entityId)
    .where('version', '=', version)
    .executeTakeFirst()
  return found?.snapshot
}

function stale(
  base: Document | undefined,
  mine: Document,
  theirs: Document,
  conflicts: string[],
  current: Meta,
): Refusal {
  const message = 'Somebody else changed this while you were editing. Nothing was saved.'
  return new Refusal(412, 'stale', message, undefined, {
    base,
    mine,
    theirs,
    conflicts,
    version: current.version,
    updatedAt: current.updatedAt,
  })
}

async function recordCells(
  tx: Transaction,
  at: { revisionId: string; kind: Kind; id: string; createdAt: string },
  paths: string[],
  after: Document,
  before: Document | undefined,
  by: By,
): Promise<void> {
  const cells = paths
    .filter((path) => path.startsWith('translations.'))
    .map((path) => path.split('.').slice(1) as [string, string])
  if (cells.length === 0) return
  await tx
    .insertInto('history')
    .values(
      cells.map(([language, field]) => ({
        _id: newId(),
        revisionId: at.revisionId,
        entityType: at.kind,
        entityId: at.id,
        language,
        field,
        oldValue: textAt(before, language, field),
        newValue: textAt(after, language, field),
        updatedById: by.actor._id,
        updatedBy: by.actor.username,
        isRolledBack: false,
        rolledBackBy: null,
        rollbackReason: null,
        rolledBackAt: null,
        createdAt: at.createdAt,
      })),
    )
    .execute()
}

const textAt = (document: Document | undefined, language: string, field: string): string =>
  (document?.translations as Record<string, Record<string, string>> | undefined)?.[language]?.[field] ?? ''

/** `input` laid over `fields`: what is undefined stays, what is null goes. */
function overlay<Fields extends Document>(fields: Fields, input: Input<Fields>): Fields {
  const given = Object.entries(input).filter(([, value]) => value !== undefined)
  const merged = { ...fields, ...Object.fromEntries(given) }
  return Object.fromEntries(
    Object.entries(merged).filter(([name, value]) => value !== null || !COLUMNS.clearable.has(name)),
  ) as Fields
}

/** The columns to set: every field, and null for those that are gone. */
const cleared = (before: Document, after: Document): Document => ({
  ...Object.fromEntries(Object.keys(before).map((name) => [name, null])),
  ...after,
})

function idsIn(fields: Document, field: string): string[] {
  const value = fields[field]
  if (Array.isArray(value)) return value as string[]
  return typeof value === 'string' && value !== '' ? [value] : []
}

const pathOf = (fields: Document, field: string, id: string): string =>
  Array.isArray(fields[field]) ? `${field}.${(fields[field] as string[]).indexOf(id)}` : field

function activityOf(kind: Kind, action: Action, paths: string[]): string {
  if (action === 'update' && paths.some((path) => path.startsWith('translations.'))) return 'TRANSLATION_UPDATED'
  return `${kind.toUpperCase()}_${PAST[action]}`
}

const PAST: Record<Action, string> = { create: 'CREATED', update: 'UPDATED', delete: 'DELETED', restore: 'RESTORED' }
const sentenceOf: Record<Action, (kind: Kind) => string> = {
  create: (kind) => `${kind} created`,
  update: (kind) => `${kind} updated`,
  delete: (kind) => `${kind} deleted`,
  restore: (kind) => `${kind} restored`,
}
