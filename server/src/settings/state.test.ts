import { assetsApi } from '@mokuroku/contract/assets'
import { indexApi } from '@mokuroku/contract/search'
import { settingsApi } from '@mokuroku/contract/settings'
import { siteApi } from '@mokuroku/contract/site'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { time } from '#lib/clock.ts'
import { db, transaction } from '#database/db.ts'
import { setCounter } from '#ledger/counters.ts'
import { openMail } from '#mail/send.ts'
import { SYSTEM } from '#access/permissions.ts'
import { search } from '#store/search'
import { settings } from '#store/settings'
import { callAs, idle, signedIn, withApp } from '#test/app.ts'
import { aMedia } from '#test/factories.ts'
import { aPicture, aSound, send } from '#test/files.ts'
import { smtpServer } from '#test/smtp.ts'
import { temporaryFolder } from '#test/folder.ts'

withApp()

const outbox = temporaryFolder()
const mail = { from: 'mokuroku@example.org', publicUrl: 'https://catalogue.example.org', outbox }

test('the name and the languages of the site are public', async () => {
  await settings.change({ general: { siteName: '図書室', languages: ['ja', 'en'] } }, { actor: SYSTEM })
  expect(await callAs()(siteApi.find)).toMatchObject({ name: '図書室', defaultLanguage: 'en', languages: ['ja', 'en'] })
})

test('sends a test message to the user who requests it', async () => {
  await settings.change({ general: { siteName: '図書室' } }, { actor: SYSTEM })
  const { call, user } = await signedIn()
  const server = await smtpServer({ authOptional: true })
  openMail({ ...mail, url: `smtp://127.0.0.1:${server.port}?ignoreTLS=true` })
  const answer = await call(settingsApi.testMail, { body: { language: 'zh' } })
  expect(answer).toEqual({ success: true, to: user.email })
  expect(server.received).toMatchObject([{ to: [user.email], subject: '【図書室】测试邮件' }])
  expect((await call(settingsApi.find)).mail).toMatchObject({ isConfigured: true, server: `127.0.0.1:${server.port}` })
  await server.close()
})

test('reports why a test message was not sent, without the password', async () => {
  const { call, user } = await signedIn()
  const server = await smtpServer()
  openMail({ ...mail, url: `smtp://mokuroku:wrong-secret@127.0.0.1:${server.port}?tls.rejectUnauthorized=false` })
  const answer = await call(settingsApi.testMail, { body: {} })
  expect(answer).toMatchObject({ success: false, to: user.email, failure: { code: 'login' } })
  expect(answer.failure?.detail).toContain('535')
  expect(JSON.stringify([answer, await call(settingsApi.find)])).not.toContain('wrong-secret')
  await server.close()
})

test('writes a test message to a file without a mail server', async () => {
  const { call, user } = await signedIn()
  openMail(mail)
  expect(await call(settingsApi.testMail, { body: {} })).toEqual({ success: true, to: user.email })
  expect(readFileSync(join(outbox, readdirSync(outbox)[0] ?? ''), 'utf8')).toContain(`To: ${user.email}`)
})

test('only administrators can send test messages and rebuild the index', async () => {
  const [moderator, user] = [await signedIn({ role: 'moderator' }), await signedIn({ role: 'user' })]
  for (const refused of [
    () => moderator.call(settingsApi.testMail, { body: {} }),
    () => moderator.call(indexApi.rebuild),
    () => user.call(indexApi.state),
    () => user.call(settingsApi.storage),
  ])
    await expect(refused()).rejects.toMatchObject({ status: 403 })
  expect((await moderator.call(indexApi.state)).status).toBe('ready')
})

test('updates the storage statistics with every change of an asset', async () => {
  const { call, token } = await signedIn()
  const before = await call(settingsApi.storage)
  expect(before).toMatchObject({ kind: 'folder', place: '', images: 0 })
  const [picture, other, sound] = [await aPicture(), await aPicture(300, 200), aSound()]
  const { body } = await send(picture, 'one.png', { token })
  const { body: heard } = await send(sound, 'two.wav', { token })
  expect(await call(settingsApi.storage)).toMatchObject({ images: 1, audio: 1, size: picture.length + sound.length })
  await send(other, 'one.png', { token, url: `/api/assets/${body._id}/file`, method: 'PUT' })
  await call(assetsApi.remove, { id: heard._id })
  expect(await call(settingsApi.storage)).toMatchObject({
    images: 1,
    audio: 0,
    size: other.length,
    unused: { count: 1, size: other.length },
  })
  await call(assetsApi.restore, { id: heard._id })
  expect((await call(settingsApi.storage)).size).toBe(other.length + sound.length)
})

test('returns the name of the bucket', async () => {
  await settings.open({ S3_BUCKET: 'covers' })
  expect(await settings.storage()).toMatchObject({ kind: 'bucket', place: 'covers' })
  await settings.open({})
})

test('rebuilds the index in the background, and reports its progress', async () => {
  const { call } = await signedIn()
  for (let each = 0; each < 3; each++) await aMedia()
  await db.deleteFrom('labels').execute()
  const began = time()
  const started = await call(indexApi.rebuild)
  expect(started).toMatchObject({ status: 'indexing', isRunning: true })
  await call(indexApi.rebuild)
  await idle()
  const done = await call(indexApi.state)
  expect(done).toMatchObject({ status: 'ready', isRunning: false, entries: { media: 3 } })
  expect(done.done).toBe(done.total)
  expect(Date.parse(done.rebuiltAt ?? '')).toBeGreaterThanOrEqual(began)
  expect((await search.find('Media', 'media', 10)).matches).toHaveLength(3)
})

test('reports an unfinished rebuild, and a new one completes it', async () => {
  const { call } = await signedIn()
  await transaction((tx) => setCounter(tx, 'searchVersion', 0))
  expect(await call(indexApi.state)).toMatchObject({ status: 'indexing', isRunning: false })
  await call(indexApi.rebuild)
  await idle()
  expect(await call(indexApi.state)).toMatchObject({ status: 'ready', isRunning: false })
})

test('returns the version and all licences to any signed-in user', async () => {
  const { version, parts } = await (await signedIn({ role: 'user' })).call(settingsApi.about)
  expect(version).toMatch(/^\d+\.\d+\.\d+/)
  expect(parts).toContainEqual({ name: 'bangumi-data', version: expect.any(String), licence: 'CC-BY-4.0' })
  expect(parts.filter(({ licence }) => licence === '')).toEqual([])
  expect(parts.map(({ name }) => name)).toEqual(expect.arrayContaining(['react', 'fastify', 'zod']))
})
