import { changedPaths, type Document, merge } from '@mokuroku/contract/merge'
import { db, locked, type Transaction, transaction } from '#database/db.ts'
import { notFound } from '#lib/errors.ts'
import { cleared, idsIn, overlay } from './fields.ts'
import { newId, now } from '#lib/ids.ts'
import type { By, Input, Keeping, Mirror, New, Row } from './definition.ts'
import { type Keeper, keeperOf, register } from './registry.ts'
import { lockRows, mayLock } from '#database/locks.ts'
import { checkLinks, moveLinks, withoutGone } from './links.ts'
import { type Action, enforce, may, must } from '#access/permissions.ts'
import { insertRows } from '#database/insert.ts'
import { lastGone, purge } from './purge.ts'
import { mustReauthenticate } from '#access/reauthentication.ts'
import { record, recordActivity, recordCreated, recordRevision, snapshotAt, watch } from './record.ts'
import { actorNow } from '#access/session.ts'
import { stale } from './conflict.ts'
import { type Meta, TABLES } from '#database/tables.ts'
import { tracesOf } from './footprint.ts'

/**
 * The one path by which an entity is written. Every write is permission-checked, and stores the entity, its revision,
 * its translation history, links, counters, search texts and activity in one transaction.
 */
export function ledger<Fields extends Document>(keeping: Keeping<Fields>) {
  const { kind } = keeping
  const table = TABLES[kind]
  const dependents: Keeper['dependents'] = async (...which) => (await keeping.dependents?.(...which)) ?? []
  const traces: Keeper['traces'] = (of) => tracesOf(keeping, fieldsOf(of as Row<Fields>), of.deletedAt !== null)
  register(kind, { reflect, discard, expire, erase, dependents, traces })

  /** The row of an entity, trashed or not, locked when `tx` is given. */
  async function row(id: string, tx?: Transaction): Promise<Row<Fields> | undefined> {
    const query = (tx ?? db).selectFrom(table).selectAll().where('_id', '=', id)
    const found = await (tx && (await mayLock(tx, { kind, id })) ? locked(query as never) : query).executeTakeFirst()
    return found as unknown as Row<Fields> | undefined
  }

  async function create(input: Input<Fields>, by: By): Promise<string> {
    const id = by.id ?? newId()
    await transaction((tx) => createIn(tx, id, input, by))
    return id
  }

  /** As `create`, inside a transaction that does more. `apart` are columns that no revision may hold. */
  const createIn = (tx: Transaction, id: string, input: Input<Fields>, by: By, apart?: Document): Promise<void> =>
    createManyIn(tx, [{ id, input, by, apart }])

  /** As `createIn`, for entities that do not point at each other, in as few statements as for one of them. */
  async function createManyIn(tx: Transaction, given: New<Fields>[]): Promise<void> {
    for (const { by } of given) await permit(tx, by, 'create')
    const created = given.map(({ id, input, by, apart = {} }) => {
      const after = overlay({ ...keeping.empty } as Fields, input)
      const at = by.at ?? now()
      const meta: Meta = { _id: id, version: 1, createdBy: by.actor._id, createdAt: at, updatedAt: at, deletedAt: null }
      const paths = changedPaths(undefined, after)
      return { action: 'create' as const, meta, before: undefined, after, by, paths, apart }
    })
    await lockRows(
      tx,
      created.flatMap(({ after }) => mirrored(undefined, after)),
    )
    for (const { meta, after, by, paths } of created) {
      await keeping.check?.(tx, meta._id, undefined, after, by)
      reauthenticate(meta._id, undefined, after, by, paths)
    }
    await checkLinks(tx, keeping, created)
    await insertRows(
      tx,
      table,
      created.map(({ after, meta, apart }) => ({ ...after, ...meta, ...apart })),
    )
    await recordCreated(tx, keeping, created)
    for (const { meta, after, by } of created) await mirror(tx, meta._id, undefined, after, by)
  }

  /**
   * Changes what `input` names; null clears. With `base`, the version it was made from, changes that others made since
   * are kept, and a change of the same text is refused with 412. Without, what is there is replaced.
   */
  async function update(id: string, input: Input<Fields>, by: By, base?: number): Promise<void> {
    await transaction((tx) => updateIn(tx, id, input, by, base))
  }

  /** As `update`, inside a transaction that does more. `apart` are columns whose change is recorded, not their value. */
  async function updateIn(
    tx: Transaction,
    id: string,
    input: Input<Fields>,
    by: By,
    base?: number,
    apart: Document = {},
  ): Promise<void> {
    const current = await present(tx, id)
    await permit(tx, by, 'edit', current.createdBy)
    const theirs = fieldsOf(current)
    const after =
      base === undefined || base === current.version
        ? overlay(theirs, input)
        : await merged(tx, current, theirs, input, base)
    const paths = [...changedPaths(theirs, after), ...Object.keys(apart)]
    if (paths.length === 0) return
    // Before anything is written: beginning again then costs little.
    await lockRows(tx, mirrored(theirs, after))
    await keeping.check?.(tx, id, theirs, after, by)
    reauthenticate(id, theirs, after, by, paths)
    await checkLinks(tx, keeping, [{ before: theirs, after }])
    const meta = await advance(tx, current, by, { ...cleared(theirs, after), ...apart })
    await record(tx, keeping, { action: 'update', meta, before: theirs, after, by, paths })
    await mirror(tx, id, theirs, after, by)
  }

  /** The other side of a relation changed: this one has a revision of its own, and no activity. */
  async function reflect(...[tx, id, field, { add, drop }, by, asks]: Parameters<Keeper['reflect']>): Promise<void> {
    const current = await row(id, tx)
    if (!current) return
    if (asks) must(await actorNow(tx, by.actor), 'edit', kind, current.createdBy)
    const fields = fieldsOf(current)
    const ids = idsIn(fields, field)
    const list = [...ids.filter((each) => each !== drop && each !== add), ...(add ? [add] : [])]
    if (list.length === ids.length && (drop || ids.includes(add ?? ''))) return
    const value = Array.isArray(fields[field]) ? list : ((keeping.empty as Document)[field] ?? null)
    const after = { ...fields, [field]: value }
    const meta = await advance(tx, current, by, { [field]: value })
    await recordRevision(tx, kind, { action: 'update', meta, by, paths: [field] }, after)
    if (!current.deletedAt) await moveLinks(tx, keeping, id, fields, after)
  }

  async function remove(id: string, by: By, base?: number): Promise<void> {
    await transaction((tx) => removeIn(tx, id, by, base))
  }

  /** As `remove`, inside a transaction that does more. */
  async function removeIn(tx: Transaction, id: string, by: By, base?: number): Promise<void> {
    const current = await present(tx, id)
    await permit(tx, by, 'delete', current.createdBy)
    const fields = fieldsOf(current)
    if (base !== undefined && base !== current.version) throw stale(undefined, fields, fields, ['deletedAt'], current)
    await trash(tx, current, by)
  }

  async function trash(tx: Transaction, current: Row<Fields>, by: By): Promise<void> {
    const fields = fieldsOf(current)
    await keeping.check?.(tx, current._id, fields, undefined, by)
    const meta = await advance(tx, current, by, { deletedAt: by.at ?? now() })
    await record(tx, keeping, { action: 'delete', meta, before: fields, after: undefined, by, paths: ['deletedAt'] })
  }

  async function discard(...[tx, id, by]: Parameters<Keeper['discard']>): Promise<void> {
    const current = await row(id, tx)
    if (current && !current.deletedAt) await trash(tx, current, by)
  }

  async function expire(...[tx, id, by]: Parameters<Keeper['expire']>): Promise<boolean> {
    const current = await row(id, tx)
    if (!current?.deletedAt) return false
    await permit(tx, by, 'purge', current.createdBy)
    const last = lastGone()
    if (current.deletedAt > last)
      await tx
        .updateTable(table)
        .set({ deletedAt: last } as never)
        .where('_id', '=', id)
        .execute()
    return true
  }

  async function erase(...[tx, id, by]: Parameters<Keeper['erase']>): Promise<boolean> {
    const current = await row(id, tx)
    if (!current?.deletedAt) return false
    await permit(tx, by, 'purge', current.createdBy)
    const fields = fieldsOf(current)
    await keeping.forget?.(tx, id)
    await tx.deleteFrom(table).where('_id', '=', id).execute()
    const meta = { ...current, version: current.version + 1, updatedAt: now() }
    const change = { action: 'purge' as const, meta, before: fields, after: undefined, by, paths: [] }
    await recordRevision(tx, kind, change, fields)
    await recordActivity(tx, keeping, change, fields)
    watch(tx, keeping, change, fields)
    return true
  }

  /** Takes an entity out of the trash, with its links to what is still there. */
  async function restore(id: string, by: By): Promise<void> {
    await transaction((tx) => restoreIn(tx, id, by))
  }

  /** As `restore`, inside a transaction that does more. */
  async function restoreIn(tx: Transaction, id: string, by: By): Promise<void> {
    const current = await row(id, tx)
    if (!current) return notFound(kind)
    await permit(tx, by, 'restore', current.createdBy)
    if (!current.deletedAt) return
    if (current.deletedAt <= lastGone()) return notFound(kind)
    const fields = fieldsOf(current)
    const after = await withoutGone(tx, keeping, fields)
    await keeping.check?.(tx, id, undefined, after, by)
    reauthenticate(id, undefined, after, by, changedPaths(undefined, after))
    const meta = await advance(tx, current, by, { ...after, deletedAt: null })
    const paths = ['deletedAt', ...changedPaths(fields, after)]
    await record(tx, keeping, { action: 'restore', meta, before: undefined, after, by, paths })
  }

  /** Asks who acts as they are now: what they might do when the call began is not what counts. */
  async function permit(tx: Transaction, by: By, action: Action, owner?: string | null): Promise<void> {
    const actor = await actorNow(tx, by.actor)
    enforce(by.verdict ?? may(actor, action, kind, owner))
  }

  /** Asks for the password where a change needs it, whichever way the change comes. */
  function reauthenticate(id: string, before: Fields | undefined, after: Fields, by: By, paths: string[]): void {
    const needed = by.reauthenticated ? undefined : keeping.reauthentication?.({ id, before, after, by, paths })
    if (needed) mustReauthenticate(by.actor, needed)
  }

  async function present(tx: Transaction, id: string): Promise<Row<Fields>> {
    const found = await row(id, tx)
    return found && !found.deletedAt ? found : notFound(kind)
  }

  async function advance(tx: Transaction, current: Meta, by: By, change: Document): Promise<Meta> {
    const at = by.at ?? now()
    // A clock that went back does not make a change older than what it changes.
    const step = { version: current.version + 1, updatedAt: at > current.updatedAt ? at : current.updatedAt }
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

  /** The entities whose side of a relation a change writes. */
  function mirrored(before: Fields | undefined, after: Fields) {
    return Object.entries<Mirror | undefined>(keeping.mirrors ?? {}).flatMap(([field, target]) => {
      const [old, next] = [before ? idsIn(before, field) : [], idsIn(after, field)]
      const dropped = old.filter((each) => !next.includes(each)).map((id) => ({ id, isDropped: true }))
      const added = next.filter((each) => !old.includes(each)).map((id) => ({ id, isDropped: false }))
      return target ? [...dropped, ...added].map((each) => ({ ...target, ...each })) : []
    })
  }

  async function mirror(tx: Transaction, id: string, before: Fields | undefined, after: Fields, by: By): Promise<void> {
    for (const { kind: toKind, id: toId, field, isDropped, asks = false } of mirrored(before, after))
      await keeperOf(toKind).reflect(tx, toId, field, isDropped ? { drop: id } : { add: id }, by, asks)
  }

  const fieldsOf = (from: Row<Fields>): Fields =>
    Object.fromEntries(
      keeping.fields.filter((name) => from[name] !== undefined).map((name) => [name, from[name]]),
    ) as Fields

  return {
    create,
    createIn,
    createManyIn,
    update,
    updateIn,
    remove,
    removeIn,
    restore,
    restoreIn,
    row,
    fieldsOf,
    /** Deletes for good what is in the trash; false when it is not there. */
    purge: (id: string, by: By, signal?: AbortSignal) => purge(kind, id, by, signal),
    withoutGone: (tx: Transaction, fields: Fields) => withoutGone(tx, keeping, fields),
  }
}
