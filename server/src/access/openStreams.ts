import type { ServerResponse } from 'node:http'
import { reasonText } from '@mokuroku/contract/reasons'
import { db } from '#database/db.ts'
import { takeSlot } from '#database/slots.ts'
import { createChangeSignal } from '#lib/changeSignal.ts'
import { Refusal, tooMany } from '#lib/errors.ts'
import { now } from '#lib/clock.ts'
import { KeyedListeners } from '#lib/keyedListeners.ts'
import { gauge } from '#lib/metrics.ts'
import type { Actor } from './permissions.ts'

/** How many streams of one path a user may have open: enough for one per window. */
const MAX_STREAMS = 10
/** How many files a user may upload to one path of one server at the same time. */
const MAX_UPLOADS = 20
/** How often to check whether the sessions behind the streams are still active. */
const SWEEP_INTERVAL_MS = 1000
/** How long a client may leave sent data unread before it is disconnected. */
const MAX_STALL_MS = 30_000
/** How long the last bytes of an ended stream may take. */
const END_TIMEOUT_MS = 1000

interface Open {
  path: string
  actor: Actor | undefined
  response: ServerResponse
  ending: AbortController
  isUpload: boolean
  stalledSince: number | undefined
}

const open = new Set<Open>()
let sweepTimer: NodeJS.Timeout | undefined

gauge('streams_open', 'Event streams that this process is sending', ['path'], () => countsBy(false))
gauge('uploads_open', 'Files that this process is receiving', ['path'], () => countsBy(true))

const countsBy = (isUpload: boolean) =>
  [
    ...Map.groupBy(
      [...open].filter((each) => each.isUpload === isUpload),
      ({ path }) => path,
    ),
  ].map(([path, all]) => ({
    labels: { path },
    value: all.length,
  }))

/**
 * Registers a response that is going to be a stream. The signal aborts when the client disconnects or reads too slowly,
 * or when its session ends. Throws 429 when the user has too many streams of this path open, on all servers together.
 */
export async function openStream(
  path: string,
  actor: Actor | undefined,
  response: ServerResponse,
): Promise<AbortSignal> {
  const leave = actor && ((await takeSlot(`stream ${path} ${actor._id}`, MAX_STREAMS)) ?? tooMany(60))
  return opened(path, actor, response, false, leave)
}

/**
 * Registers an upload in progress. The signal aborts when the connection is lost or the session ends; its reason is
 * what the sender is told. Throws 429 when the user is uploading too many files to this path.
 */
export function openUpload(path: string, actor: Actor | undefined, response: ServerResponse): AbortSignal {
  const same = [...open].filter((each) => each.path === path && each.actor?._id === actor?._id)
  if (actor && same.length >= MAX_UPLOADS) tooMany(60)
  return opened(path, actor, response, true)
}

function opened(
  path: string,
  actor: Actor | undefined,
  response: ServerResponse,
  isUpload: boolean,
  leave?: () => void,
): AbortSignal {
  const stream: Open = { path, actor, response, ending: new AbortController(), isUpload, stalledSince: undefined }
  open.add(stream)
  sweepTimer ??= setInterval(() => void sweep(), SWEEP_INTERVAL_MS).unref()
  const close = () => {
    leave?.()
    stream.ending.abort()
    open.delete(stream)
    if (open.size > 0) return
    clearInterval(sweepTimer)
    sweepTimer = undefined
  }
  // The client may have disconnected by now.
  if (response.destroyed) close()
  else response.once('close', close)
  return stream.ending.signal
}

/** Ends the streams of ended sessions at once. Other server processes notice within a second. */
export const sessionsEnded = (): void => void checkSessions()

/** Ends all streams when the server stops. Uploads are allowed to finish, like any other request. */
export function endStreams(): void {
  for (const stream of open) if (!stream.isUpload) end(stream)
}

/** By session: the fingerprint of the permissions of its user when its streams were last checked. */
const fingerprints = new Map<string, string>()
const permissionListeners = new KeyedListeners()

/**
 * Yields whenever the permissions of a session's user may have changed, from now on: within about a second, while the
 * session has a stream open. Ends when the signal aborts.
 */
export async function* permissionChanges(session: string, signal: AbortSignal): AsyncGenerator<undefined> {
  const change = createChangeSignal((changed) => permissionListeners.add(session, changed), signal)
  try {
    let known = (await activeAmong([session])).get(session)
    while (!signal.aborted) {
      await change.wait()
      change.reset()
      const checked = fingerprints.get(session)
      if (checked === undefined || checked === known) continue
      known = checked
      yield
    }
  } finally {
    change.close()
  }
}

let isSweeping = false

async function sweep(): Promise<void> {
  for (const stream of open) cutIfStalled(stream)
  if (isSweeping) return
  isSweeping = true
  await checkSessions()
  isSweeping = false
}

function cutIfStalled(stream: Open): void {
  if (!stream.response.writableNeedDrain) stream.stalledSince = undefined
  else if (performance.now() - (stream.stalledSince ??= performance.now()) > MAX_STALL_MS) stream.response.destroy()
}

/** Ends the streams of sessions that are not active any more, and notices permissions that may have changed. */
async function checkSessions(): Promise<void> {
  const sessions = [...new Set([...open].flatMap(({ actor }) => actor?.session ?? []))]
  try {
    const active = await activeAmong(sessions)
    for (const stream of open) {
      const session = stream.actor?.session ?? ''
      // Only sessions that were queried: more may have been opened while the database answered.
      if (sessions.includes(session) && !active.has(session)) end(stream)
    }
    for (const session of fingerprints.keys()) if (!active.has(session)) fingerprints.delete(session)
    for (const [session, fingerprint] of active) {
      if (fingerprints.get(session) === fingerprint) continue
      fingerprints.set(session, fingerprint)
      permissionListeners.notify(session)
    }
  } catch {
    // The database is unreachable: the next sweep tries again.
  }
}

/**
 * Those of the sessions that are neither ended nor expired, and whose users are active, with a fingerprint of what the
 * permissions of the user follow from: the role, the score, and the versions of all tiers.
 */
async function activeAmong(sessions: string[]): Promise<Map<string, string>> {
  if (sessions.length === 0) return new Map()
  const rows = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users._id', 'sessions.userId')
    .select(['sessions._id', 'users.role', 'users.scores'])
    .select((from) =>
      from
        .selectFrom('tiers')
        .select(({ fn }) => fn.sum('tiers.version').as('sum'))
        .as('tiers'),
    )
    .where('sessions._id', 'in', sessions)
    .where('sessions.endedAt', 'is', null)
    .where('sessions.expiresAt', '>', now())
    .where('users.isActive', '=', true)
    .where('users.deletedAt', 'is', null)
    .execute()
  return new Map(rows.map(({ _id, role, scores, tiers }) => [_id, `${role} ${scores} ${tiers}`]))
}

function end({ ending, response, isUpload }: Open): void {
  if (isUpload) return ending.abort(new Refusal(401, 'unauthorized', reasonText('signIn')))
  ending.abort()
  setTimeout(() => response.destroy(), END_TIMEOUT_MS).unref()
}
