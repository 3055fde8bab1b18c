import type { Rules } from '@mokuroku/contract/findings/checks'
import type { Kind } from '@mokuroku/contract/kinds'
import { newSettings, SETTINGS_ID } from '@mokuroku/contract/settings'
import { sql } from 'kysely'
import { inList } from '#database/inList.ts'
import { db, type Transaction } from '#database/db.ts'
import { sendRows } from '#database/insert.ts'
import { type Executor, statement } from '#database/statement.ts'
import type { FindingKey, Tables } from '#database/tables.ts'
import { now } from '#lib/clock.ts'
import { incrementCounter } from './counters.ts'
import { counterOf, type EntityFinding, keyOf, rulesName } from './findingRows.ts'

/** The maximum number of keys in one statement. */
const KEYS_PER_STATEMENT = 1000

/** The current rules. */
export async function rulesIn(tx: Executor): Promise<Rules> {
  const [row] = await ruleRows(tx)
  const { languages, findings: codes } = row ?? newSettings()
  return { codes, wanted: languages }
}

const ruleRows = statement((from) =>
  from.selectFrom('settings').select(['languages', 'findings']).where('_id', '=', SETTINGS_ID),
)

/** The progress of a rebuild; undefined if everything has been checked by the current rules. */
export async function checkProgress(): Promise<{ done: number; total: number } | undefined> {
  const [rules, { rules: name, isComplete, done, total }] = await Promise.all([rulesIn(db), progressIn(db)])
  return isComplete && name === rulesName(rules) ? undefined : { done, total }
}

/** How much of the catalogue has been checked, by the rules that the check started with. */
export async function progressIn(tx: Executor): Promise<Tables['findingsProgress']> {
  const [row] = await progressRows(tx)
  if (!row) throw new Error('There is no row of findingsProgress')
  return row
}

const progressRows = statement((from) => from.selectFrom('findingsProgress').selectAll().where('_id', '=', 'findings'))

/** Replaces the `stored` findings by the `current` ones: writes only the differences, and counts them. */
export async function writeFindings(
  tx: Transaction,
  stored: Tables['findings'][],
  current: (EntityFinding & { entityType: Kind })[],
): Promise<void> {
  const unstored = new Map(current.map((each) => [keyOf(each), each]))
  const obsolete = stored.filter((row) => !unstored.delete(keyOf(row)))
  await deleteKeys(tx, 'findings', obsolete)
  const since = now()
  const added = [...unstored.values()].map(({ text: _, ...key }) => ({ ...key, since }))
  sendRows(tx, 'findings', added)
  for (const key of obsolete) incrementCounter(tx, counterOf(key.entityType, key), -1)
  for (const key of added) incrementCounter(tx, counterOf(key.entityType, key), 1)
}

/** The stored rows of some entities. */
export const storedOf = <Table extends 'findings' | 'dismissals'>(
  tx: Transaction,
  table: Table,
  ids: string[],
): Promise<Tables[Table][]> => STORED[table](tx, ids) as Promise<Tables[Table][]>

const STORED = {
  findings: statement((from, ids: string[]) => from.selectFrom('findings').selectAll().where(inList('entityId', ids))),
  dismissals: statement((from, ids: string[]) =>
    from.selectFrom('dismissals').selectAll().where(inList('entityId', ids)),
  ),
}

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
