import { auditApi } from '@mokuroku/contract/audit'
import { charactersApi } from '@mokuroku/contract/characters'
import { type FindingCode, type FindingTarget, findingsApi } from '@mokuroku/contract/findings'
import type { Translated } from '@mokuroku/contract/kinds'
import { mediaApi } from '@mokuroku/contract/media'
import { expect, test } from 'vitest'
import { db, transaction } from '#database/db.ts'
import { recordCounters } from '#ledger/counterDays.ts'
import { setCounter } from '#ledger/counters.ts'
import { findings } from '#store/findings'
import { lists } from '#store/lists'
import { app, signedIn, withApp } from '#test/app.ts'
import { aCharacter, aMedia, aTag, mediaInput, name, title } from '#test/factories.ts'
import { analyze, expectIndexed } from '#test/plans.ts'

withApp()

/** The findings of an entity, as `code language field`. */
async function found(id: string) {
  const { call } = await signedIn()
  const { data } = await call(findingsApi.find, { id })
  return data.map(({ code, language = '', field = '' }) => `${code} ${language} ${field}`.trim())
}

/** The number of entities of a kind with a finding. */
async function count(entityType: Translated, code: FindingTarget['code'], language?: string) {
  const { call } = await signedIn()
  const { data } = await call(findingsApi.list, { query: { entityType, code, language } })
  return data.reduce((sum, each) => sum + each.count, 0)
}

test('a save updates the findings of the entity and their counts at once', async () => {
  const { call } = await signedIn()
  const before = await count('Media', 'missing', 'zh')
  const { _id: id, version } = await aMedia({ translations: { en: title('Sanshiro') } })
  expect(await found(id)).toEqual(['missing zh title', 'noCover  cover', 'noDescription  description', 'noTags  tags'])
  expect(await count('Media', 'missing', 'zh')).toBe(before + 1)

  const [tag, translations] = [await aTag(), { en: title('Sanshiro', 'A student.'), 'zh-Hans': title('三四郎') }]
  const { _id, createdAt: _, updatedAt: __, ...media } = await call(mediaApi.find, { id })
  expect([_id, media.version]).toEqual([id, version])
  await call(mediaApi.update, { id, body: { ...changes(media), translations, tags: [tag] } })
  expect(await found(id)).toEqual(['noCover  cover'])
  expect(await count('Media', 'missing', 'zh')).toBe(before)
})

test('lists the findings of an entity by code, language and field, however they are stored', async () => {
  const { _id: entityId } = await aMedia()
  await db.deleteFrom('findings').where('entityId', '=', entityId).execute()
  const fields = ['title', 'description', 'cover', 'tags', 'assets']
  const row = {
    entityType: 'Media',
    entityId,
    code: 'mixed',
    language: 'en',
    since: '2026-01-01T00:00:00.000Z',
  } as const
  for (const field of fields)
    await db
      .insertInto('findings')
      .values({ ...row, field })
      .execute()
  expect(await found(entityId)).toEqual(fields.toSorted().map((field) => `mixed en ${field}`))
})

const changes = ({
  mediaType,
  isOngoing,
  releaseDate,
}: {
  mediaType: 'ANIME' | 'MANGA' | 'NOVEL'
  isOngoing: boolean
  releaseDate: string
}) => ({
  mediaType,
  isOngoing,
  releaseDate,
})

test('checks tags and characters for the fields they can have', async () => {
  expect(await found(await aTag())).toEqual(['missing zh name', 'noDescription  description'])
  expect(await found(await aCharacter())).toEqual([
    'missing zh name',
    'noCover  cover',
    'noDescription  description',
    'noTags  tags',
  ])
})

test('removes findings when an entity is deleted, and adds them again when it is restored', async () => {
  const { call } = await signedIn()
  const id = await aCharacter({ translations: { zh: name('猫') } })
  const before = await count('Character', 'missing', 'en')
  const since = (await call(findingsApi.find, { id })).data.length
  await call(charactersApi.remove, { id })
  expect(await count('Character', 'missing', 'en')).toBe(before - 1)
  await expect(call(findingsApi.find, { id })).rejects.toMatchObject({ status: 404 })
  await call(charactersApi.restore, { id })
  expect((await call(findingsApi.find, { id })).data).toHaveLength(since)
  expect(await count('Character', 'missing', 'en')).toBe(before)
})

test('a dismissal applies to the exact text, records who made it, and can be undone', async () => {
  const { call, user } = await signedIn()
  const translations = { ja: title('犬夜叉'), zh: title('犬夜叉'), en: title('Inuyasha') }
  const { _id: id, ...media } = await aMedia({ translations, originalTitle: '犬夜叉' })
  const target = { entityId: id, code: 'copied', language: 'zh', field: 'title' } as const
  const copies = await count('Media', 'copied')
  expect(await found(id)).toContain('copied zh title')

  await call(findingsApi.dismiss, { body: target })
  expect(await found(id)).not.toContain('copied zh title')
  expect(await count('Media', 'copied')).toBe(copies - 1)
  const { dismissed } = await call(findingsApi.find, { id })
  expect(dismissed).toMatchObject([{ code: 'copied', language: 'zh', username: user.username }])
  await expect(call(findingsApi.dismiss, { body: target })).rejects.toMatchObject({ status: 404 })

  // Any other change keeps it dismissed; a different text that is also a copy does not.
  await call(mediaApi.update, { id, body: { ...changes(media), translations, isOngoing: true } })
  expect(await found(id)).not.toContain('copied zh title')
  const other = { ...translations, ja: title('犬夜叉 完結編の巻'), zh: title('犬夜叉 完結編の巻') }
  await call(mediaApi.update, { id, body: { ...changes(media), translations: other } })
  expect(await found(id)).toContain('copied zh title')
  expect((await call(findingsApi.find, { id })).dismissed).toEqual([])
  await call(mediaApi.update, { id, body: { ...changes(media), translations } })
  expect(await found(id)).not.toContain('copied zh title')

  await call(findingsApi.undismiss, { query: target })
  await expect(call(findingsApi.undismiss, { body: { code: 'copied' } })).rejects.toMatchObject({
    status: 400,
    errors: [expect.objectContaining({ path: 'entityId' })],
  })
  expect(await found(id)).toContain('copied zh title')
  await expect(call(findingsApi.undismiss, { query: target })).rejects.toMatchObject({ status: 404 })
  const { data } = await call(auditApi.list, { query: { target: id } })
  expect(data.map(({ action, actorName }) => [action, actorName])).toEqual([
    ['findings.reopened', user.username],
    ['findings.dismissed', user.username],
  ])
  const { call: reader } = await signedIn({ role: 'user' })
  const { data: decisions } = await reader(findingsApi.decisions, { id })
  const by = { userId: user._id, username: user.username, code: 'copied', language: 'zh', field: 'title' }
  expect(decisions).toMatchObject([
    { ...by, isDismissed: false },
    { ...by, isDismissed: true },
  ])
  // The target may also be sent as the body, like for dismissing.
  await call(findingsApi.dismiss, { body: target })
  await call(findingsApi.undismiss, { body: target })
  expect(await found(id)).toContain('copied zh title')
})

test('rejects invalid and unknown targets', async () => {
  const { call, token } = await signedIn()
  const { _id: entityId } = await aMedia({ translations: { zh: title('少爷') } })
  const refused = [
    { entityId, code: 'unheardOf' },
    { entityId, code: 'missing', language: 'x'.repeat(100) },
    { entityId, code: 'missing', language: "en' OR 1=1" },
    { entityId, code: 'missing', field: 'x'.repeat(1000) },
    { entityId: '', code: 'missing' },
    { code: 'missing' },
  ]
  const headers = { authorization: `Bearer ${token}` }
  for (const body of refused) {
    const answer = await app.inject({ method: 'POST', url: '/api/findings/dismiss', headers, payload: body })
    expect([body, answer.statusCode]).toEqual([body, 400])
  }
  for (const query of [
    '',
    '?entityType=Asset',
    '?entityType=Media&code=unheardOf',
    `?entityType=Media&language=${'x'.repeat(99)}`,
  ])
    expect((await app.inject({ url: `/api/findings${query}`, headers })).statusCode).toBe(400)
  const absent: FindingTarget[] = [
    { entityId, code: 'missing', language: 'zh' },
    { entityId, code: 'noCover', field: 'tags' },
    { entityId: 'nobody', code: 'missing' },
  ]
  for (const body of absent) await expect(call(findingsApi.dismiss, { body })).rejects.toMatchObject({ status: 404 })
})

test('a finding of an entity that was merged into another one cannot be dismissed: 409 names the survivor', async () => {
  const { call } = await signedIn()
  const [{ _id: into }, { _id: entityId }] = [await aMedia(), await aMedia()]
  const body = { entityId, code: 'noCover' } as const
  await call(findingsApi.dismiss, { body })
  await call(mediaApi.merge, { id: into, base: 1, body: { from: { _id: entityId, version: 1 }, pick: {} } })
  const refused = { status: 409, code: 'merged', body: { into } }
  await expect(call(findingsApi.dismiss, { body })).rejects.toMatchObject(refused)
  await expect(call(findingsApi.undismiss, { query: body })).rejects.toMatchObject(refused)
})

test('only users who may edit an entity can dismiss its findings', async () => {
  const { call: reader } = await signedIn({ role: 'user' })
  const { call } = await signedIn()
  const { _id: entityId } = await aMedia()
  const target = { entityId, code: 'noCover' } as const
  await expect(reader(findingsApi.dismiss, { body: target })).rejects.toMatchObject({ status: 403 })
  await call(findingsApi.dismiss, { body: target })
  await expect(reader(findingsApi.undismiss, { query: target })).rejects.toMatchObject({ status: 403 })
  expect((await reader(findingsApi.find, { id: entityId })).dismissed).toHaveLength(1)
})

test('counts and lists findings from an index', async () => {
  const { _id } = await aMedia()
  const rows = Array.from({ length: 3000 }, (_, at) => ({
    entityType: 'Media' as const,
    entityId: `${_id}-${at}`,
    code: 'missing' as const,
    language: `x${at % 50}`,
    field: 'title',
    since: '2026-01-01T00:00:00.000Z',
  }))
  const counters = rows.map(({ entityId }) => ({ name: `other.${entityId}`, value: 1 }))
  for (let at = 0; at < rows.length; at += 500) {
    await db
      .insertInto('findings')
      .values(rows.slice(at, at + 500))
      .execute()
    await db
      .insertInto('counters')
      .values(counters.slice(at, at + 500))
      .execute()
  }
  await analyze()
  await expectIndexed(() => findings.counts({ entityType: 'Media', code: 'missing' }), {
    sorted: 'a kind has few counters, unless somebody has used thousands of languages',
  })
  await expectIndexed(() => findings.decisions(_id))
  await expectIndexed(() => findings.marks('Media', ['one', 'two']))
  await expectIndexed(() =>
    transaction((tx) =>
      findings.idsWith(tx, { kind: 'Media', code: 'futureCompleted', language: '', cursor: '' }, 500),
    ),
  )
})

test('returns the language findings of a whole page at once', async () => {
  const { call } = await signedIn({ role: 'user' })
  const marks = async (entityType: Translated, ids: string, code?: FindingCode) =>
    (await call(findingsApi.marks, { query: { entityType, ids, code } })).data
  const { _id: copied } = await aMedia({
    originalTitle: '進撃の巨人',
    translations: { en: title('Attack on Titan'), 'zh-Hans': title('進撃の巨人') },
  })
  const { _id: missing } = await aMedia({ translations: { en: title('Botchan') } })
  expect(await marks('Media', `${copied},${missing},nothing-has-this-id,${missing}`)).toEqual(
    expect.arrayContaining([
      { entityId: copied, code: 'copied', language: 'zh-Hans' },
      { entityId: missing, code: 'missing', language: 'zh' },
    ]),
  )
  // By entity, code and language, whatever was found first.
  const body = mediaInput({ translations: { en: title('Attack on Titan') } })
  await (await signedIn()).call(mediaApi.update, { id: copied, body })
  const listed = await marks('Media', `${missing},${copied}`)
  const keys = listed.map(({ entityId, code, language }) => `${entityId} ${code} ${language}`)
  expect(new Set(listed.map(({ entityId }) => entityId))).toEqual(new Set([copied, missing]))
  expect(keys).toEqual(keys.toSorted())
  expect(await marks('Character', missing)).toEqual([])
  // Also without a language, if they are asked for.
  expect((await marks('Media', `${copied},${missing}`, 'noCover')).map(({ language }) => language)).toEqual(['', ''])
  const many = Array.from({ length: 101 }, (_, at) => `id${at}`).join(',')
  for (const ids of [many, '', 'a,,b']) await expect(marks('Media', ids)).rejects.toMatchObject({ status: 400 })
})

test('languages that nobody uses hide no findings, and more languages than are counted hide no entries', async () => {
  const { call } = await signedIn()
  const code = 'script'
  const filled = (entry: number) =>
    Object.fromEntries(
      Array.from({ length: 100 }, (_, at) => [`en-x-${String(entry * 100 + at).padStart(4, '0')}`, title('心')]),
    )
  const junk: string[] = []
  for (let entry = 0; entry < 11; entry += 1) junk.push((await aMedia({ translations: filled(entry) }))._id)
  const { _id: wrong } = await aMedia({ translations: { ru: title('心') } })
  const listed = async (finding: string) =>
    (await call(mediaApi.list, { query: { finding, limit: 1 } })).map(({ _id }) => _id)
  const matching = (finding: string) => lists.matching('Media', { finding }, '', 5000)

  expect(await listed(`${code}:ru`)).toEqual([wrong])
  expect(await count('Media', code, 'ru')).toBe(1)
  expect(await listed(`${code}:en`)).toEqual([junk.at(-1)])
  expect(await matching(code)).toEqual(expect.arrayContaining([wrong, ...junk]))

  for (const id of junk) await call(mediaApi.remove, { id })
  expect(await count('Media', code, 'ru')).toBe(1)
  const left = await matching(code)
  expect([left.includes(wrong), junk.filter((id) => left.includes(id))]).toEqual([true, []])
  const counters = (like: string) => db.selectFrom('counters').select('name').where('name', 'like', like).execute()
  // 0 means that the index is being rebuilt.
  await transaction((tx) => setCounter(tx, 'searchVersion', 0))
  await recordCounters()
  expect(await counters(`%${code}.en-x-%`)).toEqual([])
  expect(await counters('searchVersion')).toHaveLength(1)
  await db.deleteFrom('counters').where('name', '=', 'searchVersion').execute()
})
