import { ApiError } from '@mokuroku/contract/call'
import { type Media, mediaApi, type MediaRow } from '@mokuroku/contract/media'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SYSTEM } from '#access/permissions.ts'
import { db } from '#database/db.ts'
import { media } from '#store/media'
import { tags } from '#store/tags'
import { app, signedIn, withApp } from '#test/app.ts'
import { aCharacter, aMedia, aRating, aTag, aTier, mediaInput, titled } from '#test/factories.ts'

withApp()

const idsOf = (rows: MediaRow[]) => rows.map(({ _id }) => _id)

test('a media item cannot be related to itself', async () => {
  const { call } = await signedIn()
  const { _id: id } = await aMedia()
  const body = mediaInput({ relatedMedia: [(await aMedia())._id, id] })
  const errors = [{ path: 'relatedMedia.1', code: 'otherEntry' }]
  await expect(call(mediaApi.update, { id, body })).rejects.toMatchObject({ status: 400, errors })
  // What was related to itself before this was refused can still be saved.
  await media.update(id, { relatedMedia: [id] }, { actor: SYSTEM, inherits: { relatedMedia: [id] } })
  expect((await call(mediaApi.update, { id, body })).relatedMedia).toHaveLength(2)
})

test('a created media item is returned with all its fields', async () => {
  const { call, user } = await signedIn()
  const [tag, character, related] = [await aTag({ type: 'THEME' }), await aCharacter(), await aMedia()]
  const body = mediaInput({
    translations: { en: { title: 'Kokoro', description: 'A novel.' }, ja: { title: 'こころ', description: '' } },
    originalTitle: 'こゝろ',
    episodes: 3,
    tags: [tag],
    characters: [character],
    relatedMedia: [related._id],
  })
  const made = await call(mediaApi.create, { body })
  const found = await call(mediaApi.find, { id: made._id })
  expect(found).toMatchObject({
    ...body,
    tags: [{ _id: tag, type: 'THEME' }],
    relatedMedia: [{ _id: related._id }],
    cover: '',
    averageRating: 0,
    version: 1,
    createdBy: user._id,
  })
  expect(found).not.toHaveProperty('duration')
})

test('an update keeps omitted fields, and null clears a field', async () => {
  const { call } = await signedIn()
  const tag = await aTag()
  const { _id: id } = await aMedia({ originalTitle: '心', episodes: 12, duration: 24, tags: [tag] })
  await call(mediaApi.update, { id, body: mediaInput({ episodes: null }) })
  const found = await call(mediaApi.find, { id })
  expect(found).toMatchObject({ originalTitle: '心', duration: 24, tags: [{ _id: tag }] })
  expect(found).not.toHaveProperty('episodes')
})

test('stores aliases without duplicates, merges concurrent additions, and omits them if there are none', async () => {
  const { call } = await signedIn()
  const { _id: id } = await aMedia()
  const plain = await call(mediaApi.find, { id })
  expect(plain).not.toHaveProperty('aliases')
  const body = (...aliases: string[]) => mediaInput({ translations: plain.translations, aliases })
  await call(mediaApi.update, { id, body: body(' 葬送のフリーレン', 'SnF', 'SnF'), base: 1 })
  await call(mediaApi.update, { id, body: body('Frieren'), base: 1 })
  expect((await call(mediaApi.find, { id })).aliases).toEqual(['葬送のフリーレン', 'SnF', 'Frieren'])
  expect((await media.list({ page: 1, limit: 10, search: 'snf' })).answer).toMatchObject([{ _id: id }])
  for (const aliases of [[''], ['x'.repeat(1001)], Array.from({ length: 201 }, (_, at) => `${at}`), 'SnF', [7]])
    await expect(call(mediaApi.update, { id, body: { ...body(), aliases } as never })).rejects.toMatchObject({
      status: 400,
    })
  await call(mediaApi.update, { id, body: { ...body(), aliases: null } })
  expect(await call(mediaApi.find, { id })).not.toHaveProperty('aliases')
})

test('an entry has at most 1 MB; a larger one can be saved if it does not grow', async () => {
  const { call } = await signedIn()
  const { _id: id } = await aMedia()
  const long = (length: number) => ({ title: '長', description: '長'.repeat(length) })
  const texts = (length: number) =>
    Object.fromEntries(['de', 'en', 'es', 'fr', 'it', 'ko', 'vi'].map((language) => [language, long(length)]))
  const refused = { status: 400, errors: [{ path: 'translations', code: 'entityLarge' }] }
  const translations = texts(50_000)
  await expect(call(mediaApi.create, { body: mediaInput({ translations }) })).rejects.toMatchObject(refused)
  await expect(call(mediaApi.update, { id, body: mediaInput({ translations }) })).rejects.toMatchObject(refused)
  await db.updateTable('media').set({ translations }).where('_id', '=', id).execute()
  await call(mediaApi.update, { id, body: mediaInput({ translations: texts(48_000) }) })
  await expect(call(mediaApi.update, { id, body: mediaInput({ translations }) })).rejects.toMatchObject(refused)
})

test('accepts a media item sent back as it was read, without a new version', async () => {
  const { call } = await signedIn()
  const { _id: id } = await aMedia({ tags: [await aTag()] })
  const read = await call(mediaApi.find, { id })
  const updated = await call(mediaApi.update, { id, body: read, base: read.version })
  expect(updated).toEqual(read)
})

test('class 5: ignores counters and dates in the input, and rejects unknown fields', async () => {
  const { call } = await signedIn()
  const { _id: id } = await aMedia()
  const sneaky = {
    ...mediaInput(),
    averageRating: 10,
    createdAt: '1999-01-01T00:00:00.000Z',
    createdBy: 'me',
    version: 99,
  }
  await call(mediaApi.update, { id, body: sneaky })
  const found = await call(mediaApi.find, { id })
  expect(found).toMatchObject({ averageRating: 0, version: 2 })
  expect(found.createdAt).not.toContain('1999')
  await expect(call(mediaApi.update, { id, body: { ...mediaInput(), isOngong: true } as never })).rejects.toMatchObject(
    {
      status: 400,
      message: 'isOngong: Unknown field',
      errors: [{ path: 'isOngong', message: 'Unknown field', code: 'unknown' }],
    },
  )
})

test('changes of different languages and fields are merged', async () => {
  const { call } = await signedIn()
  const start = await aMedia({ translations: { ...titled('Start'), ...titled('始', 'zh') } })
  const { _id: id, version: base } = start
  const body = mediaInput({ translations: start.translations })
  await call(mediaApi.update, { id, base, body: { ...body, isOngoing: true } })
  await call(mediaApi.update, {
    id,
    base,
    body: { ...body, translations: { ...start.translations, ...titled('Mine') } },
  })
  const merged = await call(mediaApi.update, {
    id,
    base,
    body: { ...body, translations: { ...start.translations, ...titled('开始', 'zh') } },
  })
  expect(merged).toMatchObject({
    isOngoing: true,
    translations: { en: { title: 'Mine' }, zh: { title: '开始' } },
    version: 4,
  })
})

test('changes that exceed a limit together are not merged', async () => {
  const { call } = await signedIn()
  const aliases = Array.from({ length: 199 }, (_, at) => `Alias ${at}`)
  const languages = Object.fromEntries(
    aliases.slice(0, 99).map((title, at) => [`en-x-a${at}`, { title, description: '' }]),
  )
  const { _id: id, version: base } = await aMedia({ translations: languages, aliases })
  const body = (language: string) => ({
    ...mediaInput({ translations: { ...languages, ...titled('Late', language) } }),
    aliases: [...aliases, language],
  })
  await call(mediaApi.update, { id, base, body: body('fr') })
  await expect(call(mediaApi.update, { id, base, body: body('de') })).rejects.toMatchObject({
    status: 400,
    errors: [
      { path: 'aliases', code: 'tooMany' },
      { path: 'translations', code: 'languagesMany' },
    ],
  })
})

test('a stale save that touches the same title is refused with both versions', async () => {
  const { call } = await signedIn()
  const { _id: id, version: base } = await aMedia({ translations: titled('Base') })
  await call(mediaApi.update, { id, body: mediaInput({ translations: titled('Theirs') }), base })
  const stale = call(mediaApi.update, { id, body: mediaInput({ translations: titled('Mine') }), base })
  const error = await stale.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({
    status: 412,
    body: {
      code: 'stale',
      version: 2,
      conflicts: ['translations.en.title'],
      base: { translations: titled('Base') },
      mine: { translations: titled('Mine') },
      theirs: { translations: titled('Theirs') },
    },
  })
  expect((await call(mediaApi.find, { id })).translations).toEqual(titled('Theirs'))
})

test('a conflict names who has saved since the base, the latest first and each once', async () => {
  const [one, two, late] = [await signedIn(), await signedIn(), await signedIn()]
  const { _id: id } = await aMedia({ translations: titled('Base') })
  for (const [at, { call }] of [one, two, one, one, two].entries())
    await call(mediaApi.update, { id, body: mediaInput({ translations: titled(`Theirs ${at}`) }) })
  const [first, second] = [one.user.username, two.user.username]
  for (const [base, savedBy] of [
    [1, [second, first]],
    [4, [second, first]],
    [5, [second]],
  ] as const) {
    const stale = late.call(mediaApi.update, { id, base, body: mediaInput({ translations: titled('Mine') }) })
    await expect(stale).rejects.toMatchObject({ status: 412, body: { savedBy } })
  }
})

test.each(['delete', 'merge'] as const)('a %s of what others have changed since shows both versions', async (way) => {
  const { call } = await signedIn()
  const [{ _id: id }, from] = [await aMedia({ translations: titled('Seen') }), await aMedia()]
  await call(mediaApi.update, { id, base: 1, body: mediaInput({ translations: titled('Theirs') }) })
  const stale =
    way === 'delete'
      ? call(mediaApi.remove, { id, base: 1 })
      : call(mediaApi.merge, { id, base: 1, body: { from: { _id: from._id, version: 1 }, pick: {} } })
  const seen = expect.objectContaining({ translations: titled('Seen') }) as unknown
  await expect(stale).rejects.toMatchObject({
    status: 412,
    body: { code: 'stale', version: 2, base: seen, mine: seen, theirs: { translations: titled('Theirs') } },
  })
})

test('class 23: loses nothing in any interleaving of saves: each is stored, merged or refused', async () => {
  const { call } = await signedIn()
  const language = fc.constantFrom('en', 'zh', 'ja')
  await fc.assert(
    fc.asyncProperty(fc.array(language, { minLength: 2, maxLength: 5 }), async (languages) => {
      const start = await aMedia({ translations: { ...titled('0'), ...titled('0', 'zh'), ...titled('0', 'ja') } })
      const saves = languages.map((each, index) =>
        call(mediaApi.update, {
          id: start._id,
          base: start.version,
          body: mediaInput({ translations: { ...start.translations, ...titled(`saved ${index}`, each) } }),
        }).then(
          () => index,
          (error: unknown) => (error instanceof ApiError && error.status === 412 ? undefined : Promise.reject(error)),
        ),
      )
      const stored = (await Promise.all(saves)).filter((index) => index !== undefined)
      const end = await call(mediaApi.find, { id: start._id })
      const titles = Object.values(end.translations).map(({ title }) => title)
      expect(titles.filter((title) => title !== '0').toSorted()).toEqual(
        stored.map((index) => `saved ${index}`).toSorted(),
      )
      expect(stored).toHaveLength(new Set(languages).size)
    }),
    { numRuns: 15 },
  )
})

test('each write adds one revision, its history entries and an activity', async () => {
  const { call, user } = await signedIn()
  const { _id: id } = await aMedia({ translations: titled('Before') })
  const translations = { ...titled('After'), ...titled('後', 'ja') }
  await call(mediaApi.update, { id, body: mediaInput({ translations, isOngoing: true }) })
  await call(mediaApi.remove, { id })
  const revisions = await db.selectFrom('revisions').selectAll().where('entityId', '=', id).orderBy('version').execute()
  expect(revisions.map(({ action, version, origin }) => ({ action, version, origin }))).toEqual([
    { action: 'create', version: 1, origin: 'person' },
    { action: 'update', version: 2, origin: 'person' },
    { action: 'delete', version: 3, origin: 'person' },
  ])
  expect(revisions[1]).toMatchObject({
    username: user.username,
    paths: ['translations.en.title', 'isOngoing', 'translations.ja.title', 'translations.ja.description'],
    snapshot: { translations: { ...titled('After'), ...titled('後', 'ja') } },
  })
  const cells = await db.selectFrom('history').selectAll().where('entityId', '=', id).orderBy('_id').execute()
  expect(cells[0]).toMatchObject({
    language: 'en',
    field: 'title',
    oldValue: 'Before',
    newValue: 'After',
    isRolledBack: false,
  })
  const activities = await db
    .selectFrom('activities')
    .select('type')
    .where('entityId', '=', id)
    .orderBy('_id')
    .execute()
  expect(activities.map(({ type }) => type)).toEqual(['MEDIA_CREATED', 'TRANSLATION_UPDATED', 'MEDIA_DELETED'])
})

test('a save that changes nothing adds no revision', async () => {
  const { call } = await signedIn()
  const start = await aMedia({ translations: titled('Same') })
  const body = mediaInput({ translations: titled('Same') })
  const saved = await call(mediaApi.update, { id: start._id, body, base: start.version })
  expect(saved.version).toBe(1)
})

test('a refused write changes nothing at all', async () => {
  const { call } = await signedIn()
  const { _id: id } = await aMedia({ translations: titled('Kept') })
  const before = await db.selectFrom('revisions').select('_id').execute()
  const body = mediaInput({ translations: titled('Lost'), tags: ['no-such-tag'] })
  await expect(call(mediaApi.update, { id, body })).rejects.toMatchObject({
    status: 400,
    errors: [{ path: 'tags.0', message: 'There is no tag with the id no-such-tag' }],
  })
  expect(await db.selectFrom('revisions').select('_id').execute()).toHaveLength(before.length)
  expect((await call(mediaApi.find, { id })).translations).toEqual(titled('Kept'))
})

test('a deleted media item is gone everywhere, and is restored with its links', async () => {
  const { call } = await signedIn()
  const tag = await aTag()
  const { _id: id } = await aMedia({ translations: titled('Vanishing Act'), tags: [tag] })
  expect((await tags.row(tag))?.version).toBe(1)
  expect(await call(mediaApi.remove, { id })).toEqual({ success: true })
  await expect(call(mediaApi.find, { id })).rejects.toMatchObject({ status: 404, message: 'Media not found' })
  expect(await call(mediaApi.list, { query: { search: 'Vanishing Act' } })).toEqual([])
  expect(await db.selectFrom('tags').select('mediaCount').where('_id', '=', tag).executeTakeFirst()).toEqual({
    mediaCount: 0,
  })
  const back = await call(mediaApi.restore, { id })
  expect(back).toMatchObject({ translations: titled('Vanishing Act'), tags: [{ _id: tag }], version: 3 })
  expect(await db.selectFrom('tags').select('mediaCount').where('_id', '=', tag).executeTakeFirst()).toEqual({
    mediaCount: 1,
  })
})

test('the list is paged, newest first, and filtered by type and status', async () => {
  const { call } = await signedIn()
  const made: Media[] = []
  for (let each = 0; each < 13; each++) made.push(await aMedia({ mediaType: 'NOVEL', isOngoing: each % 2 === 0 }))
  const newest = made.map(({ _id }) => _id).toReversed()
  expect(idsOf(await call(mediaApi.list, { query: { type: 'NOVEL' } }))).toEqual(newest.slice(0, 10))
  expect(idsOf(await call(mediaApi.list, { query: { type: 'NOVEL', page: 2 } }))).toEqual(newest.slice(10))
  const ongoing = await call(mediaApi.list, {
    query: { type: 'NOVEL', isOngoing: 'true', sort: 'createdAt', limit: 3 },
  })
  expect(ongoing.map(({ _id, isOngoing }) => [_id, isOngoing])).toEqual(
    [0, 2, 4].map((index) => [made[index]?._id, true]),
  )
  await expect(call(mediaApi.list, { query: { sort: 'passwordHash' as never } })).rejects.toMatchObject({ status: 400 })
})

test('recent items are what the user created or changed', async () => {
  const { call, user } = await signedIn()
  const other = await aMedia()
  const own = await call(mediaApi.create, { body: mediaInput() })
  await aMedia()
  await call(mediaApi.update, { id: other._id, body: mediaInput() })
  expect(idsOf(await call(mediaApi.list, { query: { userId: user._id, limit: 50 } })).toSorted()).toEqual(
    [other._id, own._id].toSorted(),
  )
})

test('the average rating is exact', async () => {
  const { call } = await signedIn()
  const { _id: id } = await aMedia()
  for (const score of [7.1, 8.2, 9.6]) await aRating(id, score)
  expect(await call(mediaApi.find, { id })).toMatchObject({ averageRating: 8.3, ratingCount: 3 })
})

test.each([
  ['no media type', { mediaType: undefined }, 'mediaType'],
  ['an unknown media type', { mediaType: 'FILM' }, 'mediaType'],
  ['an invalid date', { releaseDate: '2020-13-01' }, 'releaseDate'],
  ['a date after the year 9999 in UTC', { releaseDate: '9999-12-31T23:00:00-10:00' }, 'releaseDate'],
  ['a date before the year 0 in UTC', { releaseDate: '0000-01-01T00:00:00+10:00' }, 'releaseDate'],
  ['a status that is not a boolean', { isOngoing: 'yes' }, 'isOngoing'],
  ['an invalid language tag', { translations: { 'not a language': { title: '', description: '' } } }, 'translations'],
  [
    'the same language twice',
    { translations: { 'zh-hans': { title: '', description: '' }, 'zh-Hans': { title: '', description: '' } } },
    'translations',
  ],
  ['a title that is not a text', { translations: { en: { title: 1, description: '' } } }, 'translations.en.title'],
  ['tags that are not a list', { tags: 'one' }, 'tags'],
])('rejects %s with its path', async (_, more, path) => {
  const { call } = await signedIn()
  const error = await call(mediaApi.create, { body: { ...mediaInput(), ...more } as never }).catch(
    (thrown: unknown) => thrown,
  )
  expect(error).toMatchObject({ status: 400, code: 'invalid' })
  expect((error as ApiError).errors?.[0]?.path).toMatch(new RegExp(`^${path}`))
})

test('stores language tags in canonical form, and dates in UTC', async () => {
  const { call } = await signedIn()
  const body = mediaInput({ translations: titled('x', 'zh-hANS'), releaseDate: '2020-04-01T09:00:00+09:00' })
  expect(await call(mediaApi.create, { body })).toMatchObject({
    translations: titled('x', 'zh-Hans'),
    releaseDate: '2020-04-01T00:00:00.000Z',
  })
})

test('roles and tiers decide who may write, and a refusal says why', async () => {
  await aTier(100, { canCreateMedia: true, canEditOwnContent: true })
  const [plain, contributor, moderator] = [
    await signedIn({ role: 'user' }),
    await signedIn({ role: 'user', scores: 150 }),
    await signedIn({ role: 'moderator' }),
  ]
  const refused = { status: 403, message: 'Access denied. You do not have permission for this action.' }
  await expect(plain.call(mediaApi.create, { body: mediaInput() })).rejects.toMatchObject(refused)
  const own = await contributor.call(mediaApi.create, { body: mediaInput() })
  const others = await aMedia()
  await contributor.call(mediaApi.update, { id: own._id, body: mediaInput() })
  for (const call of [plain.call, contributor.call]) {
    await expect(call(mediaApi.update, { id: others._id, body: mediaInput() })).rejects.toMatchObject(refused)
    await expect(call(mediaApi.remove, { id: others._id })).rejects.toMatchObject({
      ...refused,
      body: { reason: expect.stringContaining('editing other people’s content') },
    })
  }
  await contributor.call(mediaApi.remove, { id: own._id })
  await moderator.call(mediaApi.update, { id: others._id, body: mediaInput() })
  await moderator.call(mediaApi.remove, { id: others._id })
  await expect(contributor.call(mediaApi.restore, { id: others._id })).rejects.toMatchObject(refused)
})

test('the links that others add to a character leave room for those who may edit it', async () => {
  await aTier(300, { canCreateMedia: true })
  const [contributor, moderator] = [
    await signedIn({ role: 'user', scores: 300 }),
    await signedIn({ role: 'moderator' }),
  ]
  const id = await aCharacter()
  const mediaRefs = Array.from({ length: 499 }, (_, at) => `media ${at}`)
  await db.updateTable('characters').set({ mediaRefs }).where('_id', '=', id).execute()
  const link = ({ call }: typeof contributor) => call(mediaApi.create, { body: mediaInput({ characters: [id] }) })
  await link(contributor)
  await expect(link(contributor)).rejects.toMatchObject({
    status: 403,
    body: { reason: expect.stringContaining('editing other people’s content') as unknown },
  })
  await link(moderator)
})

test('returns the version as ETag, and checks If-Match', async () => {
  const { token } = await signedIn()
  const { _id: id } = await aMedia()
  const headers = { authorization: `Bearer ${token}` }
  const found = await app.inject({ url: `/api/media/${id}`, headers })
  expect(found.headers.etag).toBe('"1"')
  const put = (ifMatch: string) =>
    app.inject({
      method: 'PUT',
      url: `/api/media/${id}`,
      headers: { ...headers, 'if-match': ifMatch },
      payload: mediaInput(),
    })
  expect((await put('"1"')).headers.etag).toBe('"2"')
  expect((await put('"7"')).statusCode).toBe(412)
  expect((await put('something')).statusCode).toBe(400)
})

test('every row of a list page has its tags', async () => {
  const shared = [await aTag(), await aTag()]
  for (let each = 0; each < 5; each++) await aMedia({ tags: shared, mediaType: 'MANGA' })
  const { answer: rows } = await media.list({ page: 1, limit: 10, sort: '-createdAt', type: 'MANGA' })
  expect(rows).toHaveLength(5)
  expect(rows.every((row) => row.tags.length === 2)).toBe(true)
})
