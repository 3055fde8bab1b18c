import { createHash } from 'node:crypto'
import { type AuditAction, auditApi, AUDIT_AREAS, OUTCOMES } from '@mokuroku/contract/audit'
import { beforeAll, describe, expect, test } from 'vitest'
import { db, transaction } from '#database/db.ts'
import { audit } from '#store/audit'
import { app, callAs, signedIn, withApp } from '#test/app.ts'
import { entries, head } from '#test/auditLog.ts'
import { aUser } from '#test/factories.ts'
import { analyze, expectIndexed } from '#test/plans.ts'

withApp()

const SIZE = 3000
const FORMULAS = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '=HYPERLINK("http://evil.example.org")']
let admin: Awaited<ReturnType<typeof signedIn>>
let other: Awaited<ReturnType<typeof aUser>>

beforeAll(async () => {
  admin = await signedIn()
  other = await aUser({ username: 'Haruka 春香' })
  await db.updateTable('users').set({ avatar: '/files/haruka' }).where('_id', '=', other._id).execute()
  await transaction(async (tx) => {
    for (let at = 0; at < SIZE; at++)
      audit.record(tx, {
        action: (['signIn.failed', 'users.changed', 'settings.read'] as AuditAction[])[at % 3] ?? 'ai.called',
        outcome: at % 7 === 0 ? 'refused' : 'ok',
        actor: at % 5 === 0 ? other : admin.user,
        client: { address: `192.0.2.${at % 200}`, userAgent: 'test' },
        about: { type: 'User', id: `target${at % 10}`, label: `Label ${at}` },
      })
  })
  await analyze()
})

test('lists entries newest first, with the current avatar of the actor', async () => {
  await audit.recordNow({ action: 'signIn.done', actor: other })
  const { seq } = await head()
  const page = await admin.call(auditApi.list, { query: { limit: 10 } })
  expect(page.data.map((row) => row.seq)).toEqual(Array.from({ length: 10 }, (_, at) => seq - at))
  expect(page).toMatchObject({ older: seq - 9, newer: null })
  expect(page.data.find(({ actorId }) => actorId === other._id)).toMatchObject({
    actorName: 'Haruka 春香',
    avatar: '/files/haruka',
  })
})

test('paging to older entries and back misses nothing', async () => {
  const { data: first, older } = await admin.call(auditApi.list, { query: { limit: 20 } })
  const second = await admin.call(auditApi.list, { query: { limit: 20, before: older ?? 0 } })
  expect(second.data[0]?.seq).toBe((first.at(-1)?.seq ?? 0) - 1)
  const back = await admin.call(auditApi.list, { query: { limit: 20, after: second.newer ?? 0 } })
  expect(back.data).toEqual(first)
  expect(back).toMatchObject({ newer: null, older })
  const last = await admin.call(auditApi.list, { query: { limit: 20, before: 5 } })
  expect([last.data.length, last.older]).toEqual([4, null])
})

test('each filter, and a combination of them, returns exactly the matching entries', async () => {
  const all = await entries()
  const moment = all[1500]?.createdAt ?? ''
  const cases = [
    [{ area: 'users' }, (each) => each.area === 'users'],
    [{ outcome: 'refused' }, (each) => each.outcome === 'refused'],
    [{ actor: other._id }, (each) => each.actorId === other._id],
    [{ target: 'target3' }, (each) => each.entityId === 'target3'],
    [{ from: moment }, (each) => each.createdAt >= moment],
    [{ to: moment }, (each) => each.createdAt < moment],
    [{ from: '2999-01-01T00:00:00.000Z' }, () => false],
    [{ to: '1999-01-01T00:00:00.000Z' }, () => false],
    [{ search: 'HARUKA' }, (each) => [each.actorName, each.label].includes('Haruka 春香')],
    [{ search: '春香' }, (each) => [each.actorName, each.label].includes('Haruka 春香')],
    [{ search: 'label 1234' }, (each) => each.label === 'Label 1234'],
    [{ search: '192.0.2.17' }, (each) => each.address.startsWith('192.0.2.17')],
    [{ search: '%_' }, () => false],
    [
      { area: 'users', outcome: 'refused', actor: other._id, search: 'label' },
      (each) => each.area === 'users' && each.outcome === 'refused' && each.actorId === other._id,
    ],
  ] as [Record<string, string>, (each: (typeof all)[number]) => boolean][]
  const { seq: last } = await head()
  for (const [query, fits] of cases) {
    const { data } = await admin.call(auditApi.list, { query: { ...query, before: last + 1, limit: 100 } })
    const wanted = all.filter(fits).map(({ seq }) => seq)
    expect([query, data.map(({ seq }) => seq)]).toEqual([query, wanted.toReversed().slice(0, 100)])
    const { body } = await take('ndjson', query)
    const lines = body.split('\n').slice(0, -1)
    // The export itself is logged too, and is part of the exported entries if it matches the filter.
    expect(lines.filter((line) => !line.includes('audit.exported'))).toHaveLength(
      all.filter((each) => fits(each) && each.action !== 'audit.exported').length,
    )
  }
})

test('every filter uses an index', async () => {
  const moment = (await entries())[1500]?.createdAt ?? ''
  const queries = [
    {},
    { before: 1500 },
    { after: 1500 },
    ...AUDIT_AREAS.map((area) => ({ area, before: 1500 })),
    ...OUTCOMES.map((outcome) => ({ outcome, after: 20 })),
    { actor: other._id },
    { target: 'target3' },
    { from: moment },
    { to: moment },
    { from: moment, to: moment, area: 'users', outcome: 'ok', actor: other._id, target: 'target3' },
  ] as const
  for (const query of queries) await expectIndexed(() => audit.list({ limit: 50, ...query }))
  await expectIndexed(() => audit.state())
})

test('logs a verification of the chain, and returns the last one', async () => {
  const { entries: before } = await admin.call(auditApi.state)
  const state = await admin.call(auditApi.verify)
  expect(state).toMatchObject({ entries: before + 1, checked: { by: admin.user.username, entries: before } })
  expect(state.checked).not.toHaveProperty('broken')
  expect(await admin.call(auditApi.state)).toEqual(state)
})

test('only administrators can read, verify or export the log', async () => {
  const [moderator, user] = [await signedIn({ role: 'moderator' }), await signedIn({ role: 'user', scores: 1e6 })]
  for (const { call } of [moderator, user])
    for (const asked of [
      () => call(auditApi.list),
      () => call(auditApi.state),
      () => call(auditApi.verify),
      () => call(auditApi.export, { query: { format: 'csv' } }),
    ])
      await expect(asked()).rejects.toMatchObject({
        status: 403,
        body: { reason: 'Only administrators can see this.' },
      })
  await expect(callAs()(auditApi.list)).rejects.toMatchObject({ status: 401 })
})

const take = (format: string, query: Record<string, string> = {}) =>
  app.inject({
    url: `/api/audit/export?${new URLSearchParams({ format, ...query }).toString()}`,
    headers: { authorization: `Bearer ${admin.token}` },
  })

test('the NDJSON export is the whole chain, and can be verified on its own', async () => {
  const { body, headers } = await take('ndjson')
  expect(headers).toMatchObject({
    'content-type': 'application/x-ndjson; charset=utf-8',
    'content-disposition': expect.stringMatching(/^attachment; filename="audit-\d{4}-\d\d-\d\d\.ndjson"$/) as string,
  })
  const lines = body.split('\n').slice(0, -1)
  let before = '0'.repeat(64)
  for (const [at, line] of lines.entries()) {
    const { hash, ...entry } = JSON.parse(line) as { hash: string; seq: number }
    expect(entry.seq).toBe(at + 1)
    before = createHash('sha256')
      .update(`${before}\n${JSON.stringify(entry)}`)
      .digest('hex')
    expect(hash).toBe(before)
  }
  expect(await head()).toMatchObject({ seq: lines.length, hash: before })
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ action: 'audit.exported', details: { format: 'ndjson' } })
})

test('the CSV export has a column for each field and a row for each entry', async () => {
  const { body } = await take('csv', { target: 'target3', outcome: 'refused' })
  const [names, ...rows] = tableIn(body.replace(/^\ufeff/, ''))
  expect(names).toEqual([
    'seq',
    'createdAt',
    'area',
    'action',
    'outcome',
    'actorId',
    'actorName',
    'session',
    'address',
    'userAgent',
    'entityType',
    'entityId',
    'label',
    'details',
    '_id',
    'hash',
  ])
  const wanted = (await entries()).filter((each) => each.entityId === 'target3' && each.outcome === 'refused')
  expect(rows.map((row) => [Number(row[0]), row.at(-1)])).toEqual(wanted.map(({ seq, hash }) => [seq, hash]))
})

test('class 19: escapes formulas in the CSV export', async () => {
  for (const label of FORMULAS)
    await audit.recordNow({
      action: 'signIn.failed',
      client: { address: '192.0.2.250', userAgent: label },
      about: { type: 'User', id: 'formulas', label },
      details: { label },
    })
  const { body } = await take('csv', { target: 'formulas' })
  const [, ...rows] = tableIn(body.replace(/^\ufeff/, ''))
  expect(rows).toHaveLength(FORMULAS.length)
  for (const cell of rows.flat()) expect(cell).not.toMatch(/^[=+\-@\t\r]/)
  expect(rows[0]?.[12]).toBe("'=1+1")
  expect(rows[6]?.[12]).toBe(`'=HYPERLINK("http://evil.example.org")`)
})

describe('class 15: SQL injection in filters', () => {
  test.each([
    { area: 'users;DROP TABLE audit' },
    { outcome: '1' },
    { from: "2020' OR 1=1" },
    { before: '1 OR 1=1' },
    { limit: '1000000' },
    { search: 'x'.repeat(1000) },
  ])('rejects %j', async (query) => {
    await expect(admin.call(auditApi.list, { query: query as never })).rejects.toMatchObject({ status: 400 })
  })
  test.each([{ actor: "' OR '1'='1" }, { target: '%' }, { search: "' OR '1'='1" }])(
    'finds nothing for %j',
    async (query) => {
      expect((await admin.call(auditApi.list, { query })).data).toEqual([])
    },
  )
})

/** The cells of a CSV table (RFC 4180). */
function tableIn(text: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === '\r\n') rows.push([])
  }
  return rows.slice(0, -1)
}
