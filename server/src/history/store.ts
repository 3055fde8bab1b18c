import type { HistoryEntry, HistoryQuery } from '@mokuroku/contract/history'
import type * as z from 'zod/mini'
import { incrementCounter, countersOf } from '#ledger/counters.ts'
import { inList } from '#database/inList.ts'
import { db, type Reader, type Transaction } from '#database/db.ts'
import { type Actor, checkPermission } from '#access/permissions.ts'
import { lastGone } from '#ledger/trash.ts'
import { TRANSLATED_KINDS, type Translated } from '@mokuroku/contract/kinds'
import { type Meta, TABLES, type Tables } from '#database/tables.ts'
import { type Titles, titlesOf } from '#ledger/texts.ts'
import { firstIdAt, MAX_SKEW_MS } from '#lib/ids.ts'
import { orderByIds } from '#lib/orderByIds.ts'
import { languages } from '#store/languages'

/** Up to so many languages of a family are queried separately. */
const MAX_READ_APART = 40

type Entry = Tables['history']

export interface Rollback {
  by: string
  reason: string
  at: string
}

export const history = {
  /**
   * A page of the history, newest first; `language` includes its family. Reads the ids from an index only, then the
   * rows.
   */
  recent: async (
    { limit, skip, language, entityType }: z.output<typeof HistoryQuery>,
    actor: Actor,
  ): Promise<HistoryEntry[]> => {
    const tags = language === undefined ? undefined : await languages.inHistory(language)
    if (tags?.length === 0) return []
    const ids = await newestIn(tags, entityType, skip + limit)
      .orderBy('createdAt', 'desc')
      .orderBy('_id', 'desc')
      .limit(limit)
      .offset(skip)
      .execute()
    return byIds(
      ids.map(({ _id }) => _id),
      actor,
    )
  },

  find: async (id: string, actor: Actor): Promise<HistoryEntry | undefined> => (await byIds([id], actor))[0],

  /** The numbers of changes and rollbacks, from counters. */
  statistics: async () => {
    const kept = await countersOf(db, [...TRANSLATED_KINDS.map((kind) => `historyCount.${kind}`), 'rolledBackCount'])
    const countOf = (name: string): number => kept[name] ?? 0
    const byEntityType = Object.fromEntries(
      TRANSLATED_KINDS.map((kind) => [kind.toLowerCase(), countOf(`historyCount.${kind}`)]),
    ) as Record<Lowercase<Translated>, number>
    const totalCount = Object.values(byEntityType).reduce((sum, count) => sum + count, 0)
    return { totalCount, rolledBackCount: countOf('rolledBackCount'), byEntityType }
  },

  row: (from: Reader, id: string): Promise<Entry | undefined> =>
    from.selectFrom('history').selectAll().where('_id', '=', id).executeTakeFirst(),

  /** The changes made in a period by users who have this name now, newest first. */
  writtenBetween: async (
    tx: Transaction,
    username: string,
    from: string,
    to: string,
    limit: number,
  ): Promise<Entry[]> => {
    const named = tx
      .selectFrom('users')
      .select('_id')
      .where(({ fn }) => fn<string>('lower', ['username']), '=', inLowerCase(username))
    // The index of the names has no accounts in the trash, and that of the trash has only few.
    const users = await named
      .where('deletedAt', 'is', null)
      .unionAll(named.where('deletedAt', 'is not', null))
      .execute()
    if (users.length === 0) return []
    return tx
      .selectFrom('revisions')
      .innerJoin('history', 'history.revisionId', 'revisions._id')
      .selectAll('history')
      .where(
        'revisions.userId',
        'in',
        users.map(({ _id }) => _id),
      )
      .where('revisions.entityType', 'in', TRANSLATED_KINDS)
      .where('revisions._id', '>=', firstIdAt(Date.parse(from) - MAX_SKEW_MS))
      .where('history.createdAt', '>=', from)
      .where('history.createdAt', '<=', to)
      .orderBy('history.createdAt', 'desc')
      .orderBy('history._id', 'desc')
      .limit(limit)
      .execute()
  },

  /** The changes of a batch, newest first. */
  writtenAs: (tx: Transaction, batch: string, limit: number): Promise<Entry[]> =>
    tx
      .selectFrom('history')
      .innerJoin('revisions', 'revisions._id', 'history.revisionId')
      .selectAll('history')
      .where('revisions.batch', '=', batch)
      .orderBy('history.createdAt', 'desc')
      .orderBy('history._id', 'desc')
      .limit(limit)
      .execute(),

  /** The user who last changed a text; undefined if no change of it is kept. */
  lastAuthorOf: async (tx: Transaction, text: TextKey): Promise<string | null | undefined> =>
    (await newestOf(tx, text).select('history.updatedById').executeTakeFirst())?.updatedById,

  mark,
  byIds,

  /** Marks the newest change of a text that is not rolled back yet as rolled back. Returns its id, if there is one. */
  markRolledBack: async (
    tx: Transaction,
    { newValue, ...text }: TextKey & { newValue: string },
    rollback: Rollback,
  ): Promise<string | undefined> => {
    const cell = await newestOf(tx, text)
      .select('history._id')
      .where('history.newValue', '=', newValue)
      .where('history.isRolledBack', '=', false)
      .executeTakeFirst()
    if (cell) await mark(tx, [cell._id], rollback)
    return cell?._id
  },
}

/** Which text of which entity. */
interface TextKey {
  entityId: string
  language: string
  field: string
}

/** The newest change of a text. */
const newestOf = (tx: Transaction, { entityId, language, field }: TextKey) =>
  tx
    .selectFrom('revisions')
    .innerJoin('history', 'history.revisionId', 'revisions._id')
    .where('revisions.entityId', '=', entityId)
    .where('history.language', '=', language)
    .where('history.field', '=', field)
    .orderBy('revisions.version', 'desc')
    .limit(1)

/**
 * Selects the newest `count` entries in the given languages (all without `tags`), of one kind or all; the result may
 * contain more, in no order. An index returns the entries of one kind and language in order, so several are combined
 * with UNION ALL. For very many languages, the history is scanned instead.
 */
function newestIn(tags: string[] | undefined, entityType: Translated | undefined, count: number) {
  const entries = db.selectFrom('history').select(['_id', 'createdAt'])
  const ofKind = entityType ? entries.where('entityType', '=', entityType) : entries
  const from = (some: typeof entries) => db.selectFrom(some.as('newest')).select(['_id', 'createdAt'])
  if (!tags) return from(ofKind)
  if (tags.length > MAX_READ_APART) return from(ofKind.where('language', 'in', tags))
  const parts = (entityType ? [entityType] : TRANSLATED_KINDS).flatMap((kind) =>
    tags.map((tag) => entries.where('entityType', '=', kind).where('language', '=', tag)),
  )
  const newest = (part: typeof entries) => from(part.orderBy('createdAt', 'desc').orderBy('_id', 'desc').limit(count))
  const [only, ...others] = parts
  if (only && others.length === 0) return from(only)
  return parts.map(newest).reduce((all, part) => all.unionAll(part))
}

/**
 * ASCII letters alone, as `lower` of a column does on both engines. That of a parameter would follow the locale of the
 * database: in a Turkish one, ADMIN would become admın.
 */
const inLowerCase = (text: string): string => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** Marks entries as rolled back, if they are not yet. */
async function mark(tx: Transaction, ids: string[], { by, reason, at }: Rollback): Promise<void> {
  if (ids.length === 0) return
  // Some may have been deleted by retention meanwhile.
  const { numUpdatedRows } = await tx
    .updateTable('history')
    .set({ isRolledBack: true, rolledBackBy: by, rollbackReason: reason, rolledBackAt: at })
    .where(inList('_id', ids))
    .where('isRolledBack', '=', false)
    .executeTakeFirstOrThrow()
  incrementCounter(tx, 'rolledBackCount', Number(numUpdatedRows))
}

/** Entries in the order of the ids, as `actor` may see them. */
async function byIds(ids: string[], actor: Actor): Promise<HistoryEntry[]> {
  if (ids.length === 0) return []
  const rows = await db.selectFrom('history').selectAll().where(inList('_id', ids)).execute()
  return orderByIds(ids, await shown(rows, actor))
}

type About = Pick<Meta, '_id' | 'createdBy' | 'deletedAt'> & Titles

/**
 * Adds the titles of their entities to entries. Texts of an entity that is in the trash or permanently deleted are only
 * shown to users who may restore it, and to the author; for everybody else it no longer exists.
 */
async function shown(entries: Entry[], actor: Actor): Promise<HistoryEntry[]> {
  const [abouts, originOf] = await Promise.all([aboutsOf(entries), originsOf(entries)])
  return entries.map((entry) => {
    const about = abouts.get(entry.entityId)
    const state = stateOf(about)
    const isRestorer = mayRestore(actor, entry, about)
    const isSeen = state === 'present' || entry.updatedById === actor._id || isRestorer
    return {
      ...entry,
      entityState: isSeen ? state : ('gone' as const),
      canRestore: state === 'trashed' && isRestorer,
      ...(!isSeen && { oldValue: '', newValue: '', rollbackReason: null }),
      entityType: entry.entityType as HistoryEntry['entityType'],
      entityTitle: (isSeen && about?.title) || '',
      ...(isSeen && about?.translations && { entityTranslations: about.translations }),
      ...originOf(entry, isSeen),
    }
  })
}

/** 'trashed' as long as it can be restored; after that 'gone', even while its row waits to be purged. */
export function stateOf(about: Pick<Meta, 'deletedAt'> | undefined): HistoryEntry['entityState'] {
  if (!about) return 'gone'
  if (about.deletedAt === null) return 'present'
  return about.deletedAt > lastGone() ? 'trashed' : 'gone'
}

const mayRestore = (actor: Actor, { entityType }: Entry, about: About | undefined): boolean =>
  checkPermission(actor, 'restore', entityType, about?.createdBy).allowed

/** The entities of some entries, with one query for each kind. */
async function aboutsOf(entries: Entry[]): Promise<Map<string, About>> {
  const found = await Promise.all(
    [...Map.groupBy(entries, ({ entityType }) => entityType)].map(async ([kind, some]) => {
      const ids = [...new Set(some.map(({ entityId }) => entityId))]
      const rows = await db.selectFrom(TABLES[kind]).selectAll().where(inList('_id', ids)).execute()
      return rows.map((row) => {
        const { _id, createdBy, deletedAt } = row
        return { _id, createdBy, deletedAt, ...titlesOf(kind, row) }
      })
    }),
  )
  return new Map(found.flat().map((about) => [about._id, about]))
}

/** Origin, batch and provenance of the writes that the entries belong to. */
async function originsOf(entries: Entry[]) {
  const rows =
    entries.length === 0
      ? []
      : await db
          .selectFrom('revisions')
          .select(['_id', 'origin', 'batch', 'provenance'])
          .where('_id', 'in', [...new Set(entries.map(({ revisionId }) => revisionId))])
          .execute()
  const byId = new Map(rows.map((row) => [row._id, row]))
  return ({ revisionId, language, field }: Entry, isSeen: boolean): Pick<HistoryEntry, 'origin' | 'batch' | 'ai'> => {
    const { origin = 'person', batch = null, provenance = [] } = byId.get(revisionId) ?? {}
    const ai = isSeen && provenance.find(({ paths }) => paths.includes(`translations.${language}.${field}`))
    return { origin, batch, ...(ai && { ai }) }
  }
}
