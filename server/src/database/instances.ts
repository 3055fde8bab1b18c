// The registry of the servers that use one PostgreSQL database: each says that it lives, and a start that could not work
// beside those that live is refused. The embedded database has one server, which no row needs to say.
import { createHash } from 'node:crypto'
import { realpathSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { now, time } from '#lib/clock.ts'
import { newId } from '#lib/ids.ts'
import { gauge } from '#lib/metrics.ts'
import { fromNow } from './clock.ts'
import { db, engine, oneAtATime, type Transaction, transaction } from './db.ts'
import { additiveIn, holdSchema, newestMigration, pendingIn, schemaOf, tablesIn, Unfit } from './migrate.ts'
import { allowDeltas, DELTAS } from './forms.ts'
import { enforceTimeouts } from './postgres.ts'
import { allowReplicas } from './replicas.ts'
import { syncClock } from './sharedClock.ts'
import { bookkeeping } from './state.ts'
import type { Tables } from './tables.ts'

/** How often an instance says that it lives, and for how long it is believed, in milliseconds. */
const HEARTBEAT_MS = 10_000
const ALIVE_MS = 35_000
const LOCK = 'instances'

/** What has to agree among the instances of a database. */
interface Setup {
  /** As in package.json. */
  version: string
  /** The key that signs tokens, and whether it was configured. */
  secret: Uint8Array
  hasOwnSecret: boolean
  /** The bucket, where there is one; otherwise files are in the data folder. */
  bucket: { endpoint: string; name: string } | undefined
  /** The data folder: of a host, one process at a time uses it. */
  folder: string
  /** Whether it reads from replicas, and so notes what its users wrote (access/positions.ts). */
  readsReplicas: boolean
}

interface Joining {
  /** Does what only the first may, where no other lives, before another can join. */
  alone: (tx: Transaction) => Promise<void>
  /** Told when this server was silent for so long that others took it for gone, and does not fit what they have begun since. */
  unfit: (reason: string) => void
}

export type Instance = Omit<Tables['instances'], 'place' | 'secret' | 'seenAt' | 'readsReplicas'> & { isThis: boolean }

let own: Tables['instances'] | undefined
let beating: NodeJS.Timeout | undefined

/**
 * Notes that this server lives, until `leaveInstances`. Throws an Error of one sentence where it could not work with the
 * database as it is by now, or beside another that lives: with files in a folder, in another bucket, with another secret,
 * or without the replicas of another.
 */
export async function joinInstances(setup: Setup, { alone, unfit }: Joining): Promise<void> {
  const row = await describe(setup)
  if (engine === 'postgres') {
    // Another may be upgrading.
    enforceTimeouts(false)
    await transaction((tx) => join(tx, row, setup, alone)).finally(() => enforceTimeouts(true))
    beating = setInterval(() => void beat(setup, unfit), HEARTBEAT_MS).unref()
  } else {
    await transaction(alone)
    await stopOlder(db)
  }
  own = row
  allowDeltas(engine === 'sqlite')
  await lookAround()
}

async function join(tx: Transaction, row: Tables['instances'], setup: Setup, alone: Joining['alone']): Promise<void> {
  // One of the same place is this server itself, before it stopped without a word.
  const others = await refuseUnfit(tx, row, setup, ({ place }) => place !== row.place)
  await tx.deleteFrom('instances').where('place', '=', row.place).execute()
  if (others.length === 0) await alone(tx)
  await tx
    .deleteFrom('instances')
    .where('seenAt', '<', ago(24 * 60 * 60_000))
    .execute()
  await tx
    .deleteFrom('slots')
    .where('instanceId', 'not in', (each) => each.selectFrom('instances').select('_id'))
    .execute()
  await tx
    .insertInto('instances')
    .values({ ...row, startedAt: ago(0), seenAt: ago(0) })
    .execute()
}

/** The others that live. Until the transaction ends none of them joins, and none upgrades the database. */
async function refuseUnfit(
  tx: Transaction,
  row: Tables['instances'],
  setup: Setup,
  isAnother: (row: Tables['instances']) => boolean,
): Promise<Tables['instances'][]> {
  await oneAtATime(tx, LOCK)
  const schema = schemaOf(tx, engine)
  await holdSchema(schema)
  await pendingIn(schema)
  const others = (await living(tx)).filter(isAnother)
  for (const other of others) {
    const reason = unlike(row, other, setup)
    if (reason !== undefined) throw new Unfit(`${reason} ${waiting([other])}`)
  }
  return others
}

/** The id of this server among those of a PostgreSQL database; undefined for the one of an embedded database. */
export const ownInstance = (): string | undefined => (engine === 'postgres' ? own?._id : undefined)

/** A query for the ids of the instances that live. */
export const livingIds = (from: Pick<typeof db, 'selectFrom'>) =>
  from.selectFrom('instances').select('_id').where('seenAt', '>', ago(ALIVE_MS))

/** Says that this server is gone. */
export async function leaveInstances(): Promise<void> {
  clearInterval(beating)
  const left = own
  own = undefined
  if (!left || engine !== 'postgres') return
  await db.deleteFrom('slots').where('instanceId', '=', left._id).execute()
  await db.deleteFrom('instances').where('_id', '=', left._id).execute()
}

/** The instances that live, in the order of their starts. */
export async function listInstances(): Promise<Instance[]> {
  const rows = engine === 'postgres' ? await living(db) : own ? [own] : []
  return rows.map(({ place: _, secret: __, seenAt: ___, readsReplicas: ____, ...row }) => ({
    ...row,
    isThis: row._id === own?._id,
  }))
}

/**
 * Throws an Error of one sentence where migrations would change what servers that live read and write: all but those
 * that only add (`-- additive`).
 */
export async function refuseUpgradeBeside(pending: string[], folder: string): Promise<void> {
  if (engine !== 'postgres' || !(await tablesIn(schemaOf(db, engine))).includes('instances')) return
  const breaking = pending.filter((name) => !additiveIn(name))
  if (breaking.length === 0) return
  const others = (await living(db)).filter(({ place }) => place !== placeOf(folder))
  if (others.length > 0)
    throw new Error(
      `The database has to be upgraded (${breaking.join(', ')}), and ${namesOf(others)} could not read it then. Stop them first, and start this version again. ${waiting(others)}`,
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

/** What has stopped without a word and starts again is known by its place. */
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

/** Why one cannot work beside another; undefined where it can. */
function unlike(row: Tables['instances'], other: Tables['instances'], { hasOwnSecret }: Setup): string | undefined {
  const name = namesOf([other])
  if (row.secret !== other.secret)
    return hasOwnSecret
      ? `AUTH_SECRET is another than that of ${name}, which uses the same database. Set it to the same on both.`
      : `AUTH_SECRET is not set, and ${name} uses the same database. Set it to the same on both, or stop the other.`
  if (other.readsReplicas && !row.readsReplicas)
    return `DATABASE_REPLICA_URL is not set, and ${name}, which uses the same database, reads from replicas. Set it on both, or on neither.`
  if (row.storage === other.storage && row.storage !== FOLDER) return undefined
  return row.storage !== FOLDER && other.storage !== FOLDER
    ? `Assets are kept in ${row.storage}, but ${name}, which uses the same database, keeps them in ${other.storage}. Set S3_BUCKET and S3_ENDPOINT to the same on both.`
    : `Servers cannot share assets that are kept in a folder, and ${name} uses the same database. Set S3_BUCKET and what belongs to it on both, or stop the other.`
}

/** How long to wait where what seems to live was killed. */
function waiting(others: Tables['instances'][]): string {
  const end = Math.max(...others.map(({ seenAt }) => Date.parse(seenAt))) + ALIVE_MS
  const seconds = Math.max(1, Math.ceil((end - time()) / 1000))
  return `(If it was killed, it is taken for gone in ${seconds} seconds.)`
}

const namesOf = (instances: Tables['instances'][]): string =>
  instances.map(({ host, version }) => `the server on ${host} (${version})`).join(' and ')

const living = (from: Pick<typeof db, 'selectFrom'>): Promise<Tables['instances'][]> =>
  from
    .selectFrom('instances')
    .selectAll()
    .where('seenAt', '>', ago(ALIVE_MS))
    .orderBy('startedAt')
    .orderBy('_id')
    .execute()

const ago = (ms: number) => fromNow(-ms)

/**
 * Says that this server lives. Out of reach, the database hears of it at the next beat. Who took it for gone may have
 * begun what it does not fit: as if it started now, it is asked whether it does.
 */
async function beat(setup: Setup, unfit: Joining['unfit']): Promise<void> {
  const row = own
  if (!row) return
  const note = async (tx: Transaction) => {
    const { numUpdatedRows } = await tx
      .updateTable('instances')
      .set({ seenAt: ago(0) })
      .where('_id', '=', row._id)
      .where('seenAt', '>', ago(ALIVE_MS))
      .executeTakeFirstOrThrow()
    if (numUpdatedRows > 0n) return
    // Here, one of the same place is another server, on a copy of this machine.
    await refuseUnfit(tx, row, setup, ({ _id }) => _id !== row._id)
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
  await lookAround().catch(() => undefined)
}

/** Since when there has been no server of an older version, and none of one could start; by the clock of the process. */
let agreedAt: number | undefined

/**
 * Does what depends on all servers that live. Replicas are read from while each notes what its users wrote; revisions are
 * stored by what differs once each can read that, and for `waitMs` no older one could start any more: one that was
 * starting just then has joined by now.
 */
export async function lookAround(waitMs = ALIVE_MS): Promise<void> {
  if (engine !== 'postgres') return
  const all = await living(db)
  allowReplicas(all.every(({ readsReplicas }) => readsReplicas))
  if (!all.every(({ schema }) => schema >= DELTAS)) {
    agreedAt = undefined
    return allowDeltas(false)
  }
  if (agreedAt === undefined) {
    await stopOlder(db)
    agreedAt = performance.now()
  }
  if (performance.now() - agreedAt >= waitMs) allowDeltas(true)
}

/** Has servers of a version that cannot read deltas refuse to start (`migrate`). */
const stopOlder = (on: typeof db): Promise<unknown> =>
  schemaOf(on, engine).run(`UPDATE "migrations" SET "isAdditive" = 0 WHERE "name" = '${DELTAS}' AND "isAdditive" = 1`)

gauge('instances', 'Servers that use this database and live', ['host', 'version', 'schema', 'storage'], async () =>
  [
    ...Map.groupBy(await listInstances(), ({ host, version, schema, storage }) =>
      JSON.stringify({ host, version, schema, storage: storage.split(' ')[0] }),
    ),
  ].map(([labels, all]) => ({ labels: JSON.parse(labels) as Record<string, string>, value: all.length })),
)
