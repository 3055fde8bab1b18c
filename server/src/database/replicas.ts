// Reads that may be slightly stale, from the hot standbys of PostgreSQL in DATABASE_REPLICA_URL. What a standby does
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

/** How often each replica, and the primary, is asked for its WAL position, in milliseconds. */
const [CHECK_INTERVAL_MS, SAMPLE_INTERVAL_MS] = [250, 1000]
/** A replica that does not answer within this time is unavailable. */
const CHECK_TIMEOUT_MS = 2000
/** Replicas with more lag are not read from; the default of DATABASE_REPLICA_LAG. */
const MAX_LAG_SECONDS = 10
/** SQLSTATE of a query that a replica cancels because it conflicts with replay; the next one may succeed. */
const CONFLICT = '40001'

/** The WAL position of the primary, in bytes, and when it was asked for. */
interface Sample {
  at: number
  end: bigint
}

type Log = ((line: string) => void) | undefined

interface Replica {
  url: string
  /** Its host and port. */
  name: string
  access: Access
  driver: Driver
  /** The WAL position that it has replayed at least; undefined while it is unavailable. */
  replayed: bigint | undefined
  /** Whether the log says why it is not read from. */
  isReported: boolean
}

/** An API call that is being answered. */
export interface Call {
  /** Whether its reads may come from a replica, and the WAL position that the replica has to have replayed. */
  mayLag: boolean
  position: bigint
  /** Calls of the same session prefer the same replica, so that time does not run backwards for its user. */
  session: string
  /** Whether something was, or may have been, written. From then on, the call reads from the primary. */
  wrote: boolean
  /**
   * The replica that all reads of the call come from; undefined before the first read, and once they come from the
   * primary.
   */
  from: Replica | undefined
}

const calls = new AsyncLocalStorage<Call>()
let replicas: Replica[] = []
let closing = new AbortController()
/** Recent positions of the primary, the newest last. */
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
 * Starts monitoring the standbys at `url`, of the primary that `ask` queries. They are read from once `allowReplicas`
 * permits it, and while their lag is at most `maxLag` seconds.
 */
export function openReplicas(
  url: string,
  ask: Send,
  { maxLag = MAX_LAG_SECONDS, log, ...options }: PoolOptions & { maxLag?: number | undefined; log?: Log },
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
    isReported: false,
  }))
  for (const replica of replicas) void replica.driver.init().then(() => watch(replica, signal, log))
  void repeat(SAMPLE_INTERVAL_MS, signal, () => sample(ask))
}

/** Whether replicas are configured: they are read from now, or as soon as possible. */
export const hasReplicas = (): boolean => replicas.length > 0

/** Stops what `openReplicas` started. */
export async function closeReplicas(): Promise<void> {
  closing.abort()
  const closed = replicas
  replicas = []
  await Promise.allSettled(closed.map(({ driver }) => driver.destroy()))
}

/**
 * Sets whether replicas may be read from: only while all servers record the positions of writes, so that users read
 * their own writes.
 */
export function allowReplicas(isAllowed: boolean): void {
  // Earlier writes may not have been recorded: replicas have to replay beyond them first.
  if (isAllowed && !areAllowed) samples = []
  areAllowed = isAllowed
}

/**
 * Stores the current WAL position of the primary in the row of a session. This is a transaction of its own, after those
 * of the session, since only then is their end known. Its commit does not wait for the disk: if the primary crashes, a
 * lost position is one that replicas have passed by the time it is back.
 */
export async function writePosition(session: string): Promise<void> {
  const text = `WITH "unawaited" AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
    UPDATE "sessions" SET "position" = pg_current_wal_insert_lsn()::text FROM "unawaited" WHERE "_id" = $1`
  await askPrimary?.(CompiledQuery.raw(text, [session]))
}

/** Runs the work of a call: reads outside a transaction come from where `call` says. */
export const inCall = <T>(call: Call, work: () => T): T => calls.run(call, work)

/** Records that the current call, if there is one, may write. */
export function noteWrite(): void {
  const call = calls.getStore()
  if (call) call.wrote = true
}

/** Answers a statement from a replica. Undefined if that is not allowed or failed. */
export async function readFromReplica(query: CompiledQuery): Promise<Answer | undefined> {
  const call = calls.getStore()
  if (!call) return undefined
  if (!isRead(query.sql)) call.wrote = true
  if (call.wrote) call.from = undefined
  else if (call.mayLag) call.from ??= choose(call)
  const { from } = call
  if (!from) {
    // The call stays with the primary: it may read something there that replicas do not have yet.
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

/** The state of the database, and with it the session, is asked of the primary. */
const OF_PRIMARY = /\bpg_current_snapshot\b/
/** Cache of which texts may be sent to a replica. It is bounded, since texts with inline lists of values are unlimited. */
const known = new Map<string, boolean>()
const MAX_KNOWN = 2000
function isRead(text: string): boolean {
  const is = known.get(text) ?? (onlyReads(text) && !OF_PRIMARY.test(text))
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

/**
 * The lag of a replica: how long ago the primary was at the position that the replica has now, in milliseconds;
 * infinite if unknown.
 */
function lagOf({ replayed }: Replica): number {
  const reached = samples.findLast(({ end }) => replayed !== undefined && end <= replayed)
  if (!reached) return Infinity
  return reached === samples.at(-1) ? 0 : performance.now() - reached.at
}

/** A standby belongs to the primary if both have this in common: the system, the database and the schema. */
const IDENTIFIER = `(SELECT concat_ws(' ', "system_identifier", current_database(), current_schema())
  FROM pg_control_system()) AS "system"`
let system: string | undefined

/** Records the position of the primary. While it is unreachable, earlier samples are kept. */
async function sample(ask: Send): Promise<void> {
  const text = `SELECT pg_current_wal_lsn()::text AS "end", ${IDENTIFIER}`
  // Taken before the query, which may take long: too early a time makes the lag look longer, never shorter.
  const at = performance.now()
  const [row] = (await ask(CompiledQuery.raw(text))).rows as { end: string; system: string }[]
  if (!row) return
  const end = parsePosition(row.end)
  // After a failover, the WAL may be shorter.
  const isShorter = system !== row.system || (samples.at(-1)?.end ?? 0n) > end
  system = row.system
  const kept = isShorter ? [] : samples.filter((each) => at - each.at < 2 * maxLagMs)
  samples = [...kept, { at, end }]
}

/** Monitors a replica over a dedicated connection: if that is lost or does not answer, the replica is unavailable. */
async function watch(replica: Replica, signal: AbortSignal, log?: Log): Promise<void> {
  let client: pg.Client | undefined
  const disconnect = () => {
    replica.replayed = undefined
    void client?.end().catch(() => undefined)
    client = undefined
  }
  const report = (why: string) => {
    if (!replica.isReported && !signal.aborted)
      log?.(`${replica.name} in DATABASE_REPLICA_URL ${why}, and is not read from.`)
    replica.isReported = true
  }
  await repeat(CHECK_INTERVAL_MS, signal, async () => {
    try {
      client ??= await connect(replica.url, disconnect)
      const { rows } = await client.query<{ end: string | null; follows: boolean; system: string }>(
        `SELECT pg_last_wal_replay_lsn()::text AS "end", pg_is_in_recovery() AS "follows", ${IDENTIFIER}`,
      )
      const [row] = rows
      if (!row || system === undefined) return
      const follows = client !== undefined && row.follows && row.system === system
      replica.replayed = follows && row.end !== null ? parsePosition(row.end) : undefined
      if (row.system !== system) report('has another database than DATABASE_URL')
      // Among several hosts, one is the primary.
      else if (!row.follows && replicas.length === 1) report('is not a standby')
      else replica.isReported = false
    } catch (error) {
      disconnect()
      // Node gives several refused addresses of one host no message.
      const { message, code } = error as { message: string; code?: string }
      report(`cannot be used (${message || code})`)
    }
  })
  disconnect()
}

async function connect(connectionString: string, onLost: () => void): Promise<pg.Client> {
  const timeouts = { connectionTimeoutMillis: CHECK_TIMEOUT_MS, query_timeout: CHECK_TIMEOUT_MS }
  const client = new pg.Client({ connectionString, ...timeouts })
  client.on('error', onLost)
  client.on('end', onLost)
  try {
    await client.connect()
    await client.query(NOT_SERIALIZABLE)
    return client
  } catch (error) {
    // Without an answer, the connection would stay open.
    void client.end().catch(() => undefined)
    throw error
  }
}

async function repeat(ms: number, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await work().catch(() => undefined)
    await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined)
  }
}

/** Parses a WAL position (LSN) as PostgreSQL prints it: `16/B374D848` is 0x16B374D848. */
export function parsePosition(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}
