import type { Document } from '@mokuroku/contract/merge'
import { type Action, enforce, may } from '#access/permissions.ts'
import { mustReauthenticate } from '#access/reauthentication.ts'
import { actorNow } from '#access/session.ts'
import { db, send, type Transaction } from '#database/db.ts'
import { mayLock } from '#database/locks.ts'
import { perKind, statement } from '#database/statement.ts'
import { type Meta, TABLES } from '#database/tables.ts'
import { notFound } from '#lib/errors.ts'
import { refuseMerged } from './merges.ts'
import { now } from '#lib/clock.ts'
import type { By, EntityDefinition, Row } from './definition.ts'
import { rowAhead } from './readAhead.ts'

/** The row of an entity, in the trash or not, locked when `tx` is given. */
export async function findRow<Fields extends Document>(
  { kind }: EntityDefinition<Fields>,
  id: string,
  tx?: Transaction,
): Promise<Row<Fields> | undefined> {
  const ahead = tx && rowAhead(tx, { kind, id })
  if (ahead) return ahead.row as Row<Fields> | undefined
  // Without a wait where there is nothing to wait for: whoever sends something with this sends it after this.
  const locks = tx && mayLock(tx, { kind, id })
  const isLocking = typeof locks === 'object' ? await locks : locks
  const [found] = await (isLocking ? lockedRow : rowWith)[kind](tx ?? db, id)
  return found as unknown as Row<Fields> | undefined
}

const rowWith = perKind((kind) =>
  statement((from, id: string) => from.selectFrom(TABLES[kind]).selectAll().where('_id', '=', id)),
)
const lockedRow = perKind((kind) =>
  statement((from, id: string) => from.selectFrom(TABLES[kind]).selectAll().where('_id', '=', id).forUpdate()),
)

/** The locked row of an entity that is not in the trash. Throws 404, or 409 when it was merged into another one. */
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

/** What a person edits of a row. */
export const fieldsOf = <Fields extends Document>({ fields }: EntityDefinition<Fields>, from: Row<Fields>): Fields =>
  Object.fromEntries(fields.filter((name) => from[name] !== undefined).map((name) => [name, from[name]])) as Fields

/** Writes the columns of a change and the next version. */
export function advance<Fields extends Document>(
  { kind }: EntityDefinition<Fields>,
  tx: Transaction,
  current: Meta,
  by: By,
  change: Document,
): Meta {
  const at = by.at ?? now()
  // A clock that went back does not make a change older than what it changes.
  const step = { version: current.version + 1, updatedAt: at > current.updatedAt ? at : current.updatedAt }
  send(
    tx,
    tx
      .updateTable(TABLES[kind])
      .set({ ...change, ...step } as never)
      .where('_id', '=', current._id),
  )
  return { ...current, ...step }
}

/** Throws 403 unless the caller may, as they are now: what they might do when the call began does not count. */
export async function authorizeNow(
  { kind }: { kind: EntityDefinition<Document>['kind'] },
  tx: Transaction,
  by: By,
  action: Action,
  owner?: string | null,
): Promise<void> {
  const actor = await actorNow(tx, by.actor)
  enforce(by.verdict ?? may(actor, action, kind, owner))
}

/** Asks for the password where a change needs it, whichever way the change comes. */
export function reauthenticate<Fields extends Document>(
  definition: EntityDefinition<Fields>,
  change: { id: string; before: Fields | undefined; after: Fields; by: By; paths: string[] },
): void {
  const { by } = change
  const needed = by.reauthenticated ? undefined : definition.reauthentication?.(change)
  if (needed) mustReauthenticate(by.actor, needed)
}
