import { pendingIn, schemaOf } from '#database/migrate.ts'
import { db, engine } from '#database/db.ts'
import { withoutTimeouts } from '#database/pooledConnection.ts'
import { Refusal } from '#lib/errors.ts'
import { accounts } from './checks/accounts.ts'
import { assetFlags } from './checks/assetFlags.ts'
import { batchResults } from './checks/batchResults.ts'
import { type Check, damageIn, type Issue } from './checks/check.ts'
import { counters } from './checks/counters.ts'
import { auditLog, database } from './checks/database.ts'
import { documents } from './checks/documents.ts'
import { contents, files } from './checks/files.ts'
import { found } from './checks/findings.ts'
import { averages, tagUses } from './checks/aggregates.ts'
import { history } from './checks/history.ts'
import { revisions } from './checks/ledger.ts'
import { references } from './checks/references.ts'
import { links, relations } from './checks/relations.ts'
import { searchText } from './checks/searchText.ts'
import { texts } from './checks/texts.ts'

/** The maximum number of faults that are named per check. */
const MAX_NAMED = 10

interface VerifyOptions {
  /** Repairs derived data. */
  repair: boolean
  /** Also reads the content of every file. */
  files: boolean
}

/**
 * Checks the consistency of the catalogue, also while the server runs, and reports one line per check. Returns whether
 * everything is consistent or has been repaired.
 */
export const verify = (options: VerifyOptions, log: (line: string) => void): Promise<boolean> =>
  withoutTimeouts(() => runChecks(options, log))

async function runChecks({ repair, files: deep }: VerifyOptions, log: (line: string) => void): Promise<boolean> {
  const notes: string[] = []
  const listed = files((line) => void notes.push(line))
  // Derived data is checked after its sources: links before uses, and uses before their sums.
  const checks = [
    database,
    revisions,
    history,
    texts,
    links,
    relations,
    references,
    accounts,
    batchResults,
    documents,
    tagUses,
    averages,
    found,
    assetFlags,
    counters,
    searchText,
    listed,
    auditLog((line) => void notes.push(line)),
  ]
  let isConsistent = true
  for (const check of deep ? [...checks, contents] : checks) {
    const { line, remaining } = await run(check, repair)
    log(line)
    for (const note of notes.splice(0)) log(note)
    if (remaining > 0) isConsistent = false
  }
  return isConsistent
}

async function run({ name, run: inspect }: Check, repair: boolean): Promise<{ line: string; remaining: number }> {
  const named: string[] = []
  let [count, repaired, repairable] = [0, 0, 0]
  for await (const fault of untilDamage(inspect())) {
    if (fault.isQueued && !repair) return { line: `${name}: skipped: ${fault.what}`, remaining: 0 }
    count += 1
    if (fault.repair) repairable += 1
    const refusal = repair && fault.repair ? await applyRepair(fault.repair) : undefined
    if (named.length < MAX_NAMED) named.push(refusal ? `${fault.what} (not repaired: ${refusal})` : fault.what)
    if (repair && fault.repair && !refusal) repaired += 1
  }
  if (count === 0) return { line: `${name}: OK`, remaining: 0 }
  const more = count > MAX_NAMED ? `; and ${count - MAX_NAMED} more` : ''
  const state = repair ? `${repaired} repaired` : `${repairable} repairable`
  const problems = count === 1 ? '1 problem' : `${count} problems`
  return { line: `${name}: ${problems}, ${state}: ${named.join('; ')}${more}`, remaining: count - repaired }
}

/** The issues of a check, which ends at a document that cannot be read: the next checks run nevertheless. */
async function* untilDamage(issues: AsyncIterable<Issue>): AsyncGenerator<Issue> {
  try {
    yield* issues
  } catch (error) {
    yield { what: `not completed: ${damageIn(error)}` }
  }
}

/** Repairs an issue. If that is impossible, returns the reason, so that the other issues are repaired nevertheless. */
async function applyRepair(repair: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await repair()
    return undefined
  } catch (error) {
    return error instanceof Refusal ? error.message : damageIn(error)
  }
}

/**
 * Throws an Error with a one-line message if the database is not upgraded yet: the checks only know this version's
 * schema.
 */
export async function assertMigrated(): Promise<void> {
  const missing = await pendingIn(schemaOf(db, engine))
  if (missing.length > 0)
    throw new Error(
      `The database is of an older version (${missing.join(', ')} missing). Start Mokuroku once to upgrade it.`,
    )
}
