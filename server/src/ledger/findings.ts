import { isDeepStrictEqual } from 'node:util'
import type { Rules } from '@mokuroku/contract/findings/checks'
import type { Kind } from '@mokuroku/contract/kinds'
import type { Document } from '@mokuroku/contract/merge'
import { newSettings, SETTINGS_ID } from '@mokuroku/contract/settings'
import { type Kysely, sql } from 'kysely'
import { afterCommit, besideOthers, type Transaction } from '#database/db.ts'
import { insertRows } from '#database/insert.ts'
import type { FindingKey, Tables } from '#database/tables.ts'
import { now } from '#lib/ids.ts'
import { bump } from './counters.ts'
import { counterOf, type EntityFinding, foundIn, isChecked, keyOf, withoutDismissed } from './findingRows.ts'

/** So many keys are named in one statement. */
const KEYS_PER_STATEMENT = 1000

/** What an entity was and is: `before` is absent on create and restore, `after` on delete. */
export interface Derivation {
  id: string
  before: Document | undefined
  after: Document | undefined
}

/** An entity as it is to be checked. */
export interface CheckedEntity {
  id: string
  /** Absent for what is in the trash. */
  document: Document | undefined
}

/** The writes that check what they write by the rules as they read them: a rebuild waits for those before it. */
export const CHECKED_WRITES = 'writes with findings'

let rulesChanged = (): void => undefined
/** Calls `act` after every change of the settings that makes other findings. It must not throw. */
export const whenRulesChange = (act: () => void): void => void (rulesChanged = act)

const changesRules = ({ before, after }: Derivation): boolean =>
  ['languages', 'findings'].some((name) => !isDeepStrictEqual(before?.[name], after?.[name]))

/** Writes what is found of entities of one kind after a write of them, and takes away what is not any more. */
export async function deriveFindings(tx: Transaction, kind: Kind, changes: Derivation[]): Promise<void> {
  if (kind === 'Setting' && changes.some(changesRules)) afterCommit(tx, rulesChanged)
  if (!isChecked(kind)) return
  await besideOthers(tx, CHECKED_WRITES)
  const rules = await rulesIn(tx)
  const changed = changes.filter(({ id, before, after }) => {
    // What other rules found goes with it, too.
    if (!after) return true
    const [was, is] = [foundIn(kind, id, before, rules), foundIn(kind, id, after, rules)]
    return was.length !== is.length || !was.every((each, at) => isSame(each, is[at]))
  })
  await refreshFindings(tx, kind, changed.map(documentOf), rules)
}

/** Forgets what somebody called no problem of an entity that is purged. */
export async function forgetFindings(tx: Transaction, id: string): Promise<void> {
  await tx.deleteFrom('dismissals').where('entityId', '=', id).execute()
}

const documentOf = ({ id, after }: Derivation): CheckedEntity => ({ id, document: after })

const isSame = (one: EntityFinding, other: EntityFinding | undefined): boolean =>
  other !== undefined && keyOf(one) === keyOf(other) && one.text === other.text

/** The rules that hold now. */
export async function rulesIn(tx: Pick<Kysely<Tables>, 'selectFrom'>): Promise<Rules> {
  const row = await tx
    .selectFrom('settings')
    .select(['languages', 'findings'])
    .where('_id', '=', SETTINGS_ID)
    .executeTakeFirst()
  const { languages, findings: codes } = row ?? newSettings()
  return { codes, wanted: languages }
}

/** Makes the stored findings of entities what the checks find, writing only what differs, and counts them. */
export async function refreshFindings(
  tx: Transaction,
  kind: Kind,
  entities: CheckedEntity[],
  given?: Rules,
): Promise<void> {
  if (entities.length === 0) return
  const rules = given ?? (await rulesIn(tx))
  const ids = entities.map(({ id }) => id)
  const [stored, dismissals] = [await storedOf(tx, 'findings', ids), await storedOf(tx, 'dismissals', ids)]
  const found = entities.flatMap(({ id, document }) => foundIn(kind, id, document, rules))
  const wanted = new Map(withoutDismissed(found, dismissals).map((each) => [keyOf(each), each]))
  const gone = stored.filter((row) => !wanted.delete(keyOf(row)))
  await deleteKeys(tx, 'findings', gone)
  const since = now()
  const added = [...wanted.values()].map(({ text: _, ...key }) => ({ ...key, entityType: kind, since }))
  await insertRows(tx, 'findings', added)
  for (const key of gone) bump(tx, counterOf(kind, key), -1)
  for (const key of added) bump(tx, counterOf(kind, key), 1)
}

/** The rows of some entities. */
export const storedOf = <Table extends 'findings' | 'dismissals'>(
  tx: Transaction,
  table: Table,
  ids: string[],
): Promise<Tables[Table][]> =>
  tx
    .selectFrom(table as 'findings')
    .selectAll()
    .where('entityId', 'in', ids)
    .execute() as Promise<Tables[Table][]>

/** Deletes rows by their keys. */
export async function deleteKeys(tx: Transaction, table: 'findings' | 'dismissals', keys: FindingKey[]): Promise<void> {
  for (let at = 0; at < keys.length; at += KEYS_PER_STATEMENT) {
    const values = keys
      .slice(at, at + KEYS_PER_STATEMENT)
      .map(({ entityId, code, language, field }) => sql`(${entityId}, ${code}, ${language}, ${field})`)
    await sql`DELETE FROM ${sql.table(table)} WHERE ("entityId", "code", "language", "field")
      IN (VALUES ${sql.join(values)})`.execute(tx)
  }
}
