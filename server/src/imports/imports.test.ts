import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { batchesApi } from '@mokuroku/contract/batches'
import type { Import, ImportRow } from '@mokuroku/contract/imports'
import { importsApi } from '@mokuroku/contract/imports'
import { jobsApi } from '@mokuroku/contract/jobs'
import { mediaApi } from '@mokuroku/contract/media'
import { notificationsApi } from '@mokuroku/contract/notifications'
import { reasonIn, reasonText } from '@mokuroku/contract/reasons'
import { tagsApi } from '@mokuroku/contract/tags'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { db, engine, transaction } from '#database/db.ts'
import { insertRows } from '#database/insert.ts'
import { deleteOldJobs, enqueue } from '#jobs/queue.ts'
import { publishJobs } from '#jobs/signal.ts'
import { media } from '#store/media'
import { users } from '#store/users'
import { purge } from '#ledger/purge.ts'
import { MAX_UNITS_PER_DAY } from '#ledger/writeLimit.ts'
import { DAY_MS, momentIn, now } from '#lib/clock.ts'
import { newId } from '#lib/ids.ts'
import { sheetCell } from '#lib/sheetCell.ts'
import { SYSTEM } from '#access/permissions.ts'
import { startSession } from '#access/session.ts'
import { app, callAs, idle, signedIn, withApp } from '#test/app.ts'
import { withinOneDay } from '#test/days.ts'
import { aCharacter, aMedia, aTag, aTier, mediaInput } from '#test/factories.ts'
import { longestShare } from '#test/longestShare.ts'
import { expectFoundByIds, plansOf, statementsOf } from '#test/plans.ts'
import { stepsOf } from '#test/steps.ts'
import { batches } from '#store/batches'
import { addRows } from './apply.ts'
import { records } from './records.ts'
import { forgetPlans } from './work.ts'

withApp()

type Signed = Awaited<ReturnType<typeof signedIn>>
type Found = Import & { rows: ImportRow[] }

type FormParts = { fileFirst?: boolean; filename?: string }

/** A multipart form as browsers send it, with the file first or last. */
function form(
  content: string | Buffer,
  entityType: string,
  { fileFirst = true, filename = 'rows.csv' }: FormParts = {},
) {
  const boundary = 'a-boundary'
  const file = [
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${filename}"\r\ncontent-type: text/csv\r\n\r\n`,
    content,
    '\r\n',
  ]
  const field = [`--${boundary}\r\ncontent-disposition: form-data; name="entityType"\r\n\r\n${entityType}\r\n`]
  const parts = [...(fileFirst ? [...file, ...field] : [...field, ...file]), `--${boundary}--\r\n`]
  return {
    payload: Buffer.concat(parts.map((part) => Buffer.from(part))),
    contentType: `multipart/form-data; boundary=${boundary}`,
  }
}

async function send({ token }: Signed, content: string | Buffer, entityType = 'Media', parts: FormParts = {}) {
  const { payload, contentType } = form(content, entityType, parts)
  return app.inject({
    method: 'POST',
    url: '/api/imports',
    headers: { authorization: `Bearer ${token}`, 'content-type': contentType },
    payload,
  })
}

/** Sends a file, and waits until it has been checked. */
async function checked(who: Signed, content: string | Buffer, entityType = 'Media'): Promise<Found> {
  const answer = await send(who, content, entityType)
  expect(answer.statusCode).toBe(201)
  await idle()
  return who.call(importsApi.find, { id: answer.json<{ _id: string }>()._id, query: { limit: 100 } })
}

async function applied({ call }: Signed, id: string, duplicates: 'skip' | 'write' = 'skip') {
  const { batch } = await call(importsApi.apply, { id, body: { duplicates } })
  await idle()
  return call(batchesApi.find, { id: batch })
}

const csv = (...rows: string[][]) =>
  rows.map((row) => `${row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`).join('')
const HEAD = ['_id', 'translations.en.title', 'mediaType', 'releaseDate']
const DAY = '2021-03-04T00:00:00.000Z'
const row = (title: string, id = '', more: string[] = []) => [id, title, 'NOVEL', '2021-03-04', ...more]
const exported = async ({ token }: Signed, kind: string, format: string) =>
  (await app.inject({ url: `/api/${kind}/export?format=${format}`, headers: { authorization: `Bearer ${token}` } }))
    .rawPayload
const documents = async () =>
  JSON.stringify(await db.selectFrom('media').selectAll().orderBy('_id').where('deletedAt', 'is', null).execute())
let names = 0
const name = () => `Imported ${++names}`

describe('a file of media', () => {
  test('is checked, written as one batch, and rolled back exactly', async () => {
    const who = await signedIn()
    const { _id: kept } = await aMedia({ translations: { en: { title: 'Kept', description: 'as it is' } } })
    const same = await aMedia()
    const before = await documents()
    const fresh = [name(), name()]
    const file = csv(
      HEAD,
      [kept, 'Kept anew', '', ''],
      [same._id, same.translations.en?.title ?? '', same.mediaType, '2020-04-01'],
      row(fresh[0] ?? ''),
      row(fresh[1] ?? ''),
      row(fresh[0] ?? ''),
      ['', name(), 'PAINTING', 'some day'],
      ['nothing', 'Nothing', '', ''],
    )
    const found = await checked(who, file)
    expect(found).toMatchObject({
      state: 'ready',
      total: 7,
      counts: { new: 2, changed: 1, unchanged: 1, refused: 2, duplicates: 1 },
      mapping: Object.fromEntries(HEAD.map((header) => [header, header])),
    })
    expect(await documents()).toBe(before)
    expect(found.rows.map(({ outcome }) => outcome)).toEqual([
      'changed',
      'unchanged',
      'new',
      'new',
      'duplicates',
      'refused',
      'refused',
    ])
    expect(found.rows[0]).toMatchObject({
      row: 2,
      _id: kept,
      match: 'Kept',
      changes: [{ path: 'translations.en.title', from: 'Kept', to: 'Kept anew' }],
    })
    expect(found.rows[4]).toMatchObject({ _id: null, matchRow: 4 })
    expect(found.rows[5]?.reason).toMatch(/mediaType: Must be one of ANIME, MANGA, NOVEL; releaseDate: Must be a date/)
    expect(found.rows[6]?.reason).toMatch(/no entry with this _id/)

    const batch = await applied(who, found._id)
    expect(batch).toMatchObject({ what: 'import', state: 'done', total: 3, changed: 3, refused: 0 })
    const { call } = who
    expect((await call(mediaApi.find, { id: kept })).translations.en).toEqual({
      title: 'Kept anew',
      description: 'as it is',
    })
    expect(await call(importsApi.find, { id: found._id })).toMatchObject({ state: 'done', batch: batch._id })
    const [news] = (await call(notificationsApi.list)).data
    expect(news).toMatchObject({
      kind: 'BATCH_FINISHED',
      data: { what: 'change', effect: 'import', count: 3, batch: batch._id },
    })
    await expect(call(importsApi.apply, { id: found._id, body: {} })).rejects.toMatchObject({ status: 409 })
    const revisions = await db.selectFrom('revisions').selectAll().where('batch', '=', batch._id).execute()
    expect(revisions.map(({ origin }) => origin)).toEqual(['import', 'import', 'import'])

    const listed = async () => (await call(importsApi.list, { query: {} })).data.filter(({ _id }) => _id === found._id)
    expect(await listed()).toMatchObject([{ state: 'done', rollback: null }])
    await call(batchesApi.rollback, { id: batch._id, body: { reason: 'undo' } })
    await idle()
    const createdBy = { _id: who.user._id, username: who.user.username }
    expect(await listed()).toMatchObject([{ state: 'done', rollback: { state: 'done', changed: 3, createdBy } }])
    const after = JSON.parse(await documents()) as { _id: string; version: number; updatedAt: string }[]
    const earlier = JSON.parse(before) as typeof after
    const bare = (rows: typeof after) => rows.map(({ version: _, updatedAt: __, ...each }) => each)
    expect(bare(after)).toEqual(bare(earlier))
  })

  test('accepts tags by name and characters by id, and refuses ambiguous or unknown names', async () => {
    const who = await signedIn()
    const [tag, twin] = [name(), name()]
    const id = await aTag({ translations: { en: { name: tag, description: '' } } })
    for (const type of ['GENRE', 'THEME'] as const)
      await aTag({ type, translations: { en: { name: twin, description: '' } } })
    const character = await aCharacter()
    const titles = [name(), name(), name(), name(), name(), name()]
    const found = await checked(
      who,
      csv(
        ['Title (English)', 'Type', 'Release date', 'Tags', 'Characters'],
        [titles[0] ?? '', 'Anime', '2021/3/4', tag.toUpperCase(), character],
        [titles[1] ?? '', 'Anime', '2021年3月4日', twin, ''],
        [titles[2] ?? '', 'Anime', 'March 4, 2021', `${tag}; nothing`, ''],
        [titles[3] ?? '', 'Anime', '2021-03-04', `${tag}, ${tag}`, ''],
        [titles[4] ?? '', 'Anime', '2021-03-04', `${tag}\uff1b${tag}`, ''],
        [titles[5] ?? '', 'Anime', '2021-03-04', `${tag}\uff0c${tag}`, ''],
      ),
    )
    expect(found.rows.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['new', null],
      ['refused', `tags: Several entries are called “${twin}”. Enter the _id`],
      ['refused', 'tags: No entry is called “nothing”'],
      ['new', null],
      ['new', null],
      ['new', null],
    ])
    await applied(who, found._id)
    const rows = await db
      .selectFrom('media')
      .selectAll()
      .where('tags', '=', JSON.stringify([id]) as never)
      .execute()
    expect(
      rows.map(({ translations, releaseDate, characters }) => [translations.en?.title, releaseDate, characters]),
    ).toEqual([
      [titles[0], '2021-03-04T00:00:00.000Z', [character]],
      ...titles.slice(3).map((title) => [title, '2021-03-04T00:00:00.000Z', []]),
    ])
  })

  test('refuses only the rows in which a cell has a NUL character', async () => {
    const who = await signedIn()
    const entry = (changes: object) =>
      JSON.stringify({ title: name(), mediaType: 'NOVEL', releaseDate: '2021-03-04', ...changes })
    const nul = 'a\0b'
    const lines = [entry({ _id: nul }), entry({ title: nul }), entry({ tags: nul }), entry({ cover: nul }), entry({})]
    const found = await checked(who, lines.join('\n'))
    expect(found).toMatchObject({ state: 'ready', counts: { new: 1, refused: 4 } })
  })

  test('changes the time of a day, but keeps it if the cell has none', async () => {
    const who = await signedIn()
    const { _id } = await aMedia({ releaseDate: '2021-03-04T09:00:00.000Z' })
    const dates = async (date: string) => (await checked(who, csv(HEAD, [_id, '', '', date]))).rows[0]
    expect(await dates('2021年3月4日 12:30')).toMatchObject({
      outcome: 'changed',
      changes: [{ path: 'releaseDate', to: '2021-03-04T12:30:00.000Z' }],
    })
    expect(await dates('2021年3月4日')).toMatchObject({ outcome: 'unchanged' })
  })

  test('refuses a cell that is no date with an example of one', async () => {
    const { rows } = await checked(await signedIn(), csv(HEAD, ['', 'When?', 'NOVEL', '30.2.2021']))
    expect(rows[0]).toMatchObject({
      outcome: 'refused',
      errors: [{ path: 'releaseDate', message: 'Must be a date, such as 2026-01-05' }],
    })
  })

  test('refuses a cell of a million combining marks without sorting them', async () => {
    const cell = '\u0301\u0327'.repeat(500_000)
    const { rows } = await checked(
      await signedIn(),
      `mediaType,isOngoing,releaseDate,title (en)\nANIME,${cell},${cell},Marks`,
    )
    expect(rows).toMatchObject([{ outcome: 'refused' }])
  })

  test('refuses a row whose _id an earlier row has, also one that was refused, anywhere in a long file', async () => {
    const who = await signedIn()
    const { _id } = await aMedia()
    const changed = [_id, 'Changed', '', '']
    // More rows than are checked at a time.
    const others = Array.from({ length: 200 }, () => ['nothing', '', '', ''])
    const found = await checked(who, csv(HEAD, [_id, '', '', 'some day'], changed, ...others, changed))
    expect(found.counts).toMatchObject({ changed: 0, refused: 203 })
    const { rows } = await who.call(importsApi.find, { id: found._id, query: { page: 3, limit: 100 } })
    for (const later of [found.rows[1], rows.at(-1)])
      expect(later).toMatchObject({ _id, reason: 'Row 2 has the same _id.' })
  })

  test('keeps cells that look like formulas as texts', async () => {
    const who = await signedIn()
    const found = await checked(who, csv(HEAD, row('=1+1'), row(`'=2+2`), row(`'＝3`), row(`'quoted'`), row('@home')))
    await applied(who, found._id)
    const rows = await db
      .selectFrom('media')
      .select('translations')
      .where('mediaType', '=', 'NOVEL')
      .where('createdBy', '=', who.user._id)
      .orderBy('_id')
      .execute()
    expect(rows.map(({ translations }) => translations.en?.title)).toEqual(['=1+1', '=2+2', '＝3', "'quoted'", '@home'])
  })

  test('never overwrites a likely duplicate', async () => {
    const who = await signedIn()
    const title = name()
    const there = await aMedia({
      mediaType: 'NOVEL',
      releaseDate: '2021-03-04T00:00:00.000Z',
      translations: { en: { title, description: '' } },
    })
    const found = await checked(who, csv(HEAD, row(title.toUpperCase()), row(name())))
    expect(found.counts).toMatchObject({ new: 1, duplicates: 1 })
    expect(found.rows[0]).toMatchObject({ outcome: 'duplicates', _id: there._id, match: title })
    const written = await checked(who, csv(HEAD, row(title.toUpperCase())))
    expect(await applied(who, found._id)).toMatchObject({ total: 1, changed: 1 })
    expect(await applied(who, written._id, 'write')).toMatchObject({ total: 1, changed: 1 })
    expect(await media.row(there._id)).toMatchObject({ version: 1 })
    const rows = await db
      .selectFrom('media')
      .select(['translations', 'createdBy'])
      .where('createdBy', '=', who.user._id)
      .execute()
    expect(rows.map(({ translations }) => translations.en?.title)).toContain(title.toUpperCase())
  })

  test('skips new rows that have become likely duplicates since the check, also while another import creates them', async () => {
    const people = [await signedIn(), await signedIn()]
    const file = csv(HEAD, ...Array.from({ length: 120 }, () => row(name())))
    const imports: { who: Signed; id: string }[] = []
    for (const who of people) imports.push({ who, id: (await checked(who, file))._id })
    const started = await Promise.all(
      imports.map(({ who, id }) => who.call(importsApi.apply, { id, body: { duplicates: 'skip' } })),
    )
    await idle()
    const created = await db
      .selectFrom('media')
      .select(['_id', 'createdBy'])
      .where(
        'createdBy',
        'in',
        people.map(({ user }) => user._id),
      )
      .execute()
    expect(created).toHaveLength(120)
    for (const [at, { who, id }] of imports.entries()) {
      const own = created.filter(({ createdBy }) => createdBy === who.user._id).length
      const batch = await who.call(batchesApi.find, { id: started[at]?.batch ?? '' })
      expect(batch).toMatchObject({ total: 120, changed: own, unchanged: 120 - own, refused: 0 })
      const { counts, rows } = await who.call(importsApi.find, { id, query: { outcome: 'duplicates' } })
      expect(counts).toEqual({ new: own, changed: 0, unchanged: 0, refused: 0, duplicates: 120 - own })
      for (const { _id, changes } of rows) {
        expect(created.find((each) => each._id === _id)?.createdBy).not.toBe(who.user._id)
        expect(changes).toEqual([])
      }
    }
  })

  test('creates rows that are like an entry which the same import changes, or like any if duplicates are written', async () => {
    const who = await signedIn()
    const [there, title, other] = [await aMedia({ mediaType: 'NOVEL', releaseDate: DAY }), name(), name()]
    // More than are written at a time.
    const between = Array.from({ length: 50 }, () => row(name()))
    const found = await checked(who, csv(HEAD, [there._id, title, '', ''], ...between, row(title)))
    expect(found.counts).toMatchObject({ new: 51, changed: 1 })
    expect(await applied(who, found._id)).toMatchObject({ changed: 52 })
    const written = await checked(who, csv(HEAD, row(other)))
    await aMedia({ mediaType: 'NOVEL', releaseDate: DAY, translations: { en: { title: other, description: '' } } })
    expect(await applied(who, written._id, 'write')).toMatchObject({ changed: 1 })
  })

  test('refuses rows of entries that were deleted or merged since the check as the check does', async () => {
    const who = await signedIn()
    const [deleted, from, into, gone] = [await aMedia(), await aMedia(), await aMedia(), await aMedia()]
    const ids = [deleted._id, from._id, gone._id]
    const files = [
      [csv(HEAD, ...ids.map((id) => [id, name(), '', ''])), 'Media', 'rowUnknown'],
      [csv(['_id', 'language', 'title'], ...ids.map((id) => [id, 'ko', name()])), 'Translation', 'rowNoEntry'],
    ] as const
    const before = await Promise.all(files.map(([file, kind]) => checked(who, file, kind)))
    for (const { _id } of [deleted, gone]) await media.remove(_id, { actor: SYSTEM })
    await purge('Media', gone._id, { actor: SYSTEM })
    await who.call(mediaApi.merge, { id: into._id, body: { from: { _id: from._id, version: 1 }, pick: {} }, base: 1 })
    for (const [at, [file, kind, unknown]] of files.entries()) {
      const id = before[at]?._id ?? ''
      expect(await applied(who, id)).toMatchObject({ changed: 0, refused: 3 })
      for (const shown of [await who.call(importsApi.find, { id }), await checked(who, file, kind)])
        expect(shown.rows.map(({ reason }) => reason)).toEqual(
          (['inTrash', 'mergedTrash', unknown] as const).map((code) => reasonText(code)),
        )
    }
  })

  test('keeps changes that others made since the check, and refuses conflicting rows', async () => {
    const who = await signedIn()
    const [one, other] = [await aMedia(), await aMedia()]
    const found = await checked(who, csv(HEAD, [one._id, 'By import', '', ''], [other._id, 'By import', '', '']))
    await media.update(one._id, { episodes: 12 }, { actor: SYSTEM })
    await media.update(other._id, { translations: { en: { title: 'By hand', description: '' } } }, { actor: SYSTEM })
    expect(await applied(who, found._id)).toMatchObject({ changed: 1, refused: 1 })
    expect(await media.row(one._id)).toMatchObject({ episodes: 12, translations: { en: { title: 'By import' } } })
    expect(await media.row(other._id)).toMatchObject({ translations: { en: { title: 'By hand' } } })
    expect((await who.call(importsApi.find, { id: found._id })).counts).toEqual({
      new: 0,
      changed: 1,
      unchanged: 0,
      refused: 1,
      duplicates: 0,
    })
  })

  test('checks permissions again when each row is written', async () => {
    await aTier(90, { canCreateMedia: true, canEditOwnContent: false, canEditAnyContent: false })
    await aTier(80, { canEditOwnContent: true })
    const who = await signedIn({ role: 'user', scores: 90 })
    const foreign = await aMedia()
    const found = await checked(who, csv(HEAD, row(name()), row(name()), [foreign._id, 'Mine now', '', '']))
    expect(found.counts).toMatchObject({ new: 2, refused: 1 })
    expect(found.rows[2]?.reason).toMatch(/edit/i)
    await users.update(who.user._id, { scores: 80 }, { actor: SYSTEM })
    expect(await applied(who, found._id)).toMatchObject({ total: 2, changed: 0, refused: 2 })
    const refused = await app.inject({
      url: `/api/imports/${found._id}/refused`,
      headers: { authorization: `Bearer ${who.token}` },
    })
    expect(refused.body.split('\r\n')).toHaveLength(5)
    const upload = await signedIn({ role: 'user' }).then((other) => send(other, csv(HEAD, row('x'))))
    expect([upload.statusCode, upload.json()]).toMatchObject([403, { reason: expect.stringMatching(/editing\.$/) }])
  })

  test('is applied by a user who may write nothing any more only once that has changed, and stays as it was checked', async () => {
    await aTier(87, { canCreateMedia: true })
    const who = await signedIn({ role: 'user', scores: 87 })
    const { _id: id, mapping } = await checked(who, csv(HEAD, row(name()), row(name())))
    const scored = (scores: number) => users.update(who.user._id, { scores }, { actor: SYSTEM })
    await scored(0)
    const refusal = { status: 403, code: 'forbidden' }
    await expect(who.call(importsApi.apply, { id, body: {} })).rejects.toMatchObject(refusal)
    await expect(who.call(importsApi.map, { id, body: { mapping } })).rejects.toMatchObject(refusal)
    const counts = { new: 2, refused: 0 }
    expect(await who.call(importsApi.find, { id })).toMatchObject({ state: 'ready', batch: null, counts })
    await scored(87)
    expect(await applied(who, id)).toMatchObject({ changed: 2, refused: 0 })
  })

  test('refuses new rows of a user who may only edit before anything is written', async () => {
    await aTier(98, { canEditAnyContent: true })
    const who = await signedIn({ role: 'user', scores: 98 })
    const existing = await aMedia()
    const found = await checked(who, csv(HEAD, row(name()), [existing._id, name(), '', '']))
    expect(found.counts).toMatchObject({ new: 0, changed: 1, refused: 1 })
    expect(found.rows[0]?.reason).toBe('Your tier “Tier 98” does not allow adding media.')
  })
})

test('imports translations of any kind, one language per row, and rolls them back', async () => {
  const who = await signedIn()
  const text = (title: string) => ({ title, description: 'as it is' })
  const before = { en: text('Kokoro'), ja: text('こころ') }
  const [one, gone] = [await aMedia({ translations: before }), await aMedia()]
  await media.remove(gone._id, { actor: SYSTEM })
  const character = await aCharacter({ translations: { en: { name: 'Sensei', description: '' } } })
  const found = await checked(
    who,
    csv(
      ['Entity ID', 'lang', 'Name', 'description'],
      [one._id, 'en', 'The Heart', ''],
      [one._id, 'ZH-hans', '心', '一部小说'],
      [one._id, 'ja', 'こころ', ''],
      [one._id, 'EN', 'Again', ''],
      [character, 'ja', '先生', ''],
      [gone._id, 'en', 'Gone', ''],
      [one._id, 'not a language', 'x', ''],
      ['', 'en', 'x', ''],
      [newId(), 'en', 'x', ''],
      [one._id, 'ko', 'x'.repeat(1001), ''],
    ),
    'Translation',
  )
  expect(found).toMatchObject({
    state: 'ready',
    mapping: { 'Entity ID': '_id', lang: 'language', Name: 'title', description: 'description' },
    counts: { new: 2, changed: 1, unchanged: 1, refused: 6, duplicates: 0 },
  })
  expect(found.rows.map(({ kind, match, changes }) => [kind, match, changes.map(({ to }) => to)]).slice(0, 5)).toEqual([
    ['Media', 'Kokoro', ['The Heart']],
    ['Media', 'Kokoro', ['心', '一部小说']],
    ['Media', 'Kokoro', []],
    ['Media', 'Kokoro', []],
    ['Character', 'Sensei', ['先生']],
  ])
  expect(found.rows.slice(3).flatMap(({ reason }) => reason ?? [])).toEqual([
    'Row 2 has the same _id and language.',
    expect.stringMatching(/trash/i),
    expect.stringMatching(/^language: Invalid language tag/),
    'A translation needs the _id of its entry.',
    'There is no entry with this _id.',
    expect.stringMatching(/^translations\.ko\.title: /),
  ])
  const batch = await applied(who, found._id)
  expect(batch).toMatchObject({ what: 'import', state: 'done', total: 3, changed: 3, refused: 0 })
  expect((await media.row(one._id))?.translations).toEqual({
    en: text('The Heart'),
    ja: text('こころ'),
    'zh-Hans': { title: '心', description: '一部小说' },
  })
  await who.call(batchesApi.rollback, { id: batch._id, body: { reason: 'undo' } })
  await idle()
  expect((await media.row(one._id))?.translations).toEqual(before)
})

test('imports translations only for entries that the user may edit', async () => {
  await aTier(91, { canCreateMedia: true, canEditOwnContent: true, canEditAnyContent: false })
  const who = await signedIn({ role: 'user', scores: 91 })
  const [own, foreign] = [await aMedia({}, { actor: who.actor }), await aMedia()]
  const found = await checked(
    who,
    csv(['_id', 'language', 'title'], [own._id, 'ko', '마음'], [foreign._id, 'ko', '마음']),
    'Translation',
  )
  expect(found.rows.map(({ outcome }) => outcome)).toEqual(['new', 'refused'])
  expect(await applied(who, found._id)).toMatchObject({ total: 1, changed: 1 })
  expect((await media.row(foreign._id))?.translations).not.toHaveProperty('ko')
})

test('a page of an import joins only its own rows, with one outcome or all', async () => {
  const who = await signedIn()
  const titles = [name(), name(), name(), name()]
  const found = await checked(who, csv(HEAD, row('', 'PAINTING'), ...titles.map((title) => row(title))))
  const stored = await records.row(db, found._id)
  if (!stored) throw new Error('The import is gone')
  for (const [outcome, lines] of [
    [undefined, [4, 5]],
    ['new', [5, 6]],
  ] as const) {
    const page = { page: 2, limit: 2, outcome }
    expect((await records.rows(stored, page)).map((each) => each.row)).toEqual(lines)
    const plan = await plansOf(() => records.rows(stored, page))
    const isJoinedLast =
      engine === 'postgres' ? !plan[0]?.includes('Limit') : plan.some((line) => /importRows .*seq=\?/.test(line))
    expect(isJoinedLast).toBe(true)
  }
})

test('maps columns by hand, and remembers the mapping for the same header', async () => {
  const who = await signedIn()
  const title = name()
  const file = csv(['Werk', 'mediaType', 'releaseDate'], [title, 'NOVEL', '2021-03-04'])
  const found = await checked(who, file)
  expect(found).toMatchObject({ mapping: { Werk: null }, counts: { refused: 1 } })
  const put = (mapping: Record<string, string | null>) => who.call(importsApi.map, { id: found._id, body: { mapping } })
  await expect(put({ Werk: 'password' })).rejects.toMatchObject({ status: 400 })
  await expect(put({ Other: '_id' })).rejects.toMatchObject({ status: 400 })
  await expect(put({ Werk: 'releaseDate', releaseDate: 'releaseDate' })).rejects.toMatchObject({ status: 400 })
  await put({ ...found.mapping, Werk: 'translations.de.title' })
  await idle()
  expect(await who.call(importsApi.find, { id: found._id })).toMatchObject({
    state: 'ready',
    counts: { new: 1, refused: 0 },
  })
  expect((await checked(who, file)).mapping).toMatchObject({ Werk: 'translations.de.title' })
})

test('columns and cells that somebody else has changed since are not overwritten', async () => {
  const who = await signedIn()
  const found = await checked(who, csv(['title'], [name()]))
  const [id, base] = [found._id, found.version]
  const map = (version: number) =>
    who.call(importsApi.map, { id, body: { mapping: { title: 'translations.en.title' } }, base: version })
  const correct = (version: number) =>
    who.call(importsApi.correct, {
      id,
      body: { corrections: [{ row: 2, header: 'title', text: name() }] },
      base: version,
    })
  expect(await map(base)).toMatchObject({ version: base + 1 })
  for (const late of [map, correct]) await expect(late(base)).rejects.toMatchObject({ status: 412, code: 'stale' })
  expect(await correct(base + 1)).toMatchObject({ version: base + 2 })
  await expect(correct(base + 1)).rejects.toMatchObject({ status: 412 })
  await idle()
  // Checking the rows is no change.
  expect(await who.call(importsApi.find, { id })).toMatchObject({ state: 'ready', version: base + 2 })
})

describe('cells of refused rows', () => {
  const correct = (who: Signed, id: string, ...corrections: [row: number, header: string, text: string][]) =>
    who.call(importsApi.correct, {
      id,
      body: { corrections: corrections.map(([at, header, text]) => ({ row: at, header, text })) },
    })
  const rowsOf = async (who: Signed, id: string) =>
    (await who.call(importsApi.find, { id, query: { limit: 100 } })).rows.map(({ outcome }) => outcome)

  test('are corrected, which also changes the result of other rows, and are then written', async () => {
    const who = await signedIn()
    const { _id } = await aMedia({ translations: { en: { title: name(), description: '' } } })
    const title = name()
    const found = await checked(
      who,
      csv(HEAD, ['', title, 'NOVELLA', 'spring'], row(name(), _id), row(title), row(name(), 'typo')),
    )
    expect(found.rows.map(({ outcome }) => outcome)).toEqual(['refused', 'changed', 'new', 'refused'])
    const { state } = await correct(
      who,
      found._id,
      [2, 'mediaType', 'Novel'],
      [2, 'releaseDate', '2021年3月4日'],
      [5, '_id', _id],
    )
    expect(state).toBe('checking')
    await idle()
    expect(await rowsOf(who, found._id)).toEqual(['new', 'changed', 'duplicates', 'refused'])
    expect(await who.call(importsApi.find, { id: found._id, query: { outcome: 'refused' } })).toMatchObject({
      rows: [{ row: 5, reason: reasonText('rowTwice', { row: 3 }) }],
      counts: { new: 1, changed: 1, duplicates: 1, refused: 1 },
    })
    await correct(who, found._id, [5, '_id', ''])
    await idle()
    expect(await applied(who, found._id)).toMatchObject({ changed: 3 })
    const data = await who.call(mediaApi.list, { query: { search: title } })
    expect(data).toMatchObject([{ mediaType: 'NOVEL', releaseDate: '2021-03-04T00:00:00.000Z' }])
    await expect(correct(who, found._id, [5, '_id', _id])).rejects.toMatchObject({ status: 409, code: 'applied' })
  })

  test('are corrected all or none, and only in rows and columns that exist and can be read', async () => {
    const who = await signedIn()
    const found = await checked(who, `${csv(HEAD, ['', 'One', 'x', 'x'])}"","Two","x","x","too many"\r\n`)
    const refusal = { status: 400, errors: [{ path: 'corrections.1.row' }] }
    for (const other of [1, 3, 4, -1]) {
      const both = correct(who, found._id, [2, 'mediaType', 'NOVEL'], [other, 'mediaType', 'NOVEL'])
      await expect(both).rejects.toMatchObject(refusal)
    }
    await expect(correct(who, found._id, [2, 'constructor', 'x'])).rejects.toMatchObject({
      status: 400,
      errors: [{ path: 'corrections.0.header', message: reasonText('importHeader') }],
    })
    await expect(correct(who, found._id)).rejects.toMatchObject({ status: 400 })
    await expect(correct(who, found._id, [2, 'mediaType', 'a\0b'])).rejects.toMatchObject({ status: 400 })
    await idle()
    expect(await who.call(importsApi.find, { id: found._id, query: {} })).toMatchObject({
      state: 'ready',
      rows: [{ cells: { mediaType: 'x' } }, {}],
    })
  })

  test('may be beyond the last cell of a short row', async () => {
    const who = await signedIn()
    const found = await checked(who, `title (en),mediaType,isOngoing,releaseDate\r\n${name()}\r\n`)
    expect(found.rows).toMatchObject([{ outcome: 'refused' }])
    await correct(who, found._id, [2, 'releaseDate', '2021-03-04'], [2, 'mediaType', 'Manga'])
    await idle()
    expect(await rowsOf(who, found._id)).toEqual(['new'])
  })
})

test('a file can be mapped whatever its columns are called', async () => {
  const who = await signedIn()
  const odd = ['__proto__', 'constructor', 'toString']
  const found = await checked(who, csv([...HEAD, ...odd], row('Odd columns', '', ['one', 'two', 'three'])))
  const mapping = { ...found.mapping, constructor: 'originalTitle' }
  expect(await who.call(importsApi.map, { id: found._id, body: { mapping } })).toMatchObject({ mapping })
  await idle()
  const { rows } = await who.call(importsApi.find, { id: found._id })
  expect(rows).toMatchObject([{ outcome: 'new', cells: { 'Column 5': 'one', constructor: 'two', toString: 'three' } }])
})

test('a page shows the beginning of a long cell, and all of it is imported', async () => {
  const who = await signedIn()
  const description = 'A long story. '.repeat(1000).trim()
  const found = await checked(who, csv([...HEAD, 'translations.en.description'], row('A long cell', '', [description])))
  const shown = found.rows[0]?.cells['translations.en.description'] ?? ''
  expect([shown.length, shown.at(-1)]).toEqual([1000, '…'])
  await applied(who, found._id)
  const [written] = await who.call(mediaApi.list, { query: { search: 'A long cell', limit: 1 } })
  const stored = await who.call(mediaApi.find, { id: written?._id ?? '' })
  expect(stored.translations.en?.description).toBe(description)
})

test('an empty cell keeps the value, unless empty cells are set to clear it', async () => {
  const who = await signedIn()
  const one = await aMedia({ episodes: 12, originalTitle: 'Original' })
  const found = await checked(who, csv(['_id', 'episodes', 'originalTitle'], [one._id, '', '']))
  expect(found.counts.unchanged).toBe(1)
  await who.call(importsApi.map, { id: found._id, body: { mapping: found.mapping, emptyCells: 'clear' } })
  await idle()
  await applied(who, found._id)
  const after = await media.row(one._id)
  expect([after?.episodes, after?.originalTitle]).toEqual([undefined, undefined])
})

test.each(['csv', 'xlsx', 'ndjson'])(
  'an export as %s can be imported again without changing anything',
  async (format) => {
    const who = await signedIn()
    const tag = await aTag({ translations: { en: { name: '=SUM(A1)', description: 'a\r\nb, "c"\td' } }, icon: null })
    const linked = await aMedia({
      translations: {
        en: { title: "'=1", description: '_x000D_ <&> \r\n' },
        'pt-BR': { title: '', description: 'no title' },
        ja: { title: '夏 ', description: '' },
        ko: { title: '', description: `=${'𠮷'.repeat(24_000)}` },
        fr: { title: 'Ligne', description: 'one\u2028two\u2029three' },
      },
      tags: [tag],
      duration: 24.5,
      originalTitle: '\tTab',
      aliases: ['Steins;Gate', 'S;G'],
    })
    await aCharacter({ mediaRefs: [linked._id], originalName: '-1' })
    for (const [kind, entityType] of [
      ['media', 'Media'],
      ['characters', 'Character'],
      ['tags', 'Tag'],
    ] as const) {
      const found = await checked(who, await exported(who, kind, format), entityType)
      expect(found.rows.find(({ outcome }) => outcome !== 'unchanged')).toBeUndefined()
      expect(found).toMatchObject({ state: 'ready', counts: { unchanged: found.total } })
      expect(found.total).toBeGreaterThan(0)
      // Excel opens no workbook with longer cells.
      const lengths = found.rows.flatMap(({ cells }) => Object.values(cells).map(({ length }) => length))
      if (format === 'xlsx') expect(Math.max(...lengths)).toBeLessThanOrEqual(32_767)
    }
  },
)

describe('an unedited export of random entries', () => {
  const text = fc.string({
    unit: fc.constantFrom(...Array.from(`=@'",;|[]{} \t\r\n_x0041夏𠮷\u2028\uffff0`)),
    maxLength: 12,
  })
  const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
  const list = optional(fc.array(text.filter((each) => each.trim() !== '')))
  const amount = optional(fc.oneof(fc.integer({ min: 0, max: 9999 }), fc.double({ min: 0, max: 9999, noNaN: true })))
  const day = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
  const language = fc.constantFrom('en', 'ja', 'pt-BR')
  const named = fc.dictionary(language, fc.record({ name: text, description: text }))
  const medium = fc.record({
    translations: fc.dictionary(language, fc.record({ title: text, description: text })),
    originalTitle: optional(text),
    aliases: list,
    readings: list,
    isOngoing: fc.boolean(),
    releaseDate: day.map((each) => each.toISOString()),
    duration: amount,
    episodes: amount,
  })
  const character = fc.record({ translations: named, originalName: optional(text), aliases: list, readings: list })
  const tag = fc.record({ translations: named, icon: fc.option(text), status: fc.constantFrom('ACTIVE', 'HIDDEN') })

  test.each(['csv', 'xlsx', 'ndjson'])('changes nothing as %s, whether empty cells keep or clear', async (format) => {
    const who = await signedIn()
    const tags = [await aTag(), await aTag()]
    const links = fc.record({ tags: fc.subarray(tags) })
    for (const [entry, more] of fc.sample(fc.tuple(medium, links), 40)) await aMedia({ ...entry, ...more })
    for (const [entry, more] of fc.sample(fc.tuple(character, links), 40)) await aCharacter({ ...entry, ...more })
    for (const entry of fc.sample(tag, 40)) await aTag({ ...entry, parentTag: tags[0] ?? null })
    for (const [kind, entityType] of [
      ['media', 'Media'],
      ['characters', 'Character'],
      ['tags', 'Tag'],
    ] as const) {
      const { _id: id, mapping } = await checked(who, await exported(who, kind, format), entityType)
      for (const emptyCells of ['keep', 'clear'] as const) {
        await who.call(importsApi.map, { id, body: { mapping, emptyCells } })
        await idle()
        const { rows, counts, total } = await who.call(importsApi.find, { id, query: { limit: 100 } })
        expect(rows.find(({ outcome }) => outcome !== 'unchanged')).toBeUndefined()
        expect(counts.unchanged).toBe(total)
      }
    }
  })
})

describe('a number', () => {
  const HEADERS = ['_id', 'duration', 'title (de)']
  const codeOf = (message = ''): string => reasonIn(message)?.code ?? message
  /** What a cell of a number becomes in a table: the new value, or the code of why it is refused. */
  async function outcomes(separator: string, cells: string[]) {
    const who = await signedIn()
    const ids = await Promise.all(cells.map(async () => (await aMedia({ duration: 1 }))._id))
    const lines = [HEADERS, ...cells.map((cell, at) => [ids[at] ?? '', cell, ''])]
    const text = lines.map((line) => line.map((cell) => `"${cell}"`).join(separator)).join('\n')
    const { rows } = await checked(who, text)
    return Object.fromEntries(
      rows.map(({ changes, errors }, at) => [cells[at] ?? '', changes[0]?.to ?? codeOf(errors[0]?.message)]),
    )
  }

  test('is read in decimal notation only, and refused if it is unclear', async () => {
    const clear = { '1500': '1500', '24.5': '24.5', '1.500': '1.5', '0.500': '0.5', ' 007 ': '7', '+3': '3' }
    const spaced = { '1 500': '1500', '1\u202f500': '1500', '12\u00a0345.5': '12345.5', '１２．５': '12.5' }
    const unclear = { '1,500': 'numberUnclear', '24,500': 'numberUnclear', '１，５００': 'numberUnclear' }
    const others = ['0x10', '0b11', '0o7', '1e3', '.5', '5.', '24,5', '1,500,000', '1.500.000', '1500 500', '1 50']
    const refused = [...others, '10²', '①', '½', '١٢', 'Infinity', 'NaN', '12 min', '--5', '-']
    const expected = {
      ...clear,
      ...spaced,
      ...unclear,
      ...Object.fromEntries(refused.map((cell) => [cell, 'decimal'])),
      '-5': 'Must be at least 0',
    }
    expect(await outcomes(',', Object.keys(expected))).toEqual(expected)
  })

  test.each([';', '\t'])('with a point before three digits is unclear in a table separated by %j', async (sign) => {
    const expected = {
      '1.500': 'numberUnclear',
      '1,500': 'numberUnclear',
      '0.500': '0.5',
      '1.5000': '1.5',
      '1500': '1500',
    }
    expect(await outcomes(sign, Object.keys(expected))).toEqual(expected)
  })

  test('stays unclear in the table of refused rows, which keeps the semicolons of the file', async () => {
    const who = await signedIn()
    const { _id } = await aMedia()
    const first = await checked(who, `${HEADERS.join(';')}\n${_id};1.500;"Eins; zwei"\n`)
    const { body } = await app.inject({
      url: `/api/imports/${first._id}/refused`,
      headers: { authorization: `Bearer ${who.token}` },
    })
    expect(body).toMatch(new RegExp(`^_id;duration;title \\(de\\);import\\.reason\r\n${_id};1\\.500;"Eins; zwei";`))
    expect((await checked(who, body)).rows).toMatchObject([{ errors: [{ message: reasonText('numberUnclear') }] }])
  })

  test('with a point before three digits is unclear as a text of a workbook, and clear as a number', async () => {
    const who = await signedIn()
    const values = [1.125, '1.125', '1500', '1.5']
    const ids = await Promise.all(values.map(async () => (await aMedia({ duration: 1 }))._id))
    const sent = async (head: string[], rows: (string | number)[][]) => {
      const cellXml = (value: string | number): string =>
        `<c t="${typeof value === 'number' ? 'n' : 'str'}"><v>${value}</v></c>`
      const rowsXml = [head, ...rows].map((cells) => `<row>${cells.map(cellXml).join('')}</row>`).join('')
      const zip = new ZipFile()
      for (const [path, text] of [
        ['xl/workbook.xml', '<workbook><sheet r:id="1"/></workbook>'],
        ['xl/_rels/workbook.xml.rels', '<Relationships><Relationship Id="1" Target="s.xml"/></Relationships>'],
        ['xl/s.xml', `<sheetData>${rowsXml}</sheetData>`],
      ] as const)
        zip.addBuffer(Buffer.from(text), path)
      zip.end()
      return checked(who, await buffer(zip.outputStream))
    }
    const refusedOf = async ({ _id }: Found) =>
      (await app.inject({ url: `/api/imports/${_id}/refused`, headers: { authorization: `Bearer ${who.token}` } })).body
    const outcomesOf = ({ rows }: Found) =>
      rows.map(({ changes, errors }) => changes[0]?.to ?? codeOf(errors[0]?.message))
    const found = (some: (string | number)[]) =>
      sent(
        ['_id', 'duration'],
        some.map((value, at) => [ids[at] ?? '', value]),
      )
    expect((await found([1.125, '1500'])).rows.map(({ changes }) => changes[0]?.to)).toEqual(['1.125', '1500'])
    const mixed = await found(['1.125', '1500', '1.5', 24.125])
    expect(outcomesOf(mixed)).toEqual(['numberUnclear', '1500', '1.5', '24.125'])
    expect(outcomesOf(await checked(who, await refusedOf(mixed)))).toEqual(['numberUnclear'])

    // A number that is typed again is a text.
    await who.call(importsApi.correct, {
      id: mixed._id,
      body: { corrections: [{ row: 5, header: 'duration', text: '24.125' }] },
    })
    await idle()
    const corrected = await who.call(importsApi.find, { id: mixed._id, query: {} })
    expect(outcomesOf(corrected)).toEqual(['numberUnclear', '1500', '1.5', 'numberUnclear'])

    // In a table of refused rows, every cell is a text: there, too, a number is clear, and a title stays as it was.
    const sheet = await sent(['_id', 'duration', 'episodes', 'originalTitle'], [[ids[0] ?? '', 1.125, '2.125', 3.125]])
    const again = await checked(who, await refusedOf(sheet))
    for (const { rows } of [sheet, again])
      expect(rows).toMatchObject([{ errors: [{ path: 'episodes', message: reasonText('numberUnclear') }] }])
    const whole = (await refusedOf(again)).replace('2.125', '2')
    expect((await checked(who, whole)).rows[0]?.changes).toEqual([
      { path: 'duration', from: '1', to: '1.125' },
      { path: 'episodes', from: '', to: '2' },
      { path: 'originalTitle', from: '', to: '3.125' },
    ])
  })

  test('of JSON is clear, whatever its digits', async () => {
    const who = await signedIn()
    const { _id } = await aMedia()
    const to = async (content: string) => (await checked(who, content)).rows[0]?.changes[0]?.to
    expect(await to(JSON.stringify({ _id, duration: 1.125 }))).toBe('1.125')
    expect(await to(JSON.stringify({ _id, duration: 1e3 }))).toBe('1000')
  })
})

test.each(['keep', 'clear'] as const)(
  'a cell with a spreadsheet error, or a formula without a result, refuses its row if empty cells %s',
  async (emptyCells) => {
    const who = await signedIn()
    const { _id: id } = await aMedia({ episodes: 12, originalTitle: 'Kept' })
    const head = ['_id', 'translations.en.title', 'originalTitle', 'episodes', 'Notes']
    const found = await checked(
      who,
      csv(head, [id, '#N/A', '#FORMULA!', '#REF!', '#NAME?'], ['', 'A new one', '', '', '#N/A']),
    )
    await who.call(importsApi.map, { id: found._id, body: { mapping: found.mapping, emptyCells } })
    await idle()
    const { rows } = await who.call(importsApi.find, { id: found._id, query: {} })
    expect(rows[0]).toMatchObject({
      outcome: 'refused',
      changes: [],
      errors: [
        { path: 'translations.en.title', message: reasonText('cellError') },
        { path: 'originalTitle', message: reasonText('cellFormula') },
        { path: 'episodes', message: reasonText('cellError') },
      ],
    })
    // The column of notes goes to no field.
    expect(rows[1]?.errors.map(({ path }) => path)).toEqual(['mediaType', 'releaseDate'])
  },
)

test('a cell with an error in the language of any spreadsheet refuses its row, and a text that resembles one does not', async () => {
  const who = await signedIn()
  const errors =
    '#NV|#WERT!|#BEZUG!|#ÜBERLAUF!|#N/D|#¡REF!|#¿NOMBRE?|#NOM?|#N/B|#Н/Д|#ССЫЛКА!|#AD?|#SAYI/0!|#DIV/0!|Err:502'
  const texts = '#1|#!|#COMPASS2.0|#Love!|A #REF! in a text|#NO|N/A|Room:502|#神奈川に住んでるエルフ'
  const cells = [...errors.split('|'), ...texts.split('|')]
  const ids = await Promise.all(cells.map(async () => (await aMedia({ originalTitle: 'Kept' }))._id))
  const { rows } = await checked(who, csv(['_id', 'originalTitle'], ...cells.map((cell, at) => [ids[at] ?? '', cell])))
  expect(rows.map(({ changes, errors: [fault] }) => changes[0]?.to ?? fault?.message)).toEqual([
    ...errors.split('|').map(() => reasonText('cellError')),
    ...texts.split('|'),
  ])
})

test('an apostrophe in front of what looks like an error makes it text', async () => {
  const who = await signedIn()
  const lines = await Promise.all(["'#WOW!", "'#FORMULA!", "'Tis"].map(async (cell) => [(await aMedia())._id, cell]))
  const { rows } = await checked(who, csv(['_id', 'translations.en.title'], ...lines))
  expect(rows.map(({ changes }) => changes[0]?.to)).toEqual(['#WOW!', '#FORMULA!', "'Tis"])
})

test('a line of JSON may have a text that a spreadsheet would take for an error', async () => {
  const who = await signedIn()
  const { _id } = await aMedia()
  expect((await checked(who, JSON.stringify({ _id, originalTitle: '#N/A' }))).rows).toMatchObject([
    { outcome: 'changed', changes: [{ path: 'originalTitle', to: '#N/A' }] },
  ])
})

test('a cell that a workbook cut short changes nothing, and is refused if it was edited', async () => {
  const who = await signedIn()
  const description = 'Long '.repeat(10_000)
  const { _id: id } = await aMedia({ translations: { en: { title: 'Long', description } } })
  const cell = sheetCell(description)
  const head = ['_id', 'translations.en.title', 'translations.en.description']
  const same = await checked(who, csv(head, [id, 'Longer', cell]))
  expect(same.rows).toMatchObject([{ outcome: 'changed', changes: [{ path: 'translations.en.title' }] }])
  const edited = await checked(who, csv(head, [id, 'Longer', cell.replace('Long', 'Short')]))
  expect(edited.rows).toMatchObject([
    { outcome: 'refused', errors: [{ path: 'translations.en.description', code: 'cellCut' }] },
  ])
})

test('an entry that would be too large to be saved is not imported', async () => {
  const who = await signedIn()
  const languages = ['de', 'es', 'fr', 'it', 'ja', 'ko', 'nl', 'pl', 'pt', 'ru', 'sv', 'th', 'tr', 'uk', 'vi', 'zh']
  const texts = languages.map(() => '長'.repeat(22_000))
  const head = [...HEAD, ...languages.map((each) => `translations.${each}.description`)]
  const { _id: id } = await aMedia()
  const { rows } = await checked(who, csv(head, row(name(), '', texts), row(name(), id, texts)))
  const refused = { outcome: 'refused', errors: [{ path: 'translations', code: 'entityLarge' }] }
  expect(rows).toMatchObject([refused, { ...refused, _id: id }])
  const most = await checked(who, csv(head, row(name(), '', texts.with(0, ''))))
  expect(await applied(who, most._id)).toMatchObject({ changed: 1, refused: 0 })
})

test('a row that would give an entry more languages than a save accepts is refused when it is checked', async () => {
  const who = await signedIn()
  const texts = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`en-x-${at}`, { title: name(), description: '' }]))
  const [full, nearly] = [await aMedia({ translations: texts(100) }), await aMedia({ translations: texts(99) })]
  const refused = { outcome: 'refused', errors: [{ path: 'translations', code: 'languagesMany' }] }
  const head = ['_id', 'translations.en-x-0.title', 'translations.fr.title', 'translations.de.title']
  const wide = await checked(who, csv(head, [full._id, name(), '', ''], [nearly._id, '', name(), name()]))
  expect(wide.rows).toMatchObject([{ outcome: 'changed' }, refused])
  // More rows than are checked at a time.
  const others = Array.from({ length: 200 }, () => [newId(), 'fr', name()])
  const long = await checked(
    who,
    csv(
      ['_id', 'language', 'title'],
      [full._id, 'fr', name()],
      [nearly._id, 'fr', name()],
      [nearly._id, 'en-x-0', name()],
      [nearly._id, 'de', name()],
      ...others,
      [nearly._id, 'it', name()],
    ),
    'Translation',
  )
  expect(long.rows.slice(0, 4)).toMatchObject([refused, { outcome: 'new' }, { outcome: 'changed' }, refused])
  expect(long.counts).toMatchObject({ new: 1, changed: 1, refused: 203 })
  expect(await applied(who, long._id)).toMatchObject({ changed: 2, refused: 0 })
})

test('class 16: however large rows are, at most 4 MB of them are read at a time', async () => {
  const who = await signedIn()
  const texts = Array.from({ length: 6 }, (_, at) => `${at}`.padEnd(900_000, 'x'))
  const found = await checked(who, csv(HEAD, ...texts.map((text) => row(text))))
  expect(found).toMatchObject({ state: 'ready', counts: { refused: 6 } })
  const linesOf = (rows: { line: number }[]) => rows.map(({ line }) => line)
  expect(linesOf(await records.next(found._id, -1, 200))).toEqual([2, 3, 4, 5])
  expect(linesOf(await records.refused(found._id, -1, 500))).toEqual([2, 3, 4, 5])
  expect(linesOf(await records.refused(found._id, 3, 500))).toEqual([6, 7])
  const stored = await records.visible(db, found._id, who.actor)
  const page = () => records.rows(stored, { page: 1, limit: 100, outcome: 'refused' })
  expect((await page()).map((each) => each.cells['translations.en.title']?.slice(0, 3))).toEqual(
    texts.map((text) => text.slice(0, 3)),
  )
  // Of the sizes, and of two parts.
  expect(await statementsOf(page)).toBe(3)
})

test('class 16: large rows are written in transactions of a few megabytes', async () => {
  const who = await signedIn()
  const languages = 'de es fr it ja ko nl pl pt ru sv th tr uk'.split(' ')
  const texts = languages.map(() => '長'.repeat(22_000))
  const head = [...HEAD, ...languages.map((each) => `translations.${each}.description`)]
  const found = await checked(who, csv(head, ...Array.from({ length: 6 }, () => row(name(), '', texts))))
  expect(found).toMatchObject({ state: 'ready', counts: { new: 6 } })
  const batch = await transaction(async (tx) => {
    const change = { import: found._id }
    const id = await batches.begin(tx, { what: 'import', entityType: 'Media', change }, 6, who.actor)
    await addRows(tx, id, { _id: found._id, entityType: 'Media' }, ['new'])
    // No worker takes it over.
    await tx.updateTable('jobs').set({ state: 'running' }).where('_id', '=', id).execute()
    return id
  })
  const steps: number[] = []
  await expectFoundByIds(async () => void steps.push(...(await stepsOf(batch))))
  expect(steps).toEqual([4, 2])
})

test('class 16: corrections count towards the daily limit of what a user writes', async () => {
  await withinOneDay()
  await aTier(92, { canCreateMedia: true })
  const who = await signedIn({ role: 'user', scores: 92 })
  // Each time that the rows are read or checked is a unit, too.
  const units = MAX_UNITS_PER_DAY - 7
  await db
    .insertInto('writeCounts')
    .values({ userId: who.user._id, day: now().slice(0, 10), units })
    .execute()
  const { _id: id } = await checked(who, csv(HEAD, row(name())))
  const correct = (text: string) =>
    who.call(importsApi.correct, { id, body: { corrections: [{ row: 2, header: 'translations.en.title', text }] } })
  await correct('x'.repeat(40_000))
  await idle()
  await expect(correct('y'.repeat(40_000))).rejects.toMatchObject({ status: 429, code: 'writeLimit' })
  expect((await records.next(id, -1, 1))[0]?.cells[1]).toBe('x'.repeat(40_000))
})

test('class 16: others have their turn while rows with very many names are written', async () => {
  const who = await signedIn()
  const rows = Array.from({ length: 12 }, (_, at) => {
    const aliases = Array.from({ length: 200 }, (__, each) => `Row${at}of ${each} ó `.repeat(200).slice(0, 1000))
    return JSON.stringify({ ...mediaInput(), aliases })
  })
  const answer = await send(who, rows.join('\n'), 'Media', { filename: 'rows.ndjson' })
  const { _id: id } = answer.json<{ _id: string }>()
  await idle()
  expect(await longestShare(() => applied(who, id))).toBeLessThan(0.3)
  expect(await who.call(importsApi.find, { id })).toMatchObject({ state: 'done', counts: { new: 12 } })
})

test('deleting the many rows of an import, and forgetting what they would change, keeps nobody waiting', async () => {
  const who = await signedIn()
  const { _id: id } = await checked(who, csv(HEAD, row(name())))
  const seqs = Array.from({ length: 30_000 }, (_, at) => at + 1)
  const plan = { entityId: null, matchId: null, matchLine: null, version: null, input: null, changes: [], reason: null }
  await transaction(async (tx) => {
    await insertRows(
      tx,
      'importRows',
      seqs.map((seq) => ({ import: id, seq, line: seq, cells: [] })),
    )
    await insertRows(
      tx,
      'importPlans',
      seqs.map((seq) => ({ import: id, seq, outcome: 'new', ...plan })),
    )
  })
  await idle()
  expect(await longestShare(() => transaction((tx) => forgetPlans(tx, id)))).toBeLessThan(0.5)
  expect(await longestShare(() => records.delete(id))).toBeLessThan(0.5)
  for (const table of ['importRows', 'importPlans'] as const)
    expect(await db.selectFrom(table).select('seq').where('import', '=', id).execute()).toEqual([])
})

test('a new tag gets the defaults for its empty cells, also if empty cells clear', async () => {
  const who = await signedIn()
  const tag = name()
  const { _id: id, mapping } = await checked(
    who,
    csv(['Name', 'Type', 'Status', 'Color'], [tag, 'GENRE', '', '']),
    'Tag',
  )
  await who.call(importsApi.map, { id, body: { mapping, emptyCells: 'clear' } })
  await idle()
  expect(await applied(who, id)).toMatchObject({ changed: 1, refused: 0 })
  const { tags } = await who.call(tagsApi.list, { query: { search: tag } })
  expect(tags).toMatchObject([{ status: 'ACTIVE', color: '#000000' }])
})

test('shows an import only to the user who sent it and to administrators', async () => {
  const [owner, admin] = [await signedIn({ role: 'moderator' }), await signedIn()]
  const { _id: id } = await checked(owner, csv(HEAD, row(name())))
  const other = await signedIn({ role: 'moderator' })
  await expect(other.call(importsApi.find, { id })).rejects.toMatchObject({ status: 404 })
  await expect(other.call(importsApi.apply, { id, body: {} })).rejects.toMatchObject({ status: 404 })
  expect((await other.call(importsApi.list, { query: {} })).data).toEqual([])
  expect((await owner.call(importsApi.list, { query: {} })).data.map(({ _id }) => _id)).toEqual([id])
  expect((await admin.call(importsApi.find, { id }))._id).toBe(id)
  await owner.call(importsApi.remove, { id })
  await expect(owner.call(importsApi.find, { id })).rejects.toMatchObject({ status: 404 })
})

test('shows the file name without its folder and without invisible characters', async () => {
  const who = await signedIn()
  const filename = 'C:\\lists\\rows\u202evsc.exe'
  const answer = await send(who, csv(HEAD, row(name())), 'Media', { filename })
  expect(answer.json()).toMatchObject({ filename: 'rowsvsc.exe' })
  await idle()
})

test('files that are still being received do not count as imports that replace older ones', async () => {
  const who = await signedIn()
  const { _id } = await checked(who, csv(HEAD, row(name())))
  const stored = await db.selectFrom('imports').selectAll().where('_id', '=', _id).executeTakeFirstOrThrow()
  const receiving = { ...stored, job: null, state: 'failed' as const, createdAt: now() }
  await db
    .insertInto('imports')
    .values(Array.from({ length: 10 }, () => ({ ...receiving, _id: newId() })))
    .execute()
  await checked(who, csv(HEAD, row(name())))
  expect(await who.call(importsApi.find, { id: _id, query: {} })).toMatchObject({ state: 'ready' })
})

test('keeps the last ten imports of a user, and those in progress', async () => {
  const who = await signedIn({ role: 'moderator' })
  const { _id } = await checked(who, csv(HEAD, row(name())))
  const stored = await db.selectFrom('imports').selectAll().where('_id', '=', _id).executeTakeFirstOrThrow()
  const older = (days: number, state: 'ready' | 'checking') => ({
    ...stored,
    state,
    _id: newId(),
    createdAt: momentIn(-days * DAY_MS),
  })
  const [oldest, underWay, second] = [older(12, 'ready'), older(11, 'checking'), older(10, 'ready')]
  const others = Array.from({ length: 8 }, (_, days) => older(days + 1, 'ready'))
  await db
    .insertInto('imports')
    .values([oldest, underWay, second, ...others])
    .execute()
  const last = await checked(who, csv(HEAD, row(name())))
  const kept = (await who.call(importsApi.list, { query: {} })).data.map((each) => each._id)
  expect(kept).toEqual([last._id, _id, ...others.map((each) => each._id), underWay._id])
})

test('a user has at most five imports queued, or being read or checked', async () => {
  const who = await signedIn({ role: 'moderator' })
  const file = csv(HEAD, row(name()))
  const lane = `imports of ${who.user._id}`
  const later = { dueAt: momentIn(120_000) }
  for (let each = 0; each < 5; each++) {
    await transaction(async (tx) => {
      await enqueue(tx, { id: newId(), kind: 'import', payload: {}, lane })
      await tx.updateTable('jobs').set(later).where('lane', '=', lane).execute()
    })
  }
  const refused = await send(who, file)
  expect([refused.statusCode, refused.json()]).toMatchObject([429, { code: 'tooManyImports' }])
  expect((await who.call(importsApi.list, { query: {} })).data).toEqual([])
  await db.deleteFrom('jobs').where('lane', '=', lane).execute()
  expect(await checked(who, file)).toMatchObject({ state: 'ready' })
})

test('answers 404 if an import is deleted while its file is being received', async () => {
  const who = await signedIn({ role: 'moderator' })
  const { payload, contentType } = form(csv(HEAD, row(name())), 'Media', { fileFirst: false })
  const parts = async function* () {
    yield payload.subarray(0, -30)
    const list = async () => (await who.call(importsApi.list, { query: {} })).data
    await expect.poll(list).toHaveLength(1)
    for (const { _id } of await list()) await who.call(importsApi.remove, { id: _id })
    yield payload.subarray(-30)
  }
  const headers = { authorization: `Bearer ${who.token}`, 'content-type': contentType }
  const answer = await app.inject({ method: 'POST', url: '/api/imports', headers, payload: Readable.from(parts()) })
  expect([answer.statusCode, answer.json()]).toMatchObject([404, { code: 'notFound' }])
})

test('a cancelled check cannot be applied, but can be started again', async () => {
  const who = await signedIn()
  const found = await checked(who, csv(HEAD, row(name())))
  await expect(who.call(importsApi.cancel, { id: found._id })).rejects.toMatchObject({ status: 409 })
  await db.updateTable('imports').set({ state: 'cancelled' }).where('_id', '=', found._id).execute()
  await expect(who.call(importsApi.apply, { id: found._id, body: {} })).rejects.toMatchObject({ status: 409 })
  await who.call(importsApi.map, { id: found._id, body: { mapping: found.mapping } })
  await idle()
  expect((await who.call(importsApi.find, { id: found._id })).state).toBe('ready')
})

test('a check ends when the account is deactivated, with the reason, and can be started again once it is active', async () => {
  const [who, admin] = [await signedIn({ role: 'moderator' }), await signedIn()]
  const { _id: id, mapping } = await checked(who, csv(HEAD, row(name()), row(name())))
  // The check waits for another one, which nobody works on.
  const earlier = { id: newId(), kind: 'import', payload: {}, lane: `imports of ${who.user._id}` }
  await transaction(async (tx) => {
    await enqueue(tx, earlier)
    await tx.updateTable('jobs').set({ state: 'running' }).where('_id', '=', earlier.id).execute()
  })
  await who.call(importsApi.map, { id, body: { mapping } })
  await users.update(who.user._id, { isActive: false }, { actor: SYSTEM })
  await db.deleteFrom('jobs').where('_id', '=', earlier.id).execute()
  publishJobs()
  await idle()
  const reason = 'The account was not active at that time.'
  expect(await admin.call(importsApi.find, { id })).toMatchObject({ state: 'failed', reason, counts: { new: 0 } })
  await users.update(who.user._id, { isActive: true }, { actor: SYSTEM })
  const again = await startSession({ ...who.user, isActive: true }, { address: '127.0.0.1', userAgent: 'test' })
  await callAs(again)(importsApi.map, { id, body: { mapping } })
  await idle()
  expect(await admin.call(importsApi.find, { id })).toMatchObject({ state: 'ready', reason: null, counts: { new: 2 } })
})

test('an administrator who cancels the import of another user is in the audit log', async () => {
  const [who, admin] = [await signedIn(), await signedIn()]
  const { _id: id } = await checked(who, csv(HEAD, row(name())))
  const cancelled = async ({ call, user }: Signed) => {
    await db.updateTable('imports').set({ state: 'checking', job: null }).where('_id', '=', id).execute()
    await call(importsApi.cancel, { id })
    const entries = db.selectFrom('audit').select('details').where('action', '=', 'settings.jobChanged')
    return (await entries.where('actorId', '=', user._id).execute()).map(({ details }) => details)
  }
  expect(await cancelled(who)).toEqual([])
  expect(await cancelled(admin)).toEqual([{ what: 'cancel', kind: 'import' }])
})

test('a check resumes where it stopped after its process has died', async () => {
  const who = await signedIn()
  const found = await checked(who, csv(HEAD, row(name()), row(name()), row(name())))
  const { job } = await db.selectFrom('imports').select('job').where('_id', '=', found._id).executeTakeFirstOrThrow()
  const planned = db
    .selectFrom('importPlans')
    .select(['seq', 'entityId'])
    .where('import', '=', found._id)
    .orderBy('seq')
  const before = await planned.execute()
  await db.deleteFrom('importPlans').where('import', '=', found._id).where('seq', '=', 2).execute()
  await db.updateTable('imports').set({ state: 'checking', new: 2 }).where('_id', '=', found._id).execute()
  const lapsed = { state: 'running', claim: 'gone', leaseUntil: new Date(0).toISOString(), finishedAt: null } as const
  await db.updateTable('jobs').set(lapsed).where('_id', '=', job).execute()
  publishJobs()
  await expect.poll(async () => (await who.call(importsApi.find, { id: found._id })).state).toBe('ready')
  expect((await who.call(importsApi.find, { id: found._id })).counts.new).toBe(3)
  expect((await planned.execute()).slice(0, 2)).toEqual(before.slice(0, 2))
})

test('an import that was given up continues when an administrator retries its job', async () => {
  const who = await signedIn()
  const file = csv(HEAD, row(name()), row(name()))
  const { _id: id } = await checked(who, file)
  const { job } = await db.selectFrom('imports').select('job').where('_id', '=', id).executeTakeFirstOrThrow()
  const retried = async (changes: object) => {
    await db.updateTable('jobs').set({ state: 'failed' }).where('_id', '=', job).execute()
    await db
      .updateTable('imports')
      .set({ state: 'failed', reason: 'It broke', ...changes })
      .where('_id', '=', id)
      .execute()
    await who.call(jobsApi.retry, { id: job ?? '' })
    await idle()
    return who.call(importsApi.find, { id })
  }
  const done = { state: 'ready', reason: null, total: 2, counts: { new: 2 } }
  // While its rows were checked.
  await db.deleteFrom('importPlans').where('import', '=', id).where('seq', '=', 1).execute()
  expect(await retried({ new: 1 })).toMatchObject(done)
  // While its file was read.
  await db.deleteFrom('importPlans').where('import', '=', id).execute()
  await db
    .insertInto('importParts')
    .values({ import: id, seq: 0, data: Buffer.from(file).toString('base64') })
    .execute()
  expect(await retried({ total: 0, new: 0 })).toMatchObject(done)
})

test('jobs, and with them batches, are deleted 90 days after they finished', async () => {
  const who = await signedIn()
  const { _id: id } = await checked(who, csv(HEAD, row(name())))
  const { job } = await db.selectFrom('imports').select('job').where('_id', '=', id).executeTakeFirstOrThrow()
  const { _id: batch } = await applied(who, id)
  const left = async (days: number) => {
    const finishedAt = momentIn(-days * DAY_MS)
    await db
      .updateTable('jobs')
      .set({ finishedAt })
      .where('_id', 'in', [job ?? '', batch])
      .execute()
    await deleteOldJobs()
    return db
      .selectFrom('jobs')
      .select('_id')
      .where('_id', 'in', [job ?? '', batch])
      .execute()
  }
  expect(await left(89)).toHaveLength(2)
  expect(await left(90.001)).toEqual([])
  await expect(who.call(batchesApi.find, { id: batch })).rejects.toMatchObject({ status: 404 })
  expect(await who.call(importsApi.find, { id })).toMatchObject({ state: 'done' })
})
