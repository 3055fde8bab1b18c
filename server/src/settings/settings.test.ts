import { revisionsApi } from '@mokuroku/contract/revisions'
import { settingsApi } from '@mokuroku/contract/settings'
import { decodeJwt } from 'jose'
import { beforeEach, expect, test } from 'vitest'
import { db } from '#database/db.ts'
import { SYSTEM } from '#access/permissions.ts'
import { aiSettings, settings } from '#store/settings'
import { signedIn, withApp } from '#test/app.ts'

withApp()

const KEY = 'sk-only-the-provider-may-see-this'
const FROM_ENVIRONMENT = {
  AI_BASE_URL: 'https://models.example.org/v1',
  AI_API_KEY: 'sk-of-the-environment',
  AI_MODEL: 'small',
  AI_SEARCH_URL: 'https://search.example.org',
}
const context = { actor: SYSTEM }

beforeEach(async () => {
  await settings.open({})
  const general = { siteName: 'Mokuroku', defaultLanguage: 'en', languages: ['en', 'zh'] }
  await settings.change({ general, ai: { baseUrl: '', model: '', apiKey: '' } }, context)
})

const admin = async () => (await signedIn()).call

test('changing one setting keeps all others', async () => {
  const call = await admin()
  const before = await call(settingsApi.find)
  expect(before.general).toMatchObject({ defaultLanguage: 'en', languages: ['en', 'zh'] })
  const body = { general: { siteName: ' 図書室\r\n目録 ' } }
  const after = await call(settingsApi.update, { body, base: before.version })
  expect(after).toEqual({
    ...before,
    general: { ...before.general, siteName: '図書室 目録' },
    version: before.version + 1,
    updatedAt: after.updatedAt,
  })
  expect(await call(settingsApi.find)).toEqual(after)
  expect(await call(settingsApi.update, { body: after })).toEqual(after)
})

test('moderators can read the settings, users cannot, and neither can change them', async () => {
  await settings.change({ general: { siteName: '図書室 目録' } }, context)
  const [moderator, user] = [await signedIn({ role: 'moderator' }), await signedIn({ role: 'user' })]
  expect((await moderator.call(settingsApi.find)).general.siteName).toBe('図書室 目録')
  await expect(user.call(settingsApi.find)).rejects.toMatchObject({ status: 403 })
  for (const { call } of [moderator, user])
    await expect(call(settingsApi.update, { body: { ai: { apiKey: KEY } } })).rejects.toMatchObject({
      status: 403,
      body: { reason: 'Only administrators can do this.' },
    })
})

test('merges concurrent changes of different settings, and refuses those of the same one', async () => {
  const [one, two] = [await admin(), await admin()]
  const { version: base } = await one(settingsApi.find)
  await one(settingsApi.update, { body: { general: { siteName: 'One' } }, base })
  const merged = await two(settingsApi.update, { body: { ai: { model: 'large' } }, base })
  expect([merged.general.siteName, merged.ai.model]).toEqual(['One', 'large'])
  await expect(two(settingsApi.update, { body: { general: { siteName: 'Two' } }, base })).rejects.toMatchObject({
    status: 412,
    body: { conflicts: ['siteName'], mine: { siteName: 'Two' }, theirs: { siteName: 'One' } },
  })
})

test.each([
  [{ general: { siteName: ' ' } }, 'general.siteName'],
  [{ general: { languages: [] } }, 'general.languages'],
  [{ general: { languages: ['not a language'] } }, 'general.languages.0'],
  [{ general: { languages: ['ja'] } }, 'general.defaultLanguage'],
  [{ general: { defaultLanguage: 'th' } }, 'general.defaultLanguage'],
  [{ ai: { baseUrl: 'file:///etc/passwd' } }, 'ai.baseUrl'],
  [{ ai: { baseUrl: 'https://user:password@models.example.org' } }, 'ai.baseUrl'],
  [{ ai: { baseUrl: 'https://models.example.org/\0' } }, 'ai.baseUrl'],
  [{ ai: { baseUrl: 'https://models.exam\nple.org' } }, 'ai.baseUrl'],
  [{ ai: { streamsPerUser: 1 } }, 'ai.streamsPerUser'],
  [{ ai: { dailyTokensPerUser: -1 } }, 'ai.dailyTokensPerUser'],
  [{ security: { sessionHours: 0 } }, 'security.sessionHours'],
  [{ security: { sessionHours: 721 } }, 'security.sessionHours'],
])('rejects %j with an error at %s, and changes nothing', async (body, path) => {
  const call = await admin()
  const before = await call(settingsApi.find)
  await expect(call(settingsApi.update, { body })).rejects.toMatchObject({ status: 400, errors: [{ path }] })
  expect(await call(settingsApi.find)).toEqual(before)
})

test('stores languages in canonical form, without duplicates', async () => {
  const { general } = await (
    await admin()
  )(settingsApi.update, {
    body: { general: { languages: ['EN', 'zh-hans', 'en'], defaultLanguage: 'zh-hans' } },
  })
  expect(general).toMatchObject({ languages: ['en', 'zh-Hans'], defaultLanguage: 'zh-Hans' })
})

test('class 18: stores the API key sealed, and no response or revision contains it', async () => {
  const call = await admin()
  const body = { ai: { baseUrl: 'https://models.example.org/v1/', apiKey: KEY } }
  const answer = await call(settingsApi.update, { body })
  expect(answer.ai).toMatchObject({ baseUrl: 'https://models.example.org/v1', hasKey: true })
  const row = await db.selectFrom('settings').selectAll().executeTakeFirstOrThrow()
  const { data } = await call(revisionsApi.list, { query: { entityType: 'Setting', entityId: answer._id, limit: 1 } })
  const revision = await call(revisionsApi.find, { id: data[0]?._id ?? '' })
  expect(revision.paths).toContain('apiKey')
  expect(revision.snapshot).toMatchObject({ baseUrl: 'https://models.example.org/v1' })
  expect(revision.snapshot).not.toHaveProperty('apiKey')
  for (const shown of [answer, row, revision]) expect(JSON.stringify(shown)).not.toContain(KEY)
  expect((await aiSettings()).apiKey).toBe(KEY)
})

test('uses the API key only for the host it was given for', async () => {
  const call = await admin()
  const to = (baseUrl: string) => call(settingsApi.update, { body: { ai: { baseUrl } } })
  await call(settingsApi.update, { body: { ai: { baseUrl: 'https://models.example.org/v1', apiKey: KEY } } })
  expect((await to('https://models.example.org/v2')).ai.hasKey).toBe(true)
  expect((await to('https://elsewhere.example.org/v1')).ai.hasKey).toBe(false)
  expect((await aiSettings()).apiKey).toBe('')
  expect((await to('https://models.example.org')).ai.hasKey).toBe(true)
  expect((await call(settingsApi.update, { body: { ai: { apiKey: '' } } })).ai.hasKey).toBe(false)
})

test('an API key is for the host that the caller saw, even if somebody has changed it since', async () => {
  const [call, other] = [await admin(), await admin()]
  const { version: base } = await call(settingsApi.update, {
    body: { ai: { baseUrl: 'https://models.example.org/v1' } },
  })
  await other(settingsApi.update, { body: { ai: { baseUrl: 'https://elsewhere.example.org/v1' } } })
  const saved = await call(settingsApi.update, { body: { ai: { apiKey: KEY } }, base })
  expect(saved.ai).toMatchObject({ baseUrl: 'https://elsewhere.example.org/v1', hasKey: false })
  expect((await aiSettings()).apiKey).toBe('')
  await call(settingsApi.update, { body: { ai: { baseUrl: 'https://models.example.org/v1' } } })
  expect((await aiSettings()).apiKey).toBe(KEY)
})

test('falls back to the environment for AI settings that are not set', async () => {
  await settings.open(FROM_ENVIRONMENT)
  expect(await aiSettings()).toEqual({
    baseUrl: 'https://models.example.org/v1',
    model: 'small',
    apiKey: 'sk-of-the-environment',
    searchUrl: 'https://search.example.org',
    streamsPerUser: 4,
    dailyTokensPerUser: 500_000,
  })
  const shown = await settings.find()
  expect(shown.variables).toEqual({
    baseUrl: 'https://models.example.org/v1',
    model: 'small',
    hasKey: true,
    hasSearch: true,
  })
  expect(JSON.stringify(shown)).not.toContain('sk-of-the-environment')
  await settings.change({ ai: { model: 'large', apiKey: KEY } }, context)
  expect(await aiSettings()).toMatchObject({ model: 'large', apiKey: KEY, baseUrl: 'https://models.example.org/v1' })
})

test('uses the API key of the environment only for the host of the environment', async () => {
  await settings.open(FROM_ENVIRONMENT)
  await settings.change({ ai: { baseUrl: 'https://elsewhere.example.org/v1' } }, context)
  expect(await aiSettings()).toMatchObject({ baseUrl: 'https://elsewhere.example.org/v1', apiKey: '' })
  await settings.open({ ...FROM_ENVIRONMENT, AI_BASE_URL: undefined })
  expect((await aiSettings()).apiKey).toBe('sk-of-the-environment')
  expect((await aiSettings({ baseUrl: 'https://third.example.org/v1' })).apiKey).toBe('')
})

test('restoring a revision restores settings, but keeps the API key', async () => {
  const call = await admin()
  await call(settingsApi.update, { body: { ai: { baseUrl: 'http://127.0.0.1:11434/v1', apiKey: KEY } } })
  await call(settingsApi.update, { body: { ai: { model: 'one' } } })
  const { _id: entityId } = await call(settingsApi.update, { body: { ai: { model: 'two' } } })
  const query = { entityType: 'Setting', entityId } as const
  const [, one] = (await call(revisionsApi.list, { query })).data
  await call(revisionsApi.restore, { id: one?._id ?? '', body: {} })
  expect((await call(settingsApi.find)).ai).toMatchObject({ model: 'one', hasKey: true })
  expect((await aiSettings()).apiKey).toBe(KEY)
  const moderator = await signedIn({ role: 'moderator' })
  await expect(moderator.call(revisionsApi.list, { query })).rejects.toMatchObject({ status: 403 })
})

test('a new session lasts as long as the settings say', async () => {
  await settings.change({ security: { sessionHours: 2 } }, context)
  const { token } = await signedIn()
  const { exp = 0, iat = 0 } = decodeJwt(token)
  expect(exp - iat).toBe(2 * 3600)
  await settings.change({ security: { sessionHours: 12 } }, context)
})
