import type {
  AuditArea,
  AuditEntry,
  AuditExportQuery,
  AuditPage,
  AuditQuery,
  ChainState,
} from '@mokuroku/contract/audit'
import type * as z from 'zod/mini'
import { lateWrite, db, type Transaction, transaction } from '#database/db.ts'
import { watchWith } from '#ledger/record.ts'
import { recordLater } from './coalesce.ts'
import { auditEvents } from './ledgerEvents.ts'
import { append, type AuditEvent } from './append.ts'
import { deleteTruncated, truncateBefore } from './truncate.ts'

export { ACCEPTED } from './ledgerEvents.ts'

/** Maximum number of entries scanned for one page of a search; the response then says where to continue. */
const MAX_SCANNED_ENTRIES = 20_000
/** Number of entries read at a time. */
const BATCH_SIZE = 500

type Filters = Omit<z.output<typeof AuditExportQuery>, 'format'>
/** A range of entry numbers (`after` and `before` are exclusive), its direction and the batch size. */
interface SeqRange {
  after?: number | undefined
  before?: number | undefined
  upwards: boolean
  size?: number
}

const pendingEvents = lateWrite<AuditEvent[]>('audit', () => [], append)

export const audit = {
  /**
   * Records what a transaction does, in that same transaction: both are stored, or neither. Written last, because it
   * locks the head of the log for everybody else until the transaction ends.
   */
  record: (tx: Transaction, ...events: AuditEvent[]): void => void pendingEvents(tx).push(...events),

  /** Records immediately something that is no write but must not happen unrecorded. Throws if it cannot. */
  recordNow: (event: AuditEvent): Promise<void> => transaction((tx) => append(tx, [event])),

  /** Records something that is no write, after the response. Repetitions are coalesced (coalesce.ts). */
  recordLater,

  truncateBefore,
  deleteTruncated,

  /** A page, newest first. */
  list: async ({ before, after, limit, ...filters }: z.output<typeof AuditQuery>): Promise<AuditPage> => {
    const upwards = after !== undefined && before === undefined
    const stretch = { before, after, upwards, size: filters.search ? BATCH_SIZE : limit + 1 }
    const found: AuditEntry[] = []
    let [scanned, last] = [0, 0]
    for await (const entries of readBatches(filters, stretch)) {
      found.push(...entries.filter(matchesSearch(filters)))
      scanned += entries.length
      last = entries.at(-1)?.seq ?? last
      if (found.length > limit || scanned >= MAX_SCANNED_ENTRIES) break
    }
    const shown = found.slice(0, limit)
    const further = found.length > limit ? (shown.at(-1)?.seq ?? last) : scanned >= MAX_SCANNED_ENTRIES ? last : null
    if (upwards) shown.reverse()
    const [newest, oldest] = [shown[0]?.seq, shown.at(-1)?.seq]
    return {
      data: await withAvatars(shown),
      older: upwards ? (oldest ?? (after ?? 0) + 1) : further,
      newer: upwards ? further : before === undefined ? null : (newest ?? before - 1),
    }
  },

  /** All entries up to now, oldest first, in batches. */
  all: async function* (filters: Filters): AsyncGenerator<AuditEntry[]> {
    const { seq } = await head()
    for await (const entries of readBatches(filters, { before: seq + 1, upwards: true }))
      yield entries.filter(matchesSearch(filters))
  },

  /** What was done to one entity in an area, newest first, up to `limit`. */
  about: (entityId: string, area: AuditArea, limit: number): Promise<AuditEntry[]> =>
    db
      .selectFrom('audit')
      .selectAll()
      .where('entityId', '=', entityId)
      .where('area', '=', area)
      .orderBy('seq', 'desc')
      .limit(limit)
      .execute(),

  state: async (): Promise<ChainState> => {
    const { seq, hash, deletedSeq } = await head()
    const last = await db
      .selectFrom('audit')
      .select(['createdAt', 'actorName', 'details'])
      .where('action', '=', 'audit.verified')
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirst()
    const checked = last && { at: last.createdAt, by: last.actorName, ...(last.details as { entries: number }) }
    return { entries: seq - deletedSeq, deletedSeq, hash, checked: checked ?? null }
  },
}

watchWith((tx, change) => audit.record(tx, ...auditEvents(change)))

const head = () =>
  db.selectFrom('auditHead').select(['seq', 'hash', 'deletedSeq']).where('_id', '=', 'head').executeTakeFirstOrThrow()

/** The entries that match the filters (except the search), in batches. */
async function* readBatches(filters: Filters, { before, after, upwards, size = BATCH_SIZE }: SeqRange) {
  const { area, outcome, actor, target, from, to } = filters
  const [{ deletedSeq }, first, last] = await Promise.all([
    head(),
    from ? boundarySeq('>=', from) : undefined,
    to ? boundarySeq('<', to) : undefined,
  ])
  let [low, high] = [
    Math.max(after ?? 0, (first ?? 1) - 1, deletedSeq),
    Math.min(before ?? Infinity, (last ?? Infinity) + 1),
  ]
  for (;;) {
    const entries = await db
      .selectFrom('audit')
      .selectAll()
      .where('seq', '>', low)
      .$if(high < Infinity, (query) => query.where('seq', '<', high))
      .$if(area !== undefined, (query) => query.where('area', '=', area ?? 'audit'))
      .$if(outcome !== undefined, (query) => query.where('outcome', '=', outcome ?? 'ok'))
      .$if(actor !== undefined, (query) => query.where('actorId', '=', actor ?? ''))
      .$if(target !== undefined, (query) => query.where('entityId', '=', target ?? ''))
      .$if(from !== undefined, (query) => query.where('createdAt', '>=', from ?? ''))
      .$if(to !== undefined, (query) => query.where('createdAt', '<', to ?? ''))
      .orderBy('seq', upwards ? 'asc' : 'desc')
      .limit(size)
      .execute()
    yield entries
    const end = entries.at(-1)?.seq
    if (entries.length < size || end === undefined) return
    if (upwards) low = end
    else high = end
  }
}

/**
 * The number of the first entry at or after a moment (`>=`), or of the last one before it (`<`). Works because numbers
 * increase with time, unless a clock was far ahead (append.ts). If there is none, a number outside every range.
 */
async function boundarySeq(side: '>=' | '<', moment: string): Promise<number> {
  const direction = side === '<' ? 'desc' : 'asc'
  const found = await db
    .selectFrom('audit')
    .select('seq')
    .where('createdAt', side, moment)
    .orderBy('createdAt', direction)
    .orderBy('seq', direction)
    .limit(1)
    .executeTakeFirst()
  return found?.seq ?? (side === '<' ? 0 : 2_147_483_647)
}

function matchesSearch({ search }: Filters): (entry: AuditEntry) => boolean {
  const searched = search?.toLowerCase()
  return ({ actorName, label, address }) =>
    !searched || [actorName, label, address].some((text) => text.toLowerCase().includes(searched))
}

async function withAvatars(entries: AuditEntry[]): Promise<AuditPage['data']> {
  const ids = [...new Set(entries.map(({ actorId }) => actorId))].filter((id) => id !== '')
  const rows =
    ids.length === 0 ? [] : await db.selectFrom('users').select(['_id', 'avatar']).where('_id', 'in', ids).execute()
  const avatars = new Map(rows.map(({ _id, avatar }) => [_id, avatar]))
  return entries.map((entry) => ({ ...entry, avatar: avatars.get(entry.actorId) ?? '' }))
}
