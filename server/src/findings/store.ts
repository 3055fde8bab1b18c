import { isDeepStrictEqual } from 'node:util'
import type {
  Dismissal,
  Finding,
  FindingCode,
  FindingCount,
  FindingQuery,
  FindingTarget,
} from '@mokuroku/contract/findings'
import type { Rules } from '@mokuroku/contract/findings/checks'
import { type Kind, TRANSLATED_KINDS, type Translated } from '@mokuroku/contract/kinds'
import type { Document } from '@mokuroku/contract/merge'
import { newSettings, SETTINGS_ID } from '@mokuroku/contract/settings'
import { type Kysely, sql } from 'kysely'
import type * as z from 'zod/mini'
import { afterCommit, besideOthers, db, transaction, type Transaction } from '#database/db.ts'
import { insertRows } from '#database/insert.ts'
import { type FindingKey, TABLES, type Tables } from '#database/tables.ts'
import type { Actor } from '#access/permissions.ts'
import { bump } from '#ledger/counters.ts'
import { type Derivation, deriveWith } from '#ledger/derived.ts'
import { definitionOf } from '#ledger/registry.ts'
import { authorizeNow, fieldsOf, presentRow } from '#ledger/rows.ts'
import { notFound } from '#lib/errors.ts'
import { now } from '#lib/ids.ts'
import { audit } from '#store/audit'
import {
  counterOf,
  countersOfKind,
  type EntityFinding,
  foundIn,
  hashOf,
  isChecked,
  keyOf,
  presentOf,
  subjectOf,
  withoutDismissed,
} from './rows.ts'

/** So many different findings of a kind are counted in one answer: whoever writes texts can make up any number of tags. */
const MAX_COUNTS = 1000
/** So many keys are named in one statement. */
const KEYS_PER_STATEMENT = 1000

interface CheckedEntity {
  id: string
  /** Absent for what is in the trash. */
  document: Document | undefined
}

export const findings = {
  /** How many entities of a kind have each finding, from counters. */
  counts: async ({ entityType, code, language }: z.output<typeof FindingQuery>): Promise<FindingCount[]> => {
    const prefix = countersOfKind(entityType) + (code ? `${code}.` : '')
    const rows = await db
      .selectFrom('counters')
      .selectAll()
      .where('name', '>=', prefix)
      .where('name', '<', `${prefix}~`)
      .where('value', '>', 0)
      .orderBy('name')
      .limit(MAX_COUNTS)
      .execute()
    return rows
      .map(({ name, value }) => ({ ...subjectOf(name), count: value }))
      .filter((row) => language === undefined || row.language === language)
  },

  /** The findings of an entity, and what was dismissed. Throws 404 where there is none, or it is in the trash. */
  ofEntity: async (id: string): Promise<{ data: Finding[]; dismissed: Dismissal[] }> => {
    if (!(await kindOfEntity(db, id))) notFound('Entity')
    const [data, dismissed] = await Promise.all([
      db.selectFrom('findings').selectAll().where('entityId', '=', id).orderBy('code').orderBy('language').execute(),
      db.selectFrom('dismissals').selectAll().where('entityId', '=', id).orderBy('code').orderBy('language').execute(),
    ])
    return {
      data: data.map(({ code, language, field, since }) => ({ code, ...presentOf({ language, field }), since })),
      dismissed: dismissed.map(({ code, language, field, username, createdAt }) => ({
        code,
        ...presentOf({ language, field }),
        username,
        createdAt,
      })),
    }
  },

  /** The entities of a kind with a finding, after a cursor, in the order of their ids. */
  idsWith: async (tx: Transaction, kind: Kind, code: FindingCode, cursor: string, limit: number): Promise<string[]> => {
    const rows = await tx
      .selectFrom('findings')
      .select('entityId')
      .where('entityType', '=', kind)
      .where('code', '=', code)
      .where('entityId', '>', cursor)
      .orderBy('entityId')
      .limit(limit)
      .execute()
    return rows.map(({ entityId }) => entityId)
  },

  /** Remembers that findings of an entity are no problem, for the texts that it has now. Throws 404 where there are none. */
  dismiss: (target: FindingTarget, actor: Actor): Promise<void> =>
    transaction(async (tx) => {
      const { kind, document, title } = await editable(tx, target.entityId, actor)
      const found = foundIn(kind, target.entityId, document, await rulesIn(tx)).filter(isMeantBy(target))
      const kept = new Set((await storedOf(tx, 'findings', [target.entityId])).map(keyOf))
      const open = found.filter((each) => kept.has(keyOf(each)))
      if (open.length === 0) notFound('Finding')
      await deleteKeys(tx, 'dismissals', open)
      const by = { userId: actor._id, username: actor.username, createdAt: now() }
      const rows = open.map(({ text, ...key }) => ({ ...key, ...by, entityType: kind, textHash: hashOf(text) }))
      await insertRows(tx, 'dismissals', rows)
      await refresh(tx, kind, [{ id: target.entityId, document }])
      recordDecision(tx, 'findings.dismissed', actor, kind, target, title)
    }),

  /** Takes back that findings of an entity are no problem. Throws 404 where nobody said so. */
  undismiss: (target: FindingTarget, actor: Actor): Promise<void> =>
    transaction(async (tx) => {
      const { kind, document, title } = await editable(tx, target.entityId, actor)
      const dismissed = (await storedOf(tx, 'dismissals', [target.entityId])).filter(isMeantBy(target))
      if (dismissed.length === 0) notFound('Finding')
      await deleteKeys(tx, 'dismissals', dismissed)
      await refresh(tx, kind, [{ id: target.entityId, document }])
      recordDecision(tx, 'findings.reopened', actor, kind, target, title)
    }),

  refresh,
  rulesIn,
}

/** The writes that check what they write by the rules as they read them: a rebuild waits for those before it. */
export const CHECKED_WRITES = 'writes with findings'

let rulesChanged = (): void => undefined
/** Calls `act` after every change of the settings that makes other findings. It must not throw. */
export const whenRulesChange = (act: () => void): void => void (rulesChanged = act)

const changesRules = ({ before, after }: Derivation): boolean =>
  ['languages', 'findings'].some((name) => !isDeepStrictEqual(before?.[name], after?.[name]))

deriveWith({
  derive: async (tx, { kind }, changes) => {
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
    await refresh(tx, kind, changed.map(documentOf), rules)
  },
  forget: async (tx, id) => {
    await tx.deleteFrom('dismissals').where('entityId', '=', id).execute()
  },
})

const documentOf = ({ id, after }: Derivation): CheckedEntity => ({ id, document: after })

const isSame = (one: EntityFinding, other: EntityFinding | undefined): boolean =>
  other !== undefined && keyOf(one) === keyOf(other) && one.text === other.text

/** The rules that hold now. */
async function rulesIn(tx: Pick<Kysely<Tables>, 'selectFrom'>): Promise<Rules> {
  const row = await tx
    .selectFrom('settings')
    .select(['languages', 'findings'])
    .where('_id', '=', SETTINGS_ID)
    .executeTakeFirst()
  const { languages, findings: codes } = row ?? newSettings()
  return { codes, wanted: languages }
}

/** Makes the stored findings of entities what the checks find, writing only what differs, and counts them. */
async function refresh(tx: Transaction, kind: Kind, entities: CheckedEntity[], given?: Rules): Promise<void> {
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
const storedOf = <Table extends 'findings' | 'dismissals'>(
  tx: Transaction,
  table: Table,
  ids: string[],
): Promise<Tables[Table][]> =>
  tx
    .selectFrom(table as 'findings')
    .selectAll()
    .where('entityId', 'in', ids)
    .execute() as Promise<Tables[Table][]>

async function deleteKeys(tx: Transaction, table: 'findings' | 'dismissals', keys: FindingKey[]): Promise<void> {
  for (let at = 0; at < keys.length; at += KEYS_PER_STATEMENT) {
    const values = keys
      .slice(at, at + KEYS_PER_STATEMENT)
      .map(({ entityId, code, language, field }) => sql`(${entityId}, ${code}, ${language}, ${field})`)
    await sql`DELETE FROM ${sql.table(table)} WHERE ("entityId", "code", "language", "field")
      IN (VALUES ${sql.join(values)})`.execute(tx)
  }
}

/** The kind of an entity with findings; undefined where there is none with this id that is not in the trash. */
async function kindOfEntity(tx: Pick<Kysely<Tables>, 'selectFrom'>, id: string): Promise<Translated | undefined> {
  for (const kind of TRANSLATED_KINDS) {
    const rows = tx.selectFrom(TABLES[kind]).select('_id').where('_id', '=', id).where('deletedAt', 'is', null)
    if (await rows.executeTakeFirst()) return kind
  }
  return undefined
}

/** An entity that the caller may edit, locked. Throws 404 or 403. */
async function editable(tx: Transaction, id: string, actor: Actor) {
  const kind = (await kindOfEntity(tx, id)) ?? notFound('Entity')
  const definition = definitionOf(kind)
  const row = await presentRow(definition, tx, id)
  await authorizeNow(definition, tx, { actor }, 'edit', row.createdBy)
  const document = fieldsOf(definition, row)
  return { kind, document, title: definition.title(document) }
}

/** Whether a target stands for a finding: language and field do not matter where it names none. */
const isMeantBy =
  ({ code, language, field }: FindingTarget) =>
  (key: FindingKey): boolean =>
    key.code === code && (language ?? key.language) === key.language && (field ?? key.field) === key.field

function recordDecision(
  tx: Transaction,
  action: 'findings.dismissed' | 'findings.reopened',
  actor: Actor,
  kind: Kind,
  { entityId, ...details }: FindingTarget,
  label: string,
): void {
  audit.record(tx, { action, actor, about: { type: kind, id: entityId, label }, details })
}
