// The registry of the servers that use one PostgreSQL database. Each sends heartbeats, and a server that is
// incompatible with the live ones refuses to start. The embedded database has only one server, and needs no rows.
import { createHash } from 'node:crypto'
import { realpathSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import type { ExpressionBuilder } from 'kysely'
import { DAY_MS, now, time } from '#lib/clock.ts'
import { newId } from '#lib/ids.ts'
import { gauge } from '#lib/metrics.ts'
import { fromNow } from './clock.ts'
import { db, engine, advisoryLock, type Transaction, transaction, type Reader } from './db.ts'
import { additiveIn, holdSchema, newestMigration, pendingIn, schemaOf, tablesIn, Unfit } from './migrate.ts'
import { setDeltasSupported, DELTAS } from './formats.ts'
import { withoutTimeouts } from './pooledConnection.ts'
import { allowReplicas } from './replicas.ts'
import { syncClock } from './sharedClock.ts'
import { bookkeeping } from './state.ts'
import type { Tables } from './tables.ts'

/** The interval of heartbeats, and how long after the last one an instance counts as live, in milliseconds. */
const HEARTBEAT_MS = 10_000
const ALIVE_MS = 35_000
const LOCK = 'instances'

/** The setup that the instances of a database must agree on. */
interface Setup {
  /** As in package.json. */
  version: string
  /** The key that signs tokens, and whether it was configured. */
  secret: Uint8Array
  hasOwnSecret: boolean
  /** The bucket, if there is one; otherwise files are in the data folder. */
  bucket: { endpoint: string; name: string } | undefined
  /** The data folder. On one host, only one process at a time uses it. */
  folder: string
  /**
   * Whether it reads from replicas, and therefore records the WAL position of its users' writes (access/positions.ts).
   */
  readsReplicas: boolean
}

interface Joining {
  /** Called if no other instance is live, before another can join: does what only the first one may do. */
  alone: (tx: Transaction) => Promise<void>
  /**
   * Called if this server sent no heartbeat for so long that others took it for gone, and it is incompatible with what
   * they have started since.
   */
  unfit: (reason: string) => void
}

export type Instance = Omit<Tables['instances'], 'place' | 'secret' | 'seenAt' | 'readsReplicas'> & { isThis: boolean }

let own: Tables['instances'] | undefined
let beating: NodeJS.Timeout | undefined

/**
 * Registers this server, until `leaveInstances`. Throws an Error with a one-sentence message if it is incompatible with
 * the current database or with a live instance: because files are in a folder or in another bucket, the secret differs,
 * or the other one reads from replicas and this one does not.
 */
export async function joinInstances(setup: Setup, { alone, unfit }: Joining): Promise<void> {
  const row = await describe(setup)
  if (engine === 'postgres') {
    // Another server may be upgrading the database, which can take long.
    await withoutTimeouts(() => transaction((tx) => join(tx, row, setup, alone)))
    beating = setInterval(() => void sendHeartbeat(setup, unfit), HEARTBEAT_MS).unref()
  } else {
    await transaction(alone)
    await stopOlder(db)
  }
  own = row
  setDeltasSupported(engine === 'sqlite')
  await updateSupportedFormats()
}

async function join(tx: Transaction, row: Tables['instances'], setup: Setup, alone: Joining['alone']): Promise<void> {
  // A row of the same place is this server itself, from before it crashed or was killed.
  const others = await refuseIncompatible(tx, row, setup, ({ place }) => place !== row.place)
  await tx.deleteFrom('instances').where('place', '=', row.place).execute()
  if (others.length === 0) await alone(tx)
  await tx.deleteFrom('instances').where('seenAt', '<', ago(DAY_MS)).execute()
  await tx
    .deleteFrom('slots')
    .where('instanceId', 'not in', (each) => each.selectFrom('instances').select('_id'))
    .execute()
  await tx
    .insertInto('instances')
    .values({ ...row, startedAt: ago(0), seenAt: ago(0) })
    .execute()
}

/**
 * The other live instances. Throws `Unfit` if this server is incompatible with the database or with one of them. Until
 * the transaction ends, no instance can join, and none can upgrade the database.
 */
async function refuseIncompatible(
  tx: Transaction,
  row: Tables['instances'],
  setup: Setup,
  isAnother: (row: Tables['instances']) => boolean,
): Promise<Tables['instances'][]> {
  await advisoryLock(tx, LOCK)
  const schema = schemaOf(tx, engine)
  await holdSchema(schema)
  await pendingIn(schema)
  const others = (await liveInstances(tx)).filter(isAnother)
  for (const other of others) {
    const reason = incompatibility(row, other, setup)
    if (reason !== undefined) throw new Unfit(`${reason} ${waiting([other])}`)
  }
  return others
}

/** The id of this server among those of a PostgreSQL database; undefined for the embedded database. */
export const ownInstance = (): string | undefined => (engine === 'postgres' ? own?._id : undefined)

/** A query for the ids of the live instances. */
export const liveInstanceIds = (from: Reader) => from.selectFrom('instances').select('_id').where(isLive)

/** Unregisters this server. */
export async function leaveInstances(): Promise<void> {
  clearInterval(beating)
  const left = own
  own = undefined
  if (!left || engine !== 'postgres') return
  await transaction(async (tx) => {
    // A heartbeat that is under way either has inserted the row by now, or finds that this server has left.
    await advisoryLock(tx, LOCK)
    await tx.deleteFrom('slots').where('instanceId', '=', left._id).execute()
    await tx.deleteFrom('instances').where('_id', '=', left._id).execute()
  })
}

/** The live instances, in the order of their starts. */
export async function listInstances(): Promise<Instance[]> {
  const rows = engine === 'postgres' ? await liveInstances(db) : own ? [own] : []
  return rows.map(({ place: _, secret: __, seenAt: ___, readsReplicas: ____, ...row }) => ({
    ...row,
    isThis: row._id === own?._id,
  }))
}

/**
 * Throws an Error with a one-sentence message if migrations would change what live servers read and write: all
 * migrations except additive ones (`-- additive`).
 */
export async function refuseUpgradeBeside(pending: string[], folder: string): Promise<void> {
  if (engine !== 'postgres' || !(await tablesIn(schemaOf(db, engine))).includes('instances')) return
  const breaking = pending.filter((name) => !additiveIn(name))
  if (breaking.length === 0) return
  const others = (await liveInstances(db)).filter(({ place }) => place !== placeOf(folder))
  if (others.length > 0)
    throw new Error(
      `This version has to upgrade the database (${breaking.join(', ')}), and ${namesOf(others)} could not use it afterwards. Stop all other servers, then start this version again. ${waiting(others)}`,
    )
}

async function describe({ version, secret, bucket, folder, readsReplicas }: Setup): Promise<Tables['instances']> {
  return {
    _id: newId(),
    place: placeOf(folder),
    host: hostname(),
    version,
    schema: newestMigration(),
    secret: fingerprint('secret', secret),
    storage: bucket ? `bucket ${bucket.name} at ${bucket.endpoint}` : FOLDER,
    startedAt: now(),
    seenAt: now(),
    readsReplicas: readsReplicas ? 1 : 0,
  }
}

const FOLDER = 'folder'

/** The storage of a row, with one spelling of the endpoint's address; servers store it as it is configured. */
const comparable = (storage: string): string =>
  storage.replace(/\S+$/, (endpoint) =>
    URL.canParse(endpoint) ? new URL(endpoint).href.replace(/\/+$/, '') : endpoint,
  )

/** Identifies the data folder on its host: by it, a server that crashed is recognized when it starts again. */
function placeOf(folder: string): string {
  const { ino } = statSync(folder)
  return fingerprint(hostname(), realpathSync(folder), String(ino))
}

const fingerprint = (...parts: (string | Uint8Array)[]): string => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\0')
  return hash.digest('hex').slice(0, FINGERPRINT_CHARS)
}
const FINGERPRINT_CHARS = 16

/** Why an instance is incompatible with another one; undefined if it is not. */
function incompatibility(
  row: Tables['instances'],
  other: Tables['instances'],
  { hasOwnSecret }: Setup,
): string | undefined {
  const name = namesOf([other])
  if (row.secret !== other.secret)
    return hasOwnSecret
      ? `AUTH_SECRET differs from that of ${name}, which uses the same database. Set it to the same value on both.`
      : `AUTH_SECRET is not set, and ${name} uses the same database. Set it to the same value on both, or stop the other one.`
  if (other.readsReplicas && !row.readsReplicas)
    return `DATABASE_REPLICA_URL is not set, and ${name}, which uses the same database, reads from replicas. Set it on both, or on neither.`
  if (row.storage !== FOLDER && comparable(row.storage) === comparable(other.storage)) return undefined
  return row.storage !== FOLDER && other.storage !== FOLDER
    ? `Assets are kept in ${row.storage}, but ${name}, which uses the same database, keeps them in ${other.storage}. Set S3_BUCKET and S3_ENDPOINT to the same values on both.`
    : `Servers cannot share assets that are kept in a folder, and ${name} uses the same database. Set S3_BUCKET and the other S3 variables on both, or stop the other one.`
}

/** Says how long to wait in case the instance that seems live was killed. */
function waiting(others: Tables['instances'][]): string {
  const end = Math.max(...others.map(({ seenAt }) => Date.parse(seenAt))) + ALIVE_MS
  const seconds = Math.max(1, Math.ceil((end - time()) / 1000))
  return `(A server that was killed counts as stopped in ${seconds} seconds.)`
}

const namesOf = (instances: Tables['instances'][]): string =>
  instances.map(({ host, version }) => `the server on ${host} (${version})`).join(' and ')

const liveInstances = (from: Reader): Promise<Tables['instances'][]> =>
  from.selectFrom('instances').selectAll().where(isLive).orderBy('startedAt').orderBy('_id').execute()

const ago = (ms: number) => fromNow(-ms)

/** A heartbeat of the future was sent before the clock of the database was set back: it does not count. */
const isLive = (row: ExpressionBuilder<Tables, 'instances'>) =>
  row.and([row('seenAt', '>', ago(ALIVE_MS)), row('seenAt', '<', fromNow(ALIVE_MS))])

/**
 * Sends a heartbeat. If the database is unreachable, the next heartbeat tries again. If the others took this server for
 * gone, they may have started something that it is incompatible with: it is checked again, as at a start.
 */
async function sendHeartbeat(setup: Setup, unfit: Joining['unfit']): Promise<void> {
  const row = own
  if (!row) return
  const note = async (tx: Transaction) => {
    const { numUpdatedRows } = await tx
      .updateTable('instances')
      .set({ seenAt: ago(0) })
      .where('_id', '=', row._id)
      .where(isLive)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows > 0n) return
    // Here, another row of the same place is another server, on a clone of this machine.
    await refuseIncompatible(tx, row, setup, ({ _id }) => _id !== row._id)
    if (own !== row) return
    await tx
      .insertInto('instances')
      .values({ ...row, seenAt: ago(0) })
      .onConflict((conflict) => conflict.column('_id').doUpdateSet({ seenAt: ago(0) }))
      .execute()
  }
  const noted = bookkeeping(note).catch((error: unknown) => {
    if (error instanceof Unfit && own) unfit(error.message)
  })
  await Promise.all([noted, syncClock(schemaOf(db, engine)).catch(() => undefined)])
  await updateSupportedFormats().catch(() => undefined)
}

/** Since when every live server can read deltas and no older one can start; by `performance.now()`. */
let agreedAt: number | undefined

/**
 * Switches what depends on all live servers. Replicas are read from only while each live server records the WAL
 * positions of its users' writes. Revisions are stored as deltas once each live server can read them, and no older one
 * could start for `waitMs`: one that was just starting has joined by then.
 */
export async function updateSupportedFormats(waitMs = ALIVE_MS): Promise<void> {
  if (engine !== 'postgres') return
  const all = await liveInstances(db)
  allowReplicas(all.every(({ readsReplicas }) => readsReplicas))
  if (!all.every(({ schema }) => schema >= DELTAS)) {
    agreedAt = undefined
    return setDeltasSupported(false)
  }
  if (agreedAt === undefined) {
    await stopOlder(db)
    agreedAt = performance.now()
  }
  if (performance.now() - agreedAt >= waitMs) setDeltasSupported(true)
}

/** Makes servers that cannot read deltas refuse to start (`migrate`). */
const stopOlder = (on: typeof db): Promise<unknown> =>
  schemaOf(on, engine).run(`UPDATE "migrations" SET "isAdditive" = 0 WHERE "name" = '${DELTAS}' AND "isAdditive" = 1`)

gauge('instances', 'Live servers that use this database', ['host', 'version', 'schema', 'storage'], async () =>
  [
    ...Map.groupBy(await listInstances(), ({ host, version, schema, storage }) =>
      JSON.stringify({ host, version, schema, storage: storage.split(' ')[0] }),
    ),
  ].map(([labels, all]) => ({ labels: JSON.parse(labels) as Record<string, string>, value: all.length })),
)
