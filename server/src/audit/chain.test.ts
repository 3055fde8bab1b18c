import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { SYSTEM } from '#access/permissions.ts'
import { db, transaction } from '#database/db.ts'
import type { Tables } from '#database/tables.ts'
import { audit } from '#store/audit'
import { startEmpty, withApp } from '#test/app.ts'
import { CHANGES, entries, type Entry, head, place, run, unprotect } from '#test/auditLog.ts'
import { launch, ready } from '#test/process.ts'
import { canonical, verifyChain } from './chain.ts'

withApp()

const asked = (details = {}) => ({ action: 'operator.ran' as const, details })
const addEntries = (count: number) =>
  transaction(async (tx) => {
    for (let at = 0; at < count; at++) audit.record(tx, asked({ at }))
  })

test('numbers the entries from 1, chains their hashes, and keeps the last one as head', async () => {
  for (let at = 0; at < 5; at++) await audit.recordNow(asked({ at }))
  const all = await entries()
  expect(all.map(({ seq }) => seq)).toEqual(all.map((_, at) => at + 1))
  let before = '0'.repeat(64)
  // Verifies an export without any of our code, as anybody could.
  for (const { hash, ...entry } of all) {
    const sorted = JSON.stringify(Object.fromEntries(Object.entries(entry).toSorted(([a], [b]) => (a < b ? -1 : 1))))
    before = createHash('sha256').update(`${before}\n${sorted}`).digest('hex')
    expect(hash).toBe(before)
  }
  expect(await head()).toMatchObject({ seq: all.length, hash: before })
  expect(await verifyChain()).toEqual({ entries: all.length })
})

test('serializes equal values to the same text, whatever the order of their keys', () => {
  expect(canonical({ b: [1, { d: null, c: '”' }], a: undefined, 10: true })).toBe(
    '{"10":true,"b":[1,{"c":"”","d":null}]}',
  )
  expect(canonical({ b: 1, a: 2 })).toBe(canonical({ a: 2, b: 1 }))
})

test('invalid characters and overlong values do not break the chain', async () => {
  const odd = 'a\0b\ud800c\u001b[31m' + '長'.repeat(400)
  await audit.recordNow({
    ...asked({ odd }),
    actor: { _id: 'x', username: odd },
    about: { type: 'User', id: odd, label: odd },
  })
  await audit.recordNow(asked({ much: Array.from({ length: 3000 }, () => 'much') }))
  const [first, second] = (await entries()).slice(-2)
  expect(first?.label).toMatch(/^a b\ufffdc \[31m長+$/)
  expect(first?.label.length).toBeLessThanOrEqual(300)
  expect(second?.details).toEqual({ tooLong: expect.any(Number) as number })
  expect(await verifyChain()).not.toHaveProperty('broken')
})

test('records the entries of a transaction with it, or not at all', async () => {
  const { seq } = await head()
  const failing = transaction(async (tx) => {
    audit.record(tx, asked())
    throw new Error('It came to nothing')
  })
  await expect(failing).rejects.toThrow('It came to nothing')
  expect(await head()).toMatchObject({ seq })
  await transaction(async (tx) => {
    audit.record(tx, asked({ which: 1 }))
    audit.record(tx, asked({ which: 2 }))
  })
  expect((await entries()).slice(seq).map(({ details }) => details.which)).toEqual([1, 2])
})

test('concurrent writers in two processes make one chain without gaps', async () => {
  const { seq } = await head()
  const { child, ended } = launch(join(import.meta.dirname, '../../test/auditWriter.ts'), {
    ...(await place()),
    COUNT: '40',
  })
  await ready(child, ended, 'begins')
  await Promise.all(Array.from({ length: 40 }, (_, at) => audit.recordNow(asked({ at }))))
  expect(await ended).toMatchObject({ code: 0, errors: '' })
  expect(await verifyChain()).toEqual({ entries: seq + 80 })
})

test('verifies a log that is longer than one read batch', async () => {
  await addEntries(1100)
  const { seq } = await head()
  expect(seq).toBeGreaterThan(1100)
  expect(await verifyChain()).toEqual({ entries: seq })
})

describe('tampering with the audit log', () => {
  test('the database itself refuses to change or delete an entry', async () => {
    const before = await verifyChain()
    for (const each of CHANGES) await expect(run(each)).rejects.toThrow('The audit log is append-only')
    expect(await verifyChain()).toEqual(before)
  })

  describe('by the owner of the database', () => {
    let kept: { all: Entry[]; end: Tables['auditHead'] }

    beforeAll(async () => {
      await addEntries(1000)
      await unprotect()
    })
    afterAll(startEmpty)
    beforeEach(async () => {
      kept = { all: await entries(), end: await head() }
    })
    afterEach(async () => {
      await db.deleteFrom('audit').execute()
      await db.deleteFrom('auditHead').execute()
      await db.insertInto('auditHead').values(kept.end).execute()
      for (let at = 0; at < kept.all.length; at += 500)
        await db
          .insertInto('audit')
          .values(kept.all.slice(at, at + 500))
          .execute()
      const { broken } = await verifyChain()
      if (broken) throw new Error(`Not put back: ${broken.why}`)
    })

    const change = (seq: number, values: Partial<Entry>) =>
      db.updateTable('audit').set(values).where('seq', '=', seq).execute()
    const remove = (seq: number) => db.deleteFrom('audit').where('seq', '=', seq).execute()
    const last = () => kept.end.seq

    test.each([
      { label: 'another' },
      { actorName: 'another' },
      { createdAt: '2020-01-01T00:00:00.000Z' },
      { outcome: 'failed' },
      { details: { at: 1, more: true } },
      { hash: 'f'.repeat(64) },
    ] as Partial<Entry>[])('detects an entry changed to %j', async (values) => {
      await change(3, values)
      expect(await verifyChain()).toMatchObject({ entries: 2, broken: { seq: 3, code: 'changed' } })
    })

    test('detects details that are no longer valid JSON', async () => {
      await run(`UPDATE "audit" SET "details" = '{' WHERE "seq" = 600`)
      expect(await verifyChain()).toMatchObject({ entries: 599, broken: { seq: 600, code: 'changed' } })
    })

    test('detects a removed entry, including the first and the last', async () => {
      for (const seq of [1, 4, 500, last()]) {
        const row = kept.all[seq - 1]
        await remove(seq)
        expect(await verifyChain()).toMatchObject({ entries: seq - 1, broken: { seq, code: 'missing' } })
        if (row) await db.insertInto('audit').values(row).execute()
      }
    })

    test('detects a truncated or emptied log', async () => {
      await db.deleteFrom('audit').where('seq', '>', 10).execute()
      expect(await verifyChain()).toMatchObject({ broken: { seq: 11, code: 'missing' } })
      await db.deleteFrom('audit').execute()
      expect(await verifyChain()).toMatchObject({ broken: { seq: 1, code: 'missing' } })
    })

    test('detects two swapped entries', async () => {
      const [third, fourth] = [kept.all[2], kept.all[3]]
      await db.deleteFrom('audit').where('seq', 'in', [3, 4]).execute()
      for (const [row, seq] of [
        [third, 4],
        [fourth, 3],
      ] as const)
        if (row)
          await db
            .insertInto('audit')
            .values({ ...row, seq })
            .execute()
      expect(await verifyChain()).toMatchObject({ broken: { seq: 3, code: 'changed' } })
    })

    test('detects an entry added before the first or after the last', async () => {
      const [row] = kept.all
      if (!row) throw new Error('There is no entry')
      await db
        .insertInto('audit')
        .values({ ...row, seq: 0 })
        .execute()
      expect(await verifyChain()).toMatchObject({ entries: 0, broken: { code: 'added' } })
      await remove(0)
      await db
        .insertInto('audit')
        .values({ ...row, seq: last() + 1 })
        .execute()
      expect(await verifyChain()).toMatchObject({ entries: last(), broken: { seq: last() + 1, code: 'added' } })
    })

    test('detects a changed or missing head', async () => {
      await db
        .updateTable('auditHead')
        .set({ hash: 'f'.repeat(64) })
        .execute()
      expect(await verifyChain()).toMatchObject({ broken: { seq: last(), code: 'head' } })
      await db.deleteFrom('auditHead').execute()
      expect(await verifyChain()).toMatchObject({ entries: 0, broken: { code: 'head' } })
    })
  })
})

test('verifies a log whose old entries are deleted meanwhile', async () => {
  onTestFinished(startEmpty)
  await unprotect()
  await addEntries(3000)
  // Not a time of this process: an earlier test's second process, whose clock may be ahead, wrote entries, too.
  const { createdAt } = await head()
  const before = new Date(Date.parse(createdAt) + 1).toISOString()
  const verifying = verifyChain()
  await yieldToEventLoop()
  const seq = await transaction(async (tx) => {
    const deleted = await audit.truncateBefore(tx, before)
    audit.record(tx, { action: 'audit.deleted', actor: SYSTEM, details: { ...deleted } })
    return deleted?.last ?? 0
  })
  // All at once, so that the deletion overtakes the verification.
  await db.deleteFrom('audit').where('seq', '<=', seq).execute()
  expect(await verifying).not.toHaveProperty('broken')
  expect(await verifyChain()).toMatchObject({ entries: 1, from: { seq } })
})
