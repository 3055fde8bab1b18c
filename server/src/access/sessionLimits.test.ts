import { expect, test } from 'vitest'
import { db, transaction } from '#database/db.ts'
import { insertRows } from '#database/insert.ts'
import { DAY_MS, momentIn } from '#lib/clock.ts'
import { newId } from '#lib/ids.ts'
import { withApp } from '#test/app.ts'
import { aUser } from '#test/factories.ts'
import { startSession } from './session.ts'

withApp()

const MINUTE_MS = 60_000

interface Past {
  _id?: string
  /** How long ago it was created, last used and ended. */
  age: number
  unused?: number
  ended?: number
  expired?: number
  address?: string
}

const add = (userId: string, sessions: Past[]) =>
  transaction((tx) =>
    insertRows(
      tx,
      'sessions',
      sessions.map(({ _id = newId(), age, unused = age, ended, expired = -DAY_MS, address = '10.0.0.1' }) => ({
        _id,
        userId,
        createdAt: momentIn(-age),
        lastSeen: momentIn(-unused),
        expiresAt: momentIn(-expired),
        endedAt: ended === undefined ? null : momentIn(-ended),
        address,
        userAgent: 'test',
      })),
    ),
  )

async function sessionsOf(userId: string) {
  const rows = await db.selectFrom('sessions').select(['_id', 'endedAt']).where('userId', '=', userId).execute()
  return { ids: rows.map(({ _id }) => _id), open: rows.filter(({ endedAt }) => endedAt === null).map(({ _id }) => _id) }
}

const signIn = (user: Awaited<ReturnType<typeof aUser>>) =>
  startSession(user, { address: '10.0.0.9', userAgent: 'test' })

test('a user has at most 50 open sessions, and one more ends the least recently used', async () => {
  const [user, other] = [await aUser(), await aUser()]
  // The first one is the oldest, but used last.
  const open = Array.from({ length: 50 }, (_, at) => ({ _id: newId(), age: (100 - at) * MINUTE_MS }))
  await add(
    user._id,
    open.map((each, at) => ({ ...each, unused: at === 0 ? 0 : each.age })),
  )
  await add(user._id, [
    { age: MINUTE_MS, ended: MINUTE_MS },
    { age: DAY_MS, expired: MINUTE_MS },
  ])
  await add(other._id, [{ age: DAY_MS }])
  await signIn(user)
  const after = await sessionsOf(user._id)
  const ended = open.map(({ _id }) => _id).filter((id) => !after.open.includes(id))
  expect(ended).toEqual([open[1]?._id])
  expect(after.ids).toHaveLength(53)
  expect((await sessionsOf(other._id)).open).toHaveLength(1)
})

test('a sign-in never ends its own session, even after the clock was set back', async () => {
  const user = await aUser()
  const open = Array.from({ length: 50 }, () => ({ _id: newId(), age: 0, unused: -MINUTE_MS }))
  await add(user._id, open)
  await signIn(user)
  const after = (await sessionsOf(user._id)).open
  expect(after).toHaveLength(50)
  expect(open.filter(({ _id }) => after.includes(_id))).toHaveLength(49)
})

test('deletes sessions that ended 30 days ago, except the last from each place', async () => {
  const [user, other] = [await aUser(), await aUser()]
  const long = 30 * DAY_MS + MINUTE_MS
  const recent = 30 * DAY_MS - MINUTE_MS
  const deleted = [
    { _id: newId(), age: long, ended: long },
    { _id: newId(), age: long, expired: long },
  ]
  const kept = [
    { _id: newId(), age: 40 * DAY_MS },
    { _id: newId(), age: 40 * DAY_MS, ended: recent },
    { _id: newId(), age: 40 * DAY_MS, expired: recent },
    { _id: newId(), age: recent, ended: recent },
    { _id: newId(), age: long, ended: long, address: '10.0.0.2' },
  ]
  await add(user._id, [...deleted, ...kept])
  await add(other._id, [
    { age: long, ended: long },
    { age: long, ended: long },
  ])
  await signIn(user)
  const { ids } = await sessionsOf(user._id)
  expect(ids).toEqual(expect.arrayContaining(kept.map(({ _id }) => _id)))
  expect(ids).toHaveLength(kept.length + 1)
  expect((await sessionsOf(other._id)).ids).toHaveLength(2)
})

test('keeps at most 1,000 sessions of a user, and deletes at most 500 at a time', async () => {
  const user = await aUser()
  const open = newId()
  await add(user._id, [
    { _id: open, age: DAY_MS },
    ...Array.from({ length: 1600 }, (_, at) => ({ age: (at % 100) * MINUTE_MS, ended: 0, address: `10.0.${at}` })),
  ])
  await signIn(user)
  expect((await sessionsOf(user._id)).ids).toHaveLength(1102)
  await signIn(user)
  const { ids } = await sessionsOf(user._id)
  // The oldest is open, and kept.
  expect(ids).toHaveLength(1001)
  expect(ids).toContain(open)
})
