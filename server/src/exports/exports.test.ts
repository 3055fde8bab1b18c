import { settingsApi } from '@mokuroku/contract/settings'
import { exportOf } from '@mokuroku/contract/exports'
import type { Translated } from '@mokuroku/contract/kinds'
import { expect, test } from 'vitest'
import { SYSTEM } from '#access/permissions.ts'
import { exports } from '#store/exports'
import { media } from '#store/media'
import { app, signedIn, withApp } from '#test/app.ts'
import { aMedia, aTag, damageTexts, mediaInput } from '#test/factories.ts'
import { newId } from '#lib/ids.ts'
import { db, transaction } from '#database/db.ts'

withApp()

async function take(path: string, given?: { token: string }) {
  const { token } = given ?? (await signedIn({ role: 'user' }))
  const answer = await app.inject({ url: path, headers: { authorization: `Bearer ${token}` } })
  return { status: answer.statusCode, text: answer.body, headers: answer.headers }
}

/** The CSV of the entities with these ids. */
async function takeIds(kind: Translated, ids: string[], more: object = {}) {
  const { token } = await signedIn({ role: 'user' })
  const answer = await app.inject({
    method: 'POST',
    url: exportOf(kind).path,
    headers: { authorization: `Bearer ${token}` },
    payload: { format: 'csv', ids, ...more },
  })
  return { status: answer.statusCode, text: answer.body, headers: answer.headers }
}

/** The rows of a CSV table without quoted line breaks, keyed by its headers. */
function rowsOf(text: string): Record<string, string>[] {
  const [head = '', ...lines] = text.split('\r\n').filter(Boolean)
  const cells = (line: string) =>
    [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell = '']) =>
      cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell,
    )
  const names = cells(head)
  return lines.map((line) => Object.fromEntries(cells(line).map((cell, at) => [names[at] ?? '', cell])))
}

const titled = (titles: Record<string, string>, more: object = {}) =>
  aMedia({
    translations: Object.fromEntries(Object.entries(titles).map(([tag, title]) => [tag, { title, description: '' }])),
    ...more,
  })

test('a CSV export has a row for each entity and a column for each field and language', async () => {
  const { call } = await signedIn()
  await call(settingsApi.update, { body: { general: { languages: ['en', 'ja'] } } })
  const [tag, other] = [await aTag(), await aTag()]
  const made = await titled({ en: 'A, "quoted" title', 'zh-Hans': '夏日' }, { tags: [tag, other], episodes: 12 })
  const { status, text, headers } = await take('/api/media/export?format=csv')
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(headers['content-disposition']).toMatch(/^attachment; filename="media-\d{4}-\d\d-\d\d\.csv"$/)
  const row = rowsOf(text).find(({ _id }) => _id === made._id)
  expect(row).toMatchObject({
    'translations.en.title': 'A, "quoted" title',
    'translations.ja.title': '',
    'translations.zh-Hans.title': '夏日',
    mediaType: made.mediaType,
    tags: `${tag};${other}`,
    episodes: '12',
    isOngoing: String(made.isOngoing),
    version: '1',
  })
})

test('exports the entities that match list filters, or that are named, but none in the trash', async () => {
  const tag = await aTag()
  const [one, two] = [await aMedia({ tags: [tag] }), await aMedia({ tags: [tag], mediaType: 'NOVEL' })]
  const gone = await aMedia({ tags: [tag] })
  await media.remove(gone._id, { actor: SYSTEM })
  const columns = ['_id', 'mediaType']
  const idsIn = ({ text }: { text: string }) => rowsOf(text).map(({ _id }) => _id)
  const ids = async (query: string) =>
    idsIn(await take(`/api/media/export?format=csv&columns=${columns.join()}&${query}`))
  expect(await ids(`tags=${tag}`)).toEqual([one._id, two._id])
  expect(await ids(`tags=${tag}&type=NOVEL`)).toEqual([two._id])
  expect(idsIn(await takeIds('Media', [two._id, gone._id, one._id, one._id], { columns }))).toEqual([one._id, two._id])
  const filter = { tags: tag, type: 'NOVEL' }
  expect(idsIn(await takeIds('Media', [], { ids: undefined, filter, columns }))).toEqual([two._id])
})

test('exports 1,000 named entities, but not more', async () => {
  const made = await aMedia()
  const ids = [made._id, ...Array.from({ length: 999 }, newId)]
  expect(rowsOf((await takeIds('Media', ids)).text)).toMatchObject([{ _id: made._id }])
  expect(await takeIds('Media', [...ids, newId()])).toMatchObject({ status: 400 })
})

test('a CSV export has only the requested columns, and a byte order mark on request', async () => {
  const made = await titled({ en: 'Columns' })
  const { text } = await takeIds('Media', [made._id], { columns: ['translations.en.title', '_id'], bom: true })
  expect(text).toBe(`\ufefftranslations.en.title,_id\r\nColumns,${made._id}\r\n`)
})

test('escapes spreadsheet formulas in a reversible way', async () => {
  const texts = [
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    "'=1",
    "''=1",
    '＝1+1',
    '＋1',
    '－1',
    '＠SUM(A1)',
    "'＝1",
    "'quoted'",
    '\u200b=1',
  ]
  for (const title of texts) {
    const { _id } = await titled({ en: title })
    const { text } = await takeIds('Media', [_id], { columns: ['translations.en.title'] })
    const cell = text.split('\r\n')[1] ?? ''
    expect(cell).not.toMatch(/^[=+\-@＝＋－＠]/)
    expect(cell.replace(/^'(?='*[=+\-@＝＋－＠\t\r])/, '')).toBe(title)
  }
})

test('an NDJSON export has the fields as the API accepts them, for more than one read batch', async () => {
  const tag = await aTag()
  await transaction((tx) =>
    media.createManyIn(
      tx,
      Array.from({ length: 1100 }, () => ({
        id: newId(),
        input: mediaInput({ tags: [tag] }),
        context: { actor: SYSTEM, quiet: true },
      })),
    ),
  )
  const { text, headers } = await take(`/api/media/export?format=ndjson&tags=${tag}`)
  expect(headers['content-type']).toBe('application/x-ndjson; charset=utf-8')
  const lines = text.trimEnd().split('\n')
  const found = lines.map((line) => JSON.parse(line) as { _id: string; tags: string[] })
  expect(new Set(found.map(({ _id }) => _id)).size).toBe(1100)
  const { mediaType, isOngoing, releaseDate } = mediaInput()
  expect(found[0]).toMatchObject({ mediaType, isOngoing, releaseDate, tags: [tag], version: 1 })
})

test('characters and tags are exported too', async () => {
  const tag = await aTag({ translations: { en: { name: 'Exported', description: 'a\nb' } } })
  const { text } = await takeIds('Tag', [tag], { columns: ['translations.en.description', 'type'] })
  expect(text).toMatch(/^translations\.en\.description,type\r\n"a\nb",[A-Z_]+\r\n$/)
  expect((await take('/api/characters/export?format=csv')).status).toBe(200)
})

test.each([
  ['format=xls', 'format'],
  ['format=csv&columns=password', 'columns'],
  ['format=csv&columns=translations.en.__proto__', 'columns'],
  ['format=csv&columns=constructor.name', 'columns'],
  ['format=csv&page=2', 'page'],
  ['format=csv&nothing=1', 'nothing'],
  ['format=csv&finding=unknown', 'finding'],
  ['', 'format'],
  ['format=csv&ids=a', 'ids'],
])('rejects "%s" with an error at %s', async (query, path) => {
  const { status, text } = await take(`/api/media/export?${query}`)
  expect(status).toBe(400)
  expect(JSON.stringify(JSON.parse(text).errors)).toContain(path)
})

test.each([
  [{ format: 'xls' }, 'format'],
  [{ columns: ['_id', 'password'] }, 'columns'],
  [{ columns: [] }, 'columns'],
  [{ filter: { type: 'NOVEL' } }, ''],
  [{ ids: [] }, 'ids'],
  [{ ids: undefined, filter: { nothing: 1 } }, 'filter.nothing'],
])('rejects %j in a body with an error at "%s"', async (body, path) => {
  const { status, text } = await takeIds('Media', [newId()], body)
  expect(status).toBe(400)
  expect(JSON.parse(text).errors).toMatchObject([{ path }])
})

test.each(['csv', 'xlsx', 'ndjson'] as const)('a user can download two %s files at a time', async (format) => {
  const { actor, token } = await signedIn({ role: 'user' })
  const started = await Promise.allSettled([1, 2, 3].map(() => exports.file('Media', { format }, actor)))
  expect(started.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
  expect((await take(`/api/media/export?format=${format}`, { token })).status).toBe(429)
  for (const each of started) if (each.status === 'fulfilled') each.value.done?.()
  for (let times = 0; times < 3; times += 1)
    expect((await take(`/api/media/export?format=${format}`, { token })).status).toBe(200)
})

test('an export reads nothing more once its response is over', async () => {
  const { actor } = await signedIn()
  const { parts, done } = await exports.file('Media', { format: 'csv', columns: ['_id'] }, actor)
  done?.()
  let text = ''
  for await (const part of parts) text += String(part)
  expect(text).toBe('_id\r\n')
})

test('an export that fails before its first part is answered with an error, not with a file', async () => {
  const { _id: damaged } = await aMedia()
  await damageTexts(damaged)
  const { status, headers, text } = await takeIds('Media', [damaged], { format: 'ndjson' })
  await db.deleteFrom('media').where('_id', '=', damaged).execute()
  expect([status, headers['content-type']]).toEqual([500, 'application/json; charset=utf-8'])
  expect(headers).not.toHaveProperty('content-disposition')
  expect(JSON.parse(text)).toMatchObject({ code: 'internal' })
})

test('requires a sign-in', async () => {
  expect((await app.inject({ url: '/api/media/export?format=csv' })).statusCode).toBe(401)
})
