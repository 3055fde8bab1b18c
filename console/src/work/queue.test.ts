import { expect, test } from 'vitest'
import { NO_PROGRESS, perMinute, worked } from './progress.ts'
import {
  doneUntil,
  type EntryState,
  newEntry,
  newQueue,
  nextOf,
  openIn,
  pendingIn,
  withEntry,
  withNew,
} from './queue.ts'

/** A queue of entities a, b, c … in these states. */
const queueOf = (...states: EntryState[]) => ({
  ...newQueue({ ...NO_PROGRESS, after: 'Z' }),
  entries: states.map((state, at) => ({ ...newEntry('abcdefgh'[at] ?? ''), state })),
})

test.each([
  [['waiting', 'waiting'], 'a'],
  [['saved', 'loading'], 'b'],
  [['saving', 'waiting'], 'b'],
  [['failed', 'waiting'], 'b'],
  [['failed', 'saving', 'failed'], 'a'],
  [['waiting', 'failed'], 'a'],
  [['saved', 'skipped', 'dismissed', 'gone'], undefined],
  [[], undefined],
] as const)('in a queue of %j, the next entry is %s', (states, next) => {
  expect(nextOf(queueOf(...states))).toBe(next)
})

test.each([
  [[], 'Z'],
  [['waiting'], 'Z'],
  [['saved', 'skipped', 'waiting'], 'b'],
  [['saved', 'saving', 'saved'], 'a'],
  [['saved', 'failed', 'saved'], 'a'],
  [['saved', 'dismissed'], 'b'],
] as const)('in a queue of %j, everything is done up to %s', (states, id) => {
  expect(doneUntil(queueOf(...states))).toBe(id)
})

test('adds reserved entries to the queue once, in the order of their ids', () => {
  const queue = withNew(queueOf('saved', 'waiting'), ['b', 'd', 'c'])
  expect(queue.entries.map(({ id, state }) => `${id} ${state}`)).toEqual([
    'a saved',
    'b waiting',
    'c loading',
    'd loading',
  ])
  expect(queue.current).toBe('b')
  expect([openIn(queue), pendingIn(queue)]).toEqual([3, 0])
  expect(pendingIn(withEntry(queue, 'b', { state: 'saving' }))).toBe(1)
  expect(withNew({ ...queue, current: 'd' }, []).current).toBe('d')
})

test('long pauses count only partly as working time, and there is no rate without data', () => {
  const started = worked(NO_PROGRESS, 1_000_000)
  expect(started).toMatchObject({ workedMs: 0, at: 1_000_000 })
  const later = worked({ ...started, done: 2 }, 1_060_000)
  expect([later.workedMs, perMinute(later)]).toEqual([60_000, 2])
  expect(worked(later, 9_000_000).workedMs).toBe(60_000 + 120_000)
  expect(worked(later, 0).workedMs).toBe(60_000)
  expect(perMinute(started)).toBeUndefined()
  expect(perMinute({ ...started, done: 17, workedMs: 480_000 })).toBe(2.1)
})
