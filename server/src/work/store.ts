import { MAX_TOTAL, PAGING } from '@mokuroku/contract/lists'
import { type Claimed, type ClaimInput, MAX_RESERVED, RESERVED_MS } from '@mokuroku/contract/work'
import { sql, type SqlBool } from 'kysely'
import { type Actor, enforce, checkPermission } from '#access/permissions.ts'
import { transactionAs } from '#access/session.ts'
import { db, type Transaction } from '#database/db.ts'
import { deleteRows } from '#database/deleteRows.ts'
import { TABLES } from '#database/tables.ts'
import { parseFilters } from '#ledger/listFilters.ts'
import { forbidden } from '#lib/errors.ts'
import { momentIn, now } from '#lib/clock.ts'
import { findingCountOf, lists } from '#store/lists'

/** How often a claim retries when others were faster. */
const MAX_ROUNDS = 5

type Filter = Parameters<typeof lists.matching>[1]

export const work = {
  /**
   * Reserves the next entities of a queue for `actor`, in the order of ids. Throws 400 for filters that the list does
   * not have, and 403 if the actor may not edit anything of this kind.
   */
  claim: async ({ entityType, filter, after = '', limit }: ClaimInput, actor: Actor): Promise<Claimed> => {
    enforce(checkPermission(actor, 'edit', entityType, actor._id))
    const asked = parseFilters(entityType, withoutEmpty(filter), { at: 'filter' }) as Filter
    const own = checkPermission(actor, 'edit', entityType).allowed ? undefined : actor._id
    const until = momentIn(RESERVED_MS)
    if (own && asked.createdBy && asked.createdBy !== own) return { ids: [], total: 0, until }
    const query: Filter = own ? { ...asked, createdBy: own } : asked
    const total = await totalOf(entityType, query)
    const ids = new Set<string>()
    for (let round = 0; round < MAX_ROUNDS && ids.size < limit; round += 1) {
      const wanted = limit - ids.size
      const from = [...ids].at(-1) ?? after
      const free = freeFor(`${TABLES[entityType]}._id`, actor._id)
      const found = await lists.matching(entityType, query, from, wanted, free)
      if (found.length > 0) for (const id of await reserve(found, entityType, actor, until)) ids.add(id)
      if (found.length < wanted) break
    }
    return { ids: [...ids].toSorted(), total, until }
  },

  /** Releases reservations of `actor`. If somebody else holds one of the entities, throws 403 and releases nothing. */
  release: (ids: string[], actor: Actor): Promise<void> =>
    transactionAs(actor, async (tx) => {
      const others = tx
        .selectFrom('reservations')
        .select('entityId')
        .where('entityId', 'in', ids)
        .where('userId', '!=', actor._id)
        .where('until', '>', now())
        .limit(1)
      if (await others.executeTakeFirst()) forbidden('reservedByOther')
      await tx.deleteFrom('reservations').where('entityId', 'in', ids).where('userId', '=', actor._id).execute()
    }),

  /** Deletes expired reservations. */
  deleteExpired: async (): Promise<void> => {
    await deleteRows(db, 'reservations', ['until', '<=', now()])
  },
}

/** The total: from a counter for a finding in a single language, otherwise counted as for lists. */
async function totalOf(kind: ClaimInput['entityType'], query: Filter): Promise<number> {
  const others = Object.entries(query).filter(([name, value]) => !PAGING.includes(name) && value !== undefined)
  const [[name, asked] = ['', '']] = others
  if (others.length === 1 && name === 'finding') {
    const { count } = await findingCountOf(kind, String(asked))
    if (count !== undefined) return Math.min(count, MAX_TOTAL + 1)
  }
  return (await lists.page(kind, { ...query, page: 1, limit: 1 })).total
}

/** Removes empty filters, which filter nothing, as in a URL. */
const withoutEmpty = (filter: Record<string, string>) =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''))

/**
 * A condition that nobody else has reserved a row. Reservations that end too far ahead come from a wrong clock and are
 * ignored.
 */
function freeFor(id: string, userId: string) {
  const [from, to] = live()
  return sql<SqlBool>`NOT EXISTS (SELECT 1 FROM "reservations" "held" WHERE "held"."entityId" = ${sql.ref(id)} AND "held"."userId" <> ${userId} AND "held"."until" > ${from} AND "held"."until" < ${to})`
}

/** The range of end times of valid reservations. */
const live = (): [string, string] => [now(), momentIn(3 * RESERVED_MS)]

/** Reserves entities that are free or already reserved by this user, in one statement; returns those it got. */
const reserve = (ids: string[], entityType: ClaimInput['entityType'], caller: Actor, until: string) =>
  transactionAs(caller, async (tx, actor) => {
    const { _id: userId } = actor
    enforce(checkPermission(actor, 'edit', entityType, userId))
    const [from, to] = live()
    const taken = await tx
      .insertInto('reservations')
      .values(ids.map((entityId) => ({ entityId, entityType, userId, until })))
      .onConflict((conflict) =>
        conflict
          .column('entityId')
          .doUpdateSet({ entityType, userId, until })
          .where((row) =>
            row.or([
              row('reservations.userId', '=', userId),
              row('reservations.until', '<=', from),
              row('reservations.until', '>=', to),
            ]),
          ),
      )
      .returning('entityId')
      .execute()
    await freeOldest(tx, userId)
    return taken.map(({ entityId }) => entityId)
  })

/** Releases a user's oldest reservations beyond the limit. */
async function freeOldest(tx: Transaction, userId: string): Promise<void> {
  const over = await tx
    .selectFrom('reservations')
    .select('entityId')
    .where('userId', '=', userId)
    .orderBy('until', 'desc')
    .orderBy('entityId', 'desc')
    .offset(MAX_RESERVED)
    .limit(100)
    .execute()
  if (over.length === 0) return
  const ids = over.map(({ entityId }) => entityId)
  await tx.deleteFrom('reservations').where('entityId', 'in', ids).where('userId', '=', userId).execute()
}
