import type {
  BrokenLink,
  Dismissal,
  Finding,
  FindingCode,
  FindingCount,
  FindingDecision,
  FindingQuery,
  FindingTarget,
  LanguageMark,
} from '@mokuroku/contract/findings'
import { MAX_DAYS_APART } from '@mokuroku/contract/findings/duplicate'
import { type Kind, TRANSLATED_KINDS, type Translated } from '@mokuroku/contract/kinds'
import type { Document } from '@mokuroku/contract/merge'
import type { Kysely } from 'kysely'
import type * as z from 'zod/mini'
import { db, transaction, type Transaction } from '#database/db.ts'
import { insertRows } from '#database/insert.ts'
import { type FindingKey, TABLES, type Tables } from '#database/tables.ts'
import type { Actor } from '#access/permissions.ts'
import { countersBeginning, countersOf } from '#ledger/counters.ts'
import { pairCounter } from '#ledger/duplicatePairs.ts'
import { definitionOf } from '#ledger/registry.ts'
import { authorizeNow, fieldsOf, presentRow } from '#ledger/rows.ts'
import { notFound } from '#lib/errors.ts'
import { now } from '#lib/clock.ts'
import { audit } from '#store/audit'
import { countersOfKind, foundIn, hashOf, keyOf, presentOf, subjectOf } from '#ledger/findingRows.ts'
import { refreshFindings } from '#ledger/findings.ts'
import { deleteKeys, rulesIn, storedOf } from '#ledger/findingStore.ts'
import { brokenLinks, relatedFindings } from '#ledger/relatedFindings.ts'
import { likelyKeys } from '#ledger/titleKeys.ts'

const [DISMISSED, REOPENED] = ['findings.dismissed', 'findings.reopened'] as const
/** So many different findings of a kind are counted in one answer: whoever writes texts can make up any number of tags. */
const MAX_COUNTS = 1000
/** Of what somebody created, so many are looked at. */
const MAX_OWN = 10_000
/** So many decisions about one entity are told. */
const MAX_DECISIONS = 500
/** So many of those that share a title are looked at to find the nearest. */
const MAX_ALIKE = 500

export const findings = {
  /** How many entities of a kind have each finding, from counters. */
  counts: async ({ entityType, code, language }: z.output<typeof FindingQuery>): Promise<FindingCount[]> => {
    const prefix = countersOfKind(entityType) + (code ? `${code}.` : '')
    const rows = await countersBeginning(prefix, MAX_COUNTS)
    return rows
      .map(({ name, value }) => ({ ...subjectOf(name), count: value }))
      .filter((row) => language === undefined || row.language === language)
  },

  /** How many entities that a user created have each finding, of a kind; so many of them are looked at. */
  countsOfOwner: async (kind: Translated, owner: string): Promise<Omit<FindingCount, 'field'>[]> => {
    const own = db
      .selectFrom(TABLES[kind] as 'media')
      .select('_id')
      .where('createdBy', '=', owner)
      .where('deletedAt', 'is', null)
      .limit(MAX_OWN)
    const rows = await db
      .selectFrom(own.as('own'))
      .innerJoin('findings', 'findings.entityId', 'own._id')
      .select(['code', 'language', ({ fn }) => fn.count<number>('entityId').distinct().as('count')])
      .groupBy(['code', 'language'])
      .orderBy('code')
      .orderBy('language')
      .limit(MAX_COUNTS)
      .execute()
    return rows.map(({ code, language, count }) => ({ code, ...(language && { language }), count }))
  },

  /** The findings of an entity, and what was dismissed. Throws 404 where there is none, or it is in the trash. */
  ofEntity: async (id: string): Promise<{ data: Finding[]; dismissed: Dismissal[] }> => {
    if (!(await kindOfEntity(db, id))) notFound('Entity')
    const [data, dismissed] = await Promise.all([
      db.selectFrom('findings').selectAll().where('entityId', '=', id).orderBy('code').orderBy('language').execute(),
      db.selectFrom('dismissals').selectAll().where('entityId', '=', id).orderBy('code').orderBy('language').execute(),
    ])
    const links = data.some(({ code }) => code === 'brokenLink') ? await linksOf(id) : []
    return {
      data: data.map(({ code, language, field, since }) => ({
        code,
        ...presentOf({ language, field }),
        since,
        ...(code === 'brokenLink' && { links }),
      })),
      dismissed: dismissed.map(({ code, language, field, username, createdAt }) => ({
        code,
        ...presentOf({ language, field }),
        username,
        createdAt,
      })),
    }
  },

  /** Who called what of an entity no problem, or took it back, newest first, as the audit log has it. */
  decisions: async (id: string): Promise<FindingDecision[]> => {
    if (!(await kindOfEntity(db, id))) notFound('Entity')
    const entries = await audit.about(id, 'findings', MAX_DECISIONS)
    return entries.map(({ _id, action, actorId: userId, actorName: username, details, createdAt }) => ({
      // What `recordDecision` wrote.
      ...(details as Omit<FindingTarget, 'entityId'>),
      _id,
      isDismissed: action === DISMISSED,
      userId,
      username,
      createdAt,
    }))
  },

  /** The findings about a language of each of some entities of a kind. */
  marks: async (kind: Translated, ids: readonly string[]): Promise<LanguageMark[]> => {
    // By the ids alone: asked for the kind too, the database may read all of the kind.
    const rows = await db
      .selectFrom('findings')
      .select(['entityType', 'entityId', 'code', 'language'])
      .where('entityId', 'in', ids)
      .execute()
    const marks = rows
      .filter(({ entityType, language }) => entityType === kind && language !== '')
      .map(({ entityId, code, language }) => [`${entityId} ${code} ${language}`, { entityId, code, language }] as const)
    return [...new Map(marks).values()]
  },

  /** The entities of a kind with a finding that is about no language, after a cursor, in the order of their ids. */
  idsWith: async (
    tx: Pick<Kysely<Tables>, 'selectFrom'>,
    kind: Kind,
    code: FindingCode,
    cursor: string,
    limit: number,
  ): Promise<string[]> => {
    const rows = await tx
      .selectFrom('findings')
      .select('entityId')
      .where('entityType', '=', kind)
      .where('code', '=', code)
      .where('language', '=', '')
      .where('entityId', '>', cursor)
      .orderBy('entityId')
      .limit(limit)
      .execute()
    return rows.map(({ entityId }) => entityId)
  },

  /** Pairs of a kind that are likely the same, each once, in the order of their ids, after `skip`; and how many there are. */
  duplicatePairs: async (
    kind: Translated,
    skip: number,
    limit: number,
  ): Promise<{ pairs: [string, string][]; total: number }> => {
    const rows = await db
      .selectFrom('duplicatePairs')
      .select(['first', 'second'])
      .where('entityType', '=', kind)
      .orderBy('first')
      .orderBy('second')
      .limit(limit)
      .offset(skip)
      .execute()
    const name = pairCounter(kind)
    const { [name]: total = 0 } = await countersOf(db, [name])
    return { pairs: rows.map(({ first, second }) => [first, second]), total }
  },

  /**
   * The entities that are likely the same as a document that may not be stored yet, those of the nearest day first; of any
   * day where `isDated` is false. `id` is the one that the document is of, if any.
   */
  likeliest: async (kind: Translated, document: Document, { id = '', isDated = true, limit = 5 } = {}) => {
    const likely = likelyKeys(kind, document)
    const [first] = likely
    if (!first) return []
    const { day } = first
    const alike = db
      .selectFrom('titleKeys')
      .select(['entityId', 'day'])
      .where(
        'key',
        'in',
        likely.map(({ key }) => key),
      )
      .$if(isDated, (query) => query.where('day', '>=', day - MAX_DAYS_APART).where('day', '<=', day + MAX_DAYS_APART))
      .where('entityId', '!=', id)
      .limit(MAX_ALIKE)
    const rows = await db.selectFrom(alike.as('alike')).select(['entityId', 'day']).distinct().execute()
    const apart = (row: { day: number }) => Math.abs(row.day - day)
    const nearest = rows.toSorted((one, other) => apart(one) - apart(other) || (one.entityId < other.entityId ? -1 : 1))
    return nearest.slice(0, limit).map(({ entityId }) => entityId)
  },

  /** Remembers that findings of an entity are no problem, for the texts that it has now. Throws 404 where there are none. */
  dismiss: (target: FindingTarget, actor: Actor): Promise<void> =>
    transaction(async (tx) => {
      const { kind, document, title } = await editable(tx, target.entityId, actor)
      const rules = await rulesIn(tx)
      const own = foundIn(kind, target.entityId, document, rules)
      const found = [...own, ...(await relatedFindings(tx, [target.entityId], rules))].filter(isMeantBy(target))
      const kept = new Set((await storedOf(tx, 'findings', [target.entityId])).map(keyOf))
      const open = found.filter((each) => kept.has(keyOf(each)))
      if (open.length === 0) notFound('Finding')
      await deleteKeys(tx, 'dismissals', open)
      const by = { userId: actor._id, username: actor.username, createdAt: now() }
      const rows = open.map(({ text, ...key }) => ({ ...key, ...by, entityType: kind, textHash: hashOf(text) }))
      await insertRows(tx, 'dismissals', rows)
      await refreshFindings(tx, kind, [{ id: target.entityId, document }])
      recordDecision(tx, DISMISSED, actor, kind, target, title)
    }),

  /** Takes back that findings of an entity are no problem. Throws 404 where nobody said so. */
  undismiss: (target: FindingTarget, actor: Actor): Promise<void> =>
    transaction(async (tx) => {
      const { kind, document, title } = await editable(tx, target.entityId, actor)
      const dismissed = (await storedOf(tx, 'dismissals', [target.entityId])).filter(isMeantBy(target))
      if (dismissed.length === 0) notFound('Finding')
      await deleteKeys(tx, 'dismissals', dismissed)
      await refreshFindings(tx, kind, [{ id: target.entityId, document }])
      recordDecision(tx, REOPENED, actor, kind, target, title)
    }),
}

/** The kind of an entity with findings; undefined where there is none with this id that is not in the trash. */
async function kindOfEntity(tx: Pick<Kysely<Tables>, 'selectFrom'>, id: string): Promise<Translated | undefined> {
  for (const kind of TRANSLATED_KINDS) {
    const rows = tx.selectFrom(TABLES[kind]).select('_id').where('_id', '=', id).where('deletedAt', 'is', null)
    if (await rows.executeTakeFirst()) return kind
  }
  return undefined
}

/** The broken links of an entity, by field. */
async function linksOf(id: string): Promise<BrokenLink[]> {
  const rows = await brokenLinks(db, [id])
  return rows.map(({ field, toId, _id, filename, deletedAt }) => ({
    field,
    _id: toId,
    filename: filename ?? '',
    state: _id === null ? 'gone' : deletedAt === null ? 'failed' : 'trash',
  }))
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
  action: typeof DISMISSED | typeof REOPENED,
  actor: Actor,
  kind: Kind,
  { entityId, ...details }: FindingTarget,
  label: string,
): void {
  audit.record(tx, { action, actor, about: { type: kind, id: entityId, label }, details })
}
