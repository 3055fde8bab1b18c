// Reads that may be a little behind, from hot standbys of PostgreSQL: DATABASE_REPLICA_URL names them. What a standby does
// not answer, for whatever reason, the primary does.
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { CompiledQuery, type Driver } from 'kysely'
import pg from 'pg'
import { counter, gauge } from '#lib/metrics.ts'
import type { Access, Answer, Send } from './executor.ts'
import { hostOf, NOT_SERIALIZABLE, parseHosts } from './hosts.ts'
import { type PoolOptions, postgres } from './postgres.ts'
import { onlyReads } from './prepared.ts'

/** How often a replica is asked how far it is, and the primary, in milliseconds. */
const [LOOK_INTERVAL_MS, SAMPLE_INTERVAL_MS] = [250, 1000]
/** A replica that does not answer so soon is away. */
const LOOK_TIMEOUT_MS = 2000
/** Nobody reads from a replica that is further behind, where DATABASE_REPLICA_LAG does not say. */
const MAX_LAG_SECONDS = 10
/** SQLSTATE of what a replica breaks off because of what it replays; the next statement may do well. */
const CONFLICT = '40001'

/** How much of the log there was, in bytes, and when that was asked. */
interface Sample {
  at: number
  end: bigint
}

interface Replica {
  url: string
  /** Its host and port. */
  name: string
  access: Access
  driver: Driver
  /** How much of the log it has replayed at least; undefined while it is away. */
  replayed: bigint | undefined
}

/** A call of the API while it is answered. */
export interface Call {
  /** Whether its reads may come from a replica, and the position that has to have been replayed there. */
  mayLag: boolean
  position: bigint
  /** Calls of the same session prefer the same replica, so that time does not run backwards. */
  session: string
  /** Whether something was, or may have been, written. Then all that comes after it is read on the primary. */
  wrote: boolean
  /** Where its reads come from: all from the same replica, or from one moment on from the primary. */
  from: Replica | undefined
}

const calls = new AsyncLocalStorage<Call>()
let replicas: Replica[] = []
let closing = new AbortController()
/** What is known of the primary, the last one last. */
let samples: Sample[] = []
let areAllowed = false
let askPrimary: Send | undefined
let maxLagMs = 0

const reads = counter('database_reads_total', 'Statements of calls that only read, by who answered them', ['target'])
const failures = counter('database_replica_failures_total', 'Reads that a replica did not answer, by SQLSTATE', [
  'code',
])
gauge('database_replica_lag_seconds', 'How far a replica is behind at most; left out while it is away', ['host'], () =>
  replicas.flatMap((replica) => {
    const lag = lagOf(replica)
    return Number.isFinite(lag) ? [{ labels: { host: replica.name }, value: lag / 1000 }] : []
  }),
)
gauge('database_replica_usable', '1 while a replica is read from', ['host'], () =>
  replicas.map((replica) => ({ labels: { host: replica.name }, value: isUsable(replica, 0n) ? 1 : 0 })),
)

/**
 * Begins to watch the standbys that `url` names, of the primary that `ask` asks. They are read from once `allowReplicas`
 * says so, and while they are not further behind than `maxLag`, in seconds.
 */
export function openReplicas(
  url: string,
  ask: Send,
  { maxLag = MAX_LAG_SECONDS, ...options }: PoolOptions & { maxLag?: number | undefined },
): void {
  maxLagMs = maxLag * 1000
  closing = new AbortController()
  const { signal } = closing
  askPrimary = ask
  replicas = (parseHosts(url)?.urls ?? []).map((each) => ({
    url: each,
    name: hostOf(each),
    ...postgres(each, { ...options, isReplica: true }),
    replayed: undefined,
  }))
  for (const replica of replicas) void replica.driver.init().then(() => watch(replica, signal))
  void repeat(SAMPLE_INTERVAL_MS, signal, () => sample(ask))
}

/** Whether replicas are read from, now or as soon as they can be. */
export const hasReplicas = (): boolean => replicas.length > 0

/** Ends what `openReplicas` began. */
export async function closeReplicas(): Promise<void> {
  closing.abort()
  const closed = replicas
  replicas = []
  await Promise.allSettled(closed.map(({ driver }) => driver.destroy()))
}

/** Says whether all that is written is noted, so that who wrote it can be kept from reading what was before. */
export function allowReplicas(isAllowed: boolean): void {
  // What was written until now was perhaps not: replicas have to get past it.
  if (isAllowed && !areAllowed) samples = []
  areAllowed = isAllowed
}

/**
 * Writes into the row of a session how much of the log there is. It has a commit of its own, after those of the session,
 * for only then is it known where these ended. It does not wait for the disk: what is lost with a primary that crashes is
 * a note that replicas have gone past by the time it is back.
 */
export async function writePosition(session: string): Promise<void> {
  const text = `WITH "unawaited" AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
    UPDATE "sessions" SET "position" = pg_current_wal_insert_lsn()::text FROM "unawaited" WHERE "_id" = $1`
  await askPrimary?.(CompiledQuery.raw(text, [session]))
}

/** Does the work of a call: what it reads, in no transaction, comes from where `call` says. */
export const inCall = <T>(call: Call, work: () => T): T => calls.run(call, work)

/** Notes that the call that is answered, if one is, may write. */
export function noteWrite(): void {
  const call = calls.getStore()
  if (call) call.wrote = true
}

/** Answers a statement from a replica; undefined where that may not be, or did not work. */
export async function readFromReplica(query: CompiledQuery): Promise<Answer | undefined> {
  const call = calls.getStore()
  if (!call) return undefined
  if (!isRead(query.sql)) call.wrote = true
  if (call.wrote) call.from = undefined
  else if (call.mayLag) call.from ??= choose(call)
  const { from } = call
  if (!from) {
    // Never back: it may have read something newer by then.
    call.mayLag = false
    reads.inc({ target: 'primary' })
    return undefined
  }
  try {
    const answer = await from.access.send(query)
    reads.inc({ target: 'replica' })
    return answer
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (code !== CONFLICT) from.replayed = undefined
    failures.inc({ code: String(code).slice(0, 20) })
    call.mayLag = false
    call.from = undefined
    return undefined
  }
}

/** The texts that were looked at; those that name a list of values are without number. */
const known = new Map<string, boolean>()
const MAX_KNOWN = 2000
function isRead(text: string): boolean {
  const is = known.get(text) ?? onlyReads(text)
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(text, is)
  return is
}

function choose({ position, session }: Call): Replica | undefined {
  const first = Number.parseInt(session.slice(-6), 16) || 0
  for (let at = 0; at < replicas.length; at += 1) {
    const replica = replicas[(first + at) % replicas.length]
    if (replica && isUsable(replica, position)) return replica
  }
  return undefined
}

const isUsable = (replica: Replica, position: bigint): boolean =>
  areAllowed && replica.replayed !== undefined && replica.replayed >= position && lagOf(replica) <= maxLagMs

/** How long ago the primary was as far as a replica is now, in milliseconds; infinite where that is not known. */
function lagOf({ replayed }: Replica): number {
  const reached = samples.findLast(({ end }) => replayed !== undefined && end <= replayed)
  if (!reached) return Infinity
  return reached === samples.at(-1) ? 0 : performance.now() - reached.at
}

/** Two databases are the same when they have the same identifier, and one follows the other. */
const IDENTIFIER = `(SELECT "system_identifier"::text FROM pg_control_system()) AS "system"`
let system: string | undefined

/** Looks how far the primary is. While it is away, what was known of it stays. */
async function sample(ask: Send): Promise<void> {
  const text = `SELECT pg_current_wal_lsn()::text AS "end", ${IDENTIFIER}`
  // The answer may take long: the primary was as far as that at this moment at the earliest.
  const at = performance.now()
  const [row] = (await ask(CompiledQuery.raw(text))).rows as { end: string; system: string }[]
  if (!row) return
  const end = parsePosition(row.end)
  // After a failover, the log may be shorter.
  const isShorter = system !== row.system || (samples.at(-1)?.end ?? 0n) > end
  system = row.system
  const kept = isShorter ? [] : samples.filter((each) => at - each.at < 2 * maxLagMs)
  samples = [...kept, { at, end }]
}

/** Follows a replica over a connection of its own: when that ends, or does not answer, the replica is away. */
async function watch(replica: Replica, signal: AbortSignal): Promise<void> {
  let client: pg.Client | undefined
  const gone = () => {
    replica.replayed = undefined
    void client?.end().catch(() => undefined)
    client = undefined
  }
  await repeat(LOOK_INTERVAL_MS, signal, async () => {
    try {
      client ??= await connect(replica.url, gone)
      const { rows } = await client.query<{ end: string | null; follows: boolean; system: string }>(
        `SELECT pg_last_wal_replay_lsn()::text AS "end", pg_is_in_recovery() AS "follows", ${IDENTIFIER}`,
      )
      const [row] = rows
      const follows = client !== undefined && row?.follows && row.system === system
      replica.replayed = follows && row.end !== null ? parsePosition(row.end) : undefined
    } catch {
      gone()
    }
  })
  gone()
}

async function connect(connectionString: string, gone: () => void): Promise<pg.Client> {
  const timeouts = { connectionTimeoutMillis: LOOK_TIMEOUT_MS, query_timeout: LOOK_TIMEOUT_MS }
  const client = new pg.Client({ connectionString, ...timeouts })
  client.on('error', gone)
  client.on('end', gone)
  await client.connect()
  await client.query(NOT_SERIALIZABLE)
  return client
}

async function repeat(ms: number, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await work().catch(() => undefined)
    await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined)
  }
}

/** A position in the log, as PostgreSQL writes it: `16/B374D848` is 0x16B374D848. */
export function parsePosition(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}
