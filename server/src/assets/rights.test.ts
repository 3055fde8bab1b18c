import { stat } from 'node:fs/promises'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { assetsApi, uploadsApi } from '@mokuroku/contract/assets'
import { authApi } from '@mokuroku/contract/auth'
import { usersApi } from '@mokuroku/contract/users'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { momentIn, now } from '#lib/clock.ts'
import { db, transaction } from '#database/db.ts'
import { receive } from '#http/receive.ts'
import { endAllAccess, endSessionsOf, startSession } from '#access/session.ts'
import { app, callAs, signedIn, withApp } from '#test/app.ts'
import { withinOneDay } from '#test/days.ts'
import { aTier } from '#test/factories.ts'
import { aPicture, endUploads, keptKeys, send } from '#test/files.ts'
import { MAX_FILES_PER_DAY } from './quota.ts'
import { storage } from './storage.ts'

withApp()
afterEach(endUploads)
beforeAll(async () => {
  await app.listen({ host: '127.0.0.1', port: 0 })
})

const PART = 'application/offset+octet-stream'

/** Starts to send a file, runs `meanwhile` when half of it has arrived, and sends the rest. */
async function interrupted(
  token: string,
  { path, method = 'POST', headers = {}, content }: How,
  meanwhile: () => Promise<unknown>,
): Promise<{ status: number | undefined; body: Record<string, unknown> }> {
  const { port } = app.server.address() as { port: number }
  const call = request({
    host: '127.0.0.1',
    port,
    path,
    method,
    headers: { ...headers, authorization: `Bearer ${token}` },
  })
  const answered = once(call, 'response').then(async ([response]: IncomingMessage[]) => ({
    status: response?.statusCode,
    body: response ? (JSON.parse(await text(response)) as Record<string, unknown>) : {},
  }))
  const half = Math.floor(content.length / 2)
  call.write(content.subarray(0, half))
  await expect.poll(arriving).toBe(true)
  await meanwhile()
  call.end(content.subarray(half))
  return answered
}

interface How {
  path: string
  method?: string
  headers?: Record<string, string>
  content: Buffer
}

/** Whether part of a file is in the incoming folder. */
async function arriving(): Promise<boolean> {
  for (const name of await storage.arriving())
    if (name.endsWith('.part') && (await stat(storage.incoming(name))).size > 0) return true
  return false
}

async function aForm(): Promise<How> {
  const form = new FormData()
  const picture = Buffer.concat([await aPicture(), Buffer.alloc(200_000)])
  form.append('file', new File([picture], 'late.png'))
  const body = new Response(form)
  const headers = { 'content-type': body.headers.get('content-type') ?? '' }
  return { path: '/api/assets', headers, content: Buffer.from(await body.arrayBuffer()) }
}

/** Ways in which an uploader's access ends during an upload. */
const ENDS: [string, (who: Awaited<ReturnType<typeof signedIn>>) => Promise<unknown>][] = [
  [
    'whose account is deactivated',
    async ({ user }) => (await signedIn()).call(usersApi.update, { id: user._id, body: { isActive: false } }),
  ],
  ['whose sessions are ended', ({ user }) => transaction((tx) => endSessionsOf(tx, user._id))],
  ['who signs out', ({ call }) => call(authApi.logout)],
  // As another server on the same database does it.
  [
    'whose session is ended by another server',
    ({ user }) => db.updateTable('sessions').set({ endedAt: now() }).where('userId', '=', user._id).execute(),
  ],
]

describe.each(ENDS)('class 6: an upload by a user %s', (_, end) => {
  test('is refused, and nothing is stored', async () => {
    const who = await signedIn({ role: 'moderator' })
    const [before, form] = [await keptKeys(), await aForm()]
    expect(await interrupted(who.token, form, () => end(who))).toMatchObject({ status: 401 })
    expect(await keptKeys()).toEqual(before)
    await expect.poll(() => storage.arriving()).toEqual([])
    expect(await db.selectFrom('assets').select('_id').where('createdBy', '=', who.user._id).execute()).toEqual([])
  })

  test('in parts is refused, and leaves nothing to resume', async () => {
    const who = await signedIn({ role: 'moderator' })
    const content = Buffer.concat([await aPicture(), Buffer.alloc(200_000)])
    const { _id } = await who.call(uploadsApi.begin, { body: { filename: 'late.png', size: content.length } })
    const before = await keptKeys()
    const how = {
      path: `/api/uploads/${_id}`,
      method: 'PATCH',
      headers: { 'content-type': PART, 'upload-offset': '0' },
    }
    expect(await interrupted(who.token, { ...how, content }, () => end(who))).toMatchObject({ status: 401 })
    expect(await keptKeys()).toEqual(before)
    expect(await storage.arriving()).toEqual([])
    expect(await db.selectFrom('assets').select('_id').where('createdBy', '=', who.user._id).execute()).toEqual([])
  })
})

test('an upload in parts is open to other sessions of its user, until the one that began it ends', async () => {
  const who = await signedIn({ role: 'moderator' })
  const other = await startSession(who.user, { address: '127.0.0.1', userAgent: 'other' })
  const { _id } = await who.call(uploadsApi.begin, { body: { filename: 'a.png', size: 1000 } })
  expect(await callAs(other)(uploadsApi.find, { id: _id })).toMatchObject({ offset: 0 })
  await who.call(authApi.logout)
  await expect(callAs(other)(uploadsApi.find, { id: _id })).rejects.toMatchObject({ status: 404 })
})

/** Ends the sessions of everybody. */
const RESTORE = 'a restore of a backup'
/** Ways in which a session ends. */
const ENDINGS: [string, (who: Awaited<ReturnType<typeof signedIn>>) => Promise<unknown>][] = [
  ['a sign-out', ({ call }) => call(authApi.logout)],
  [
    'a sign-out from another session',
    async ({ user, call }) => {
      const { data } = await call(authApi.sessions)
      const other = callAs(await startSession(user, { address: '127.0.0.1', userAgent: 'other' }))
      return other(authApi.endSession, { id: data[0]?._id ?? '' })
    },
  ],
  [
    'a sign-out of all other sessions',
    async ({ user }) =>
      callAs(await startSession(user, { address: '127.0.0.1', userAgent: 'other' }))(authApi.endSessions),
  ],
  [
    'too many newer sessions of the user',
    async ({ user }) => {
      for (let each = 0; each < 51; each++) await startSession(user, { address: '127.0.0.1', userAgent: `${each}` })
    },
  ],
  [
    'a new password',
    async ({ user }) =>
      (await signedIn()).call(usersApi.update, { id: user._id, body: { password: 'another good one' } }),
  ],
  [
    'a change of role',
    async ({ user }) => (await signedIn()).call(usersApi.update, { id: user._id, body: { role: 'admin' } }),
  ],
  [
    'a deactivation',
    async ({ user }) => (await signedIn()).call(usersApi.update, { id: user._id, body: { isActive: false } }),
  ],
  ['a deletion', async ({ user }) => (await signedIn()).call(usersApi.remove, { id: user._id })],
  [RESTORE, () => transaction(endAllAccess)],
]

describe('class 6: open uploads expire with', () => {
  test.each(ENDINGS)('%s', async (name, end) => {
    const [who, other] = [await signedIn({ role: 'moderator' }), await signedIn({ role: 'moderator' })]
    const begin = ({ call }: typeof who) => call(uploadsApi.begin, { body: { filename: 'a.png', size: 1000 } })
    const [own, others] = [await begin(who), await begin(other)]
    await end(who)
    const isExpired = async (id: string) => (await uploadOf(id)).expiresAt <= now()
    expect([await isExpired(own._id), await isExpired(others._id)]).toEqual([true, name === RESTORE])
  })

  test('the expiry of the session', async () => {
    const who = await signedIn({ role: 'moderator' })
    const expiresAt = momentIn(3_600_000)
    await db.updateTable('sessions').set({ expiresAt }).where('userId', '=', who.user._id).execute()
    const { _id } = await who.call(uploadsApi.begin, { body: { filename: 'a.png', size: 1000 } })
    expect(await uploadOf(_id)).toEqual({ expiresAt })
  })
})

const uploadOf = (id: string) =>
  db.selectFrom('uploads').select('expiresAt').where('_id', '=', id).executeTakeFirstOrThrow()

test('refuses a file if the permission is lost while it arrives', async () => {
  const tier = await aTier(70, { canUploadVideo: false, maxUploadSizeMB: 5 })
  const who = await signedIn({ role: 'user', scores: 70 })
  const permissions = { canUploadVideo: false, maxUploadSizeMB: 0 }
  const shrink = async () => {
    const { permissions: before } = await db
      .selectFrom('tiers')
      .select('permissions')
      .where('_id', '=', tier)
      .executeTakeFirstOrThrow()
    await db
      .updateTable('tiers')
      .set({ permissions: { ...before, ...permissions } })
      .where('_id', '=', tier)
      .execute()
  }
  expect(await interrupted(who.token, await aForm(), shrink)).toMatchObject({ status: 403 })
})

test('rejects a file that takes too long to arrive, or whose upload is aborted, with the reason', async () => {
  const carrier = {
    headers: {},
    body: undefined,
    isMultipart: () => true,
    parts: async function* () {
      yield await new Promise<never>(() => undefined)
    },
  }
  await expect(receive(carrier, 'file', new AbortController().signal, 10)).rejects.toMatchObject({ status: 408 })
  await expect(receive(carrier, 'file', AbortSignal.abort(new Error('gone')), 10_000)).rejects.toThrow(
    'The connection was lost',
  )
})

test('class 23: enforces the limit of open uploads per user for concurrent requests', async () => {
  const { call } = await signedIn()
  const started = await Promise.allSettled(
    Array.from({ length: 60 }, () => call(uploadsApi.begin, { body: { filename: 'a.png', size: 10 } })),
  )
  expect(started.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
  for (const each of started) if (each.status === 'rejected') expect(each.reason).toMatchObject({ status: 429 })
})

test('class 23: enforces the daily upload limit per user for concurrent requests', async () => {
  await withinOneDay()
  await aTier(80, { maxUploadSizeMB: 5, canEditOwnContent: true })
  const who = await signedIn({ role: 'user', scores: 80 })
  const png = await aPicture()
  expect((await send(png, 'first.png', who)).status).toBe(201)
  await db
    .updateTable('uploadCounts')
    .set({ files: MAX_FILES_PER_DAY - 3 })
    .where('userId', '=', who.user._id)
    .execute()
  const sent = await Promise.all(Array.from({ length: 10 }, (_, each) => send(png, `${each}.png`, who)))
  expect(sent.filter(({ status }) => status === 201)).toHaveLength(3)
  const refused = sent.filter(({ status }) => status !== 201)
  for (const { status, body } of refused)
    expect({ status, body }).toMatchObject({
      status: 429,
      body: { message: 'You have reached the limit of 500 uploads a day. Send the rest after midnight UTC.' },
    })
  await expect(who.call(uploadsApi.begin, { body: { filename: 'a.png', size: 10 } })).rejects.toMatchObject({
    status: 429,
  })
  // Processing a failed file again costs as much as another file.
  const failed = sent.find(({ status }) => status === 201)?.body._id ?? ''
  await db.updateTable('assets').set({ status: 'ERROR' }).where('_id', '=', failed).execute()
  await expect(who.call(assetsApi.retry, { id: failed })).rejects.toMatchObject({ status: 429, code: 'tooMany' })
  expect((await who.call(assetsApi.list, { query: { search: 'first.png' } })).data.length).toBeGreaterThan(0)
  const moderator = await signedIn({ role: 'moderator' })
  const full = { userId: moderator.user._id, day: now().slice(0, 10), files: MAX_FILES_PER_DAY }
  await db.insertInto('uploadCounts').values(full).execute()
  expect((await send(png, 'by a moderator.png', moderator)).status).toBe(201)
})
