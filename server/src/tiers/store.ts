import { reasonText } from '@mokuroku/contract/reasons'
import { newTier, type Tier, TierInput } from '@mokuroku/contract/tiers'
import type { Uses } from '@mokuroku/contract/uses'
import { sql } from 'kysely'
import { db, advisoryLock, type Transaction } from '#database/db.ts'
import { notFound, Refusal } from '#lib/errors.ts'
import { ledger } from '#ledger/ledger.ts'
import type { Tables } from '#database/tables.ts'

type Fields = Required<TierInput>
/** Up to how many accounts of a tier are counted. */
const MAX_COUNTED = 10_000
/** Maximum number of tiers outside the trash: more than anybody can tell apart. */
const MAX_TIERS = 200

/** Accounts whose scores are at least `from` and below `below`. */
export interface Range {
  from: number
  below: number
}

export const tiers = {
  ...ledger<Fields>({
    kind: 'Tier',
    fields: Object.keys(TierInput.shape),
    empty: { description: '', permissions: newTier().permissions },
    title: ({ name }) => name,
    activity: () => undefined,
    check: async (tx, id, before, after) => {
      await advisoryLock(tx, 'tiers')
      if (before?.requiredScore === 0) assertDefaultUnchanged(after)
      if (after && !before) await assertRoom(tx)
      if (after) await assertUniqueScore(tx, id, after)
    },
  }),

  /** All tiers, lowest first, with the number of accounts in each. */
  list: async (): Promise<Tier[]> => shown(await rows()),

  find: async (id: string): Promise<Tier | undefined> => (await tiers.list()).find(({ _id }) => _id === id),

  /** The number of accounts in a tier. Throws 404 if it does not exist. */
  uses: async (id: string): Promise<Uses> => {
    const { userCount: total } = (await tiers.find(id)) ?? notFound('Tier')
    const accounts = { entityType: 'User', fields: ['scores'], count: total, isAtLeast: total === MAX_COUNTED }
    return { total, by: total > 0 ? [accounts] : [], first: [] }
  },

  /** Returns a function from scores to their tier: the active one with the highest required score not above them. */
  ladder: async (): Promise<(scores: number) => Tables['tiers'] | undefined> => {
    const active = (await rows()).filter(({ isActive }) => isActive)
    return (scores) => active.findLast(({ requiredScore }) => requiredScore <= scores)
  },

  rows,
  count,

  /** The first accounts in a range of scores, lowest scores first. */
  usersIn: ({ from, below }: Range, limit: number) =>
    db
      .selectFrom('users')
      .select(['_id', 'username', 'scores'])
      .where('role', '=', 'user')
      .where('isActive', '=', true)
      .where('deletedAt', 'is', null)
      .where('scores', '>=', from)
      .where('scores', '<', below)
      .orderBy('scores')
      .orderBy('_id')
      .limit(limit)
      .execute(),
}

function rows(): Promise<Tables['tiers'][]> {
  return db
    .selectFrom('tiers')
    .selectAll()
    .where('deletedAt', 'is', null)
    .orderBy('requiredScore')
    .orderBy('createdAt')
    .orderBy('_id')
    .limit(MAX_TIERS)
    .execute()
}

async function shown(all: Tables['tiers'][]): Promise<Tier[]> {
  const active = all.filter(({ isActive }) => isActive)
  const counts = await count(
    active.map(({ requiredScore }, at) => ({ from: requiredScore, below: active[at + 1]?.requiredScore ?? Infinity })),
  )
  return all.map((tier) => ({
    ...tier,
    createdBy: tier.createdBy ?? undefined,
    userCount: counts[active.indexOf(tier)] ?? 0,
  }))
}

/** The number of accounts in each range, up to `MAX_COUNTED`, in one query that reads each range from an index. */
async function count(ranges: Range[]): Promise<number[]> {
  if (ranges.length === 0) return []
  const parts = ranges.map(
    ({ from, below }, at) => sql`SELECT ${sql.lit(at)} AS "at", COUNT(*) AS "users" FROM (
      SELECT 1 FROM "users" WHERE "role" = 'user' AND "isActive" = 1 AND "deletedAt" IS NULL
      AND "scores" >= ${from} AND "scores" < ${Math.min(below, Number.MAX_VALUE)} LIMIT ${sql.lit(MAX_COUNTED)}) AS "some"`,
  )
  const { rows: found } = await sql<{ at: number; users: number }>`${sql.join(parts, sql` UNION ALL `)}`.execute(db)
  return ranges.map((_, at) => found.find((row) => row.at === at)?.users ?? 0)
}

/**
 * Throws if the default tier is deleted, disabled or given a required score, since everybody is at least in this tier.
 */
function assertDefaultUnchanged(after: Fields | undefined): void {
  if (!after) throw new Refusal(409, 'defaultTier', reasonText('defaultTierDelete'))
  if (after.requiredScore !== 0 || !after.isActive)
    throw new Refusal(409, 'defaultTier', reasonText('defaultTierChange'))
}

async function assertRoom(tx: Transaction): Promise<void> {
  const { total } = await tx
    .selectFrom('tiers')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow()
  if (total >= MAX_TIERS) throw new Refusal(409, 'full', reasonText('tiersMany', { limit: MAX_TIERS }))
}

async function assertUniqueScore(tx: Transaction, id: string, { requiredScore, isActive }: Fields): Promise<void> {
  if (!isActive && requiredScore > 0) return
  const other = await tx
    .selectFrom('tiers')
    .select('name')
    .where('requiredScore', '=', requiredScore)
    .where('isActive', '=', true)
    .where('deletedAt', 'is', null)
    .where('_id', '!=', id)
    .executeTakeFirst()
  if (!other) return
  const message = reasonText('scoreTaken', { tier: other.name, score: requiredScore })
  throw new Refusal(409, 'duplicate', message, [{ path: 'requiredScore', message }])
}
