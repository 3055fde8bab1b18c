import type { Kind } from '@mokuroku/contract/kinds'
import type { Document } from '@mokuroku/contract/merge'
import { type Action, enforce, checkPermission } from '#access/permissions.ts'
import { requireReauthentication } from '#access/reauthentication.ts'
import { actorNow } from '#access/session.ts'
import { db, locked, send, type Transaction } from '#database/db.ts'
import { inList } from '#database/inList.ts'
import { mayLock } from '#database/locks.ts'
import { perKind, statement } from '#database/statement.ts'
import { type Meta, TABLES } from '#database/tables.ts'
import { notFound } from '#lib/errors.ts'
import { refuseMerged } from './merges.ts'
import { pagesBySize } from './pages.ts'
import { now } from '#lib/clock.ts'
import type { WriteContext, EntityDefinition, Row } from './definition.ts'
import { rowAhead } from './readAhead.ts'

/** The row of an entity, whether or not it is in the trash; locked if `tx` is given. */
export async function findRow<Fields extends Document>(
  { kind }: EntityDefinition<Fields>,
  id: string,
  tx?: Transaction,
): Promise<Row<Fields> | undefined> {
  const ahead = tx && rowAhead(tx, { kind, id })
  if (ahead) return ahead.row as Row<Fields> | undefined
  // Does not await if the lock can be taken at once: then this statement is sent before others that the caller sends
  // along.
  const locks = tx && mayLock(tx, { kind, id })
  const isLocking = typeof locks === 'object' ? await locks : locks
  const [found] = await (isLocking ? lockedRow : rowWith)[kind](tx ?? db, id)
  return found as unknown as Row<Fields> | undefined
}

const rowWith = perKind((kind) =>
  statement((from, id: string) => from.selectFrom(TABLES[kind]).selectAll().where('_id', '=', id)),
)
const lockedRow = perKind((kind) =>
  statement((from, id: string) => from.selectFrom(TABLES[kind]).selectAll().where('_id', '=', id).forNoKeyUpdate()),
)

/** The locked row of an entity that is not in the trash. Throws 404, or 409 if it was merged into another one. */
export async function presentRow<Fields extends Document>(
  definition: EntityDefinition<Fields>,
  tx: Transaction,
  id: string,
): Promise<Row<Fields>> {
  const found = await findRow(definition, id, tx)
  if (found && !found.deletedAt) return found
  await refuseMerged(tx, id, 'mergedAway')
  return notFound(definition.kind)
}

/**
 * The next rows of a kind after a cursor, in the order of their ids, including those in the trash; locked. At most
 * `limit`, and fewer if they are large.
 */
export async function nextRows(tx: Transaction, kind: Kind, cursor: string, limit: number): Promise<Meta[]> {
  const next = tx.selectFrom(TABLES[kind]).select('_id').where('_id', '>', cursor).orderBy('_id').limit(limit)
  const ids = (await locked(next).execute()).map(({ _id }) => _id)
  const [page = []] = await pagesBySize(tx, kind, ids)
  return tx.selectFrom(TABLES[kind]).selectAll().where(inList('_id', page)).orderBy('_id').execute()
}

/** The fields that a person edits, from a row. */
export const fieldsOf = <Fields extends Document>({ fields }: EntityDefinition<Fields>, from: Row<Fields>): Fields =>
  Object.fromEntries(fields.filter((name) => from[name] !== undefined).map((name) => [name, from[name]])) as Fields

/** Writes the changed columns and the next version. */
export function advance<Fields extends Document>(
  { kind }: EntityDefinition<Fields>,
  tx: Transaction,
  current: Meta,
  context: WriteContext,
  change: Document,
): Meta {
  const at = context.at ?? now()
  // If the clock was set back, the new timestamp is not before that of the previous version.
  const step = { version: current.version + 1, updatedAt: at > current.updatedAt ? at : current.updatedAt }
  send(
    tx,
    tx
      .updateTable(TABLES[kind])
      .set({ ...change, ...step })
      .where('_id', '=', current._id),
  )
  return { ...current, ...step }
}

/** Throws 403 unless the caller has permission as of now; permissions at the start of the call do not count. */
export async function authorizeNow(
  { kind }: { kind: EntityDefinition<Document>['kind'] },
  tx: Transaction,
  context: WriteContext,
  action: Action,
  owner?: string | null,
): Promise<void> {
  const actor = await actorNow(tx, context.actor)
  enforce(context.verdict ?? checkPermission(actor, action, kind, owner))
}

/** Requires the password where a change needs it, no matter how the change is made. */
export function reauthenticate<Fields extends Document>(
  definition: EntityDefinition<Fields>,
  change: { id: string; before: Fields | undefined; after: Fields; context: WriteContext; paths: string[] },
): void {
  const { context } = change
  const needed = context.reauthenticated ? undefined : definition.reauthentication?.(change)
  if (needed) requireReauthentication(context.actor, needed)
}
