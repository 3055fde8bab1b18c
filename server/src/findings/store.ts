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
import { type Kind, TRANSLATED_KINDS, type Translated } from '@mokuroku/contract/kinds'
import type { Document } from '@mokuroku/contract/merge'
import type * as z from 'zod/mini'
import { db, type Reader, transaction, type Transaction } from '#database/db.ts'
import { insertRows } from '#database/insert.ts'
import { type FindingKey, TABLES } from '#database/tables.ts'
import type { Actor } from '#access/permissions.ts'
import { countersBeginning, countersOf } from '#ledger/counters.ts'
import { pairCounter } from '#ledger/duplicatePairs.ts'
import { definitionOf } from '#ledger/registry.ts'
import { refuseMerged } from '#ledger/merges.ts'
import { authorizeNow, fieldsOf, presentRow } from '#ledger/rows.ts'
import { notFound } from '#lib/errors.ts'
import { now } from '#lib/clock.ts'
import { audit } from '#store/audit'
import { countersOfKind, foundIn, hashOf, keyOf, presentOf, subjectOf } from '#ledger/findingRows.ts'
import { refreshFindings } from '#ledger/findings.ts'
import { countWrite } from '#ledger/writeLimit.ts'
import { deleteKeys, rulesIn, storedOf } from '#ledger/findingStore.ts'
import { brokenLinks, relatedFindings } from '#ledger/relatedFindings.ts'
import { likelyKeys } from '#ledger/titleKeys.ts'

const [DISMISSED, REOPENED] = ['findings.dismissed', 'findings.reopened'] as const
/** Maximum number of counts in a response, since users can make up any number of language tags. */
export const MAX_COUNTS = 1000
/** How many entities of an owner are examined. */
const MAX_OWN = 10_000
/** Maximum number of decisions returned for one entity. */
const MAX_DECISIONS = 500
/** How many entities with the same title are examined to find the nearest ones. */
const MAX_ALIKE = 500
/** So many likely duplicates of one document are returned. */
const MAX_LIKELY = 5

export const findings = {
  /** The number of entities of a kind with each finding, from counters; the MAX_COUNTS highest. */
  counts: async ({ entityType, code, language }: z.output<typeof FindingQuery>): Promise<FindingCount[]> => {
    const rows = await findings.countsOfLanguages(entityType, code, language)
    return rows.filter((row) => language === undefined || row.language === language)
  },

  /** As `counts`; with a code, only of the languages whose tags begin with `beginning`. */
  countsOfLanguages: async (kind: Kind, code?: FindingCode, beginning = ''): Promise<FindingCount[]> => {
    const prefix = countersOfKind(kind) + (code ? `${code}.${beginning}` : '')
    const rows = await countersBeginning(prefix, MAX_COUNTS)
    return rows.map(({ name, value }) => ({ ...subjectOf(name), count: value }))
  },

  /** The number of entities of a kind created by a user with each finding; at most MAX_OWN entities are examined. */
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

  /** The findings of an entity, and the dismissed ones. Throws 404 if it does not exist or is in the trash. */
  ofEntity: async (id: string): Promise<{ data: Finding[]; dismissed: Dismissal[] }> => {
    if (!(await kindOfEntity(db, id))) notFound('Entity')
    const rowsIn = (table: 'findings' | 'dismissals') =>
      db.selectFrom(table).where('entityId', '=', id).orderBy('code').orderBy('language').orderBy('field')
    const [data, dismissed] = await Promise.all([
      rowsIn('findings').selectAll('findings').execute(),
      rowsIn('dismissals').selectAll('dismissals').execute(),
    ])
    const links = data.some(({ code }) => code === 'brokenLink') ? await linksOf(id) : []
    // A finding that was dismissed for an earlier text and found again is open.
    const open = new Set(data.map(keyOf))
    return {
      data: data.map(({ code, language, field, since }) => ({
        code,
        ...presentOf({ language, field }),
        since,
        ...(code === 'brokenLink' && { links }),
      })),
      dismissed: dismissed
        .filter((each) => !open.has(keyOf(each)))
        .map(({ code, language, field, username, createdAt }) => ({
          code,
          ...presentOf({ language, field }),
          username,
          createdAt,
        })),
    }
  },

  /** Who dismissed or reopened which finding of an entity, newest first, from the audit log. */
  decisions: async (id: string): Promise<FindingDecision[]> => {
    if (!(await kindOfEntity(db, id))) notFound('Entity')
    const entries = await audit.about(id, 'findings', MAX_DECISIONS)
    return entries.map(({ _id, action, actorId: userId, actorName: username, details, createdAt }) => ({
      // As written by `recordDecision`.
      ...(details as Omit<FindingTarget, 'entityId'>),
      _id,
      isDismissed: action === DISMISSED,
      userId,
      username,
      createdAt,
    }))
  },

  /** The language-specific findings of the given entities of a kind. */
  marks: async (kind: Translated, ids: readonly string[], only?: FindingCode): Promise<LanguageMark[]> => {
    // Filtered by id only: with the kind as well, the database may read all rows of the kind.
    const rows = await db
      .selectFrom('findings')
      .select(['entityType', 'entityId', 'code', 'language'])
      .where('entityId', 'in', ids)
      .orderBy('entityId')
      .orderBy('code')
      .orderBy('language')
      .execute()
    const marks = rows
      .filter(({ entityType, code, language }) => entityType === kind && (only ? code === only : language !== ''))
      .map(({ entityId, code, language }) => [`${entityId} ${code} ${language}`, { entityId, code, language }] as const)
    return [...new Map(marks).values()]
  },

  /** Entities of a kind that have a finding about a language ('' for none), in the order of their ids after a cursor. */
  idsWith: async (
    tx: Reader,
    { kind, code, language, cursor }: { kind: Kind; code: FindingCode; language: string; cursor: string },
    limit: number,
  ): Promise<string[]> => {
    const rows = await tx
      .selectFrom('findings')
      .select('entityId')
      .where('entityType', '=', kind)
      .where('code', '=', code)
      .where('language', '=', language)
      .where('entityId', '>', cursor)
      .orderBy('entityId')
      .limit(limit)
      .execute()
    return rows.map(({ entityId }) => entityId)
  },

  /** A page of likely duplicates of a kind, as pairs in the order of their ids, each once, and the total. */
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
   * Entities that are likely duplicates of a document, which need not be stored yet; those with the nearest release day
   * first. `id` is the document's own entity, if there is one.
   */
  likeliest: async (kind: Translated, document: Document, id = ''): Promise<string[]> => {
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
      .where('entityId', '!=', id)
      .orderBy('key')
      .orderBy('day')
      .orderBy('entityId')
      .limit(MAX_ALIKE)
    const rows = await db.selectFrom(alike.as('alike')).select(['entityId', 'day']).distinct().execute()
    const apart = (row: { day: number }) => Math.abs(row.day - day)
    const nearest = rows.toSorted((one, other) => apart(one) - apart(other) || (one.entityId < other.entityId ? -1 : 1))
    return nearest.slice(0, MAX_LIKELY).map(({ entityId }) => entityId)
  },

  /** Dismisses findings of an entity, as long as it keeps its current texts. Throws 404 if there are none. */
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
      await countWrite(tx, actor, rows)
      await insertRows(tx, 'dismissals', rows)
      await refreshFindings(tx, kind, [{ id: target.entityId, document }])
      recordDecision(tx, DISMISSED, actor, kind, target, title)
    }),

  /** Reopens dismissed findings of an entity. Throws 404 if there are none. */
  undismiss: (target: FindingTarget, actor: Actor): Promise<void> =>
    transaction(async (tx) => {
      const { kind, document, title } = await editable(tx, target.entityId, actor)
      const dismissed = (await storedOf(tx, 'dismissals', [target.entityId])).filter(isMeantBy(target))
      if (dismissed.length === 0) notFound('Finding')
      await countWrite(tx, actor, target)
      await deleteKeys(tx, 'dismissals', dismissed)
      await refreshFindings(tx, kind, [{ id: target.entityId, document }])
      recordDecision(tx, REOPENED, actor, kind, target, title)
    }),
}

/** The kind of an entity with findings; undefined if there is none with this id outside the trash. */
async function kindOfEntity(tx: Reader, id: string): Promise<Translated | undefined> {
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

/** An entity that the caller may edit, locked. Throws 404, 403, or 409 if it was merged into another one. */
async function editable(tx: Transaction, id: string, actor: Actor) {
  const kind = await kindOfEntity(tx, id)
  if (!kind) {
    await refuseMerged(tx, id, 'mergedAway')
    notFound('Entity')
  }
  const definition = definitionOf(kind)
  const row = await presentRow(definition, tx, id)
  await authorizeNow(definition, tx, { actor }, 'edit', row.createdBy)
  const document = fieldsOf(definition, row)
  return { kind, document, title: definition.title(document) }
}

/** Whether a target includes a finding; without a language or field, it matches any. */
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
