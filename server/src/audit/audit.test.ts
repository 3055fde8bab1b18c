import { aiApi } from '@mokuroku/contract/ai'
import { historyApi } from '@mokuroku/contract/history'
import { mediaApi } from '@mokuroku/contract/media'
import { settingsApi } from '@mokuroku/contract/settings'
import { tiersApi } from '@mokuroku/contract/tiers'
import { trashApi } from '@mokuroku/contract/trash'
import { usersApi } from '@mokuroku/contract/users'
import { describe, expect, test } from 'vitest'
import { transaction } from '#database/db.ts'
import { audit } from '#store/audit'
import { app, signedIn, withApp } from '#test/app.ts'
import { entries, entriesOf, failing } from '#test/auditLog.ts'
import { aMedia, aTier, mediaInput } from '#test/factories.ts'
import { verifyChain } from './chain.ts'
import { flushWindows } from './coalesce.ts'

withApp()

describe('records', () => {
  test('which settings are read and changed, but no secrets', async () => {
    const { call, user } = await signedIn()
    const kept = await entriesOf(async () => {
      await call(settingsApi.find)
      await call(settingsApi.update, {
        body: { general: { siteName: 'Another' }, ai: { apiKey: 'sk-a-secret', baseUrl: 'https://ai.example.org' } },
      })
      await failing(call(settingsApi.update, { body: { general: { defaultLanguage: 'th' } } }), 400)
    })
    expect(kept.map(({ action, actorId }) => `${action} ${actorId}`).toSorted()).toEqual([
      `settings.changed ${user._id}`,
      `settings.read ${user._id}`,
    ])
    const changed = kept.find(({ action }) => action === 'settings.changed')
    expect(changed?.details).toEqual({ changed: expect.arrayContaining(['siteName', 'baseUrl', 'apiKey']) as string[] })
    expect(JSON.stringify(kept)).not.toContain('sk-a-secret')
  })

  test('changes of accounts and tiers, with old and new values', async () => {
    const { call } = await signedIn()
    let id = ''
    const kept = await entriesOf(async () => {
      const body = { username: 'Newcomer Nine', email: 'nine@example.org', password: 'a long password' }
      ;({ _id: id } = await call(usersApi.create, { body }))
      await call(usersApi.update, { id, body: { role: 'moderator', scores: 7 } })
      await call(usersApi.update, { id, body: { password: 'a longer password' } })
      await call(usersApi.remove, { id })
      await call(usersApi.restore, { id })
      const tier = await aTier(123, {})
      await call(tiersApi.remove, { id: tier })
    })
    expect(kept.map(({ action }) => action)).toEqual([
      'users.created',
      'users.changed',
      'account.passwordChanged',
      'users.deleted',
      'users.restored',
      'tiers.created',
      'tiers.deleted',
    ])
    expect(kept[1]).toMatchObject({
      entityId: id,
      label: 'Newcomer Nine',
      details: { changed: ['role', 'scores'], role: ['user', 'moderator'], scores: [0, 7] },
    })
    expect(kept[2]).toMatchObject({ entityId: id, details: {} })
    expect(JSON.stringify(kept)).not.toContain('password"')
  })

  test('a purge of a media item, but no other change of it', async () => {
    const { call } = await signedIn()
    const kept = await entriesOf(async () => {
      const { _id } = await aMedia()
      await call(mediaApi.update, { id: _id, body: mediaInput() })
      await call(mediaApi.remove, { id: _id })
      await call(trashApi.purge, { kind: 'Media', id: _id })
    })
    expect(kept).toMatchObject([{ action: 'trash.purged', entityType: 'Media' }])
  })

  test('a rollback of several texts as one entry', async () => {
    const admin = await signedIn()
    const { _id } = await aMedia()
    const body = mediaInput({ translations: { en: { title: 'Wrong', description: 'Wrong' } } })
    await admin.call(mediaApi.update, { id: _id, body })
    const by = { username: admin.user.username, from: '2020-01-01T00:00:00.000Z', to: '2100-01-01T00:00:00.000Z' }
    const kept = await entriesOf(async () => {
      await admin.call(historyApi.rollbackAll, { body: { reason: 'Vandalism', by, dryRun: true } })
      await admin.call(historyApi.rollbackAll, { body: { reason: 'Vandalism', by } })
    })
    expect(kept).toMatchObject([{ action: 'history.rolledBack', details: { count: 2, reason: 'Vandalism', by } }])
  })

  test('AI calls with their provider and token usage, but not the texts', async () => {
    const { token } = await signedIn()
    const text = JSON.stringify({ en: { title: 'A secret title', description: '' } })
    const kept = await entriesOf(() =>
      app.inject({
        url: `/api/ai/process?stream=true&text=${encodeURIComponent(text)}`,
        headers: { authorization: `Bearer ${token}` },
      }),
    )
    expect(kept).toMatchObject([
      { action: 'ai.called', outcome: 'ok', details: { call: 'enhance', provider: 'reference', became: 'unknown' } },
    ])
    expect(kept[0]?.details).toHaveProperty('inputTokens')
    expect(kept[0]?.details).toHaveProperty('milliseconds')
    expect(JSON.stringify(kept)).not.toContain('secret title')
    const tested = await entriesOf(async () => (await signedIn()).call(aiApi.test, { body: {} }))
    expect(tested.at(-1)).toMatchObject({ action: 'settings.tested', outcome: 'failed', details: { what: 'ai' } })
  })
})

describe('class 16: repeated events do not flood the log', () => {
  test('logs the first refusals of a user one by one, and coalesces the rest', async () => {
    flushWindows()
    const { call, user } = await signedIn({ role: 'user' })
    const kept = await entriesOf(async () => {
      for (let at = 0; at < 30; at++) await failing(call(usersApi.update, { id: `user${at}`, body: {} }), 403)
      flushWindows()
    })
    expect(kept).toHaveLength(11)
    expect(kept[0]).toMatchObject({
      action: 'access.forbidden',
      outcome: 'refused',
      actorId: user._id,
      entityId: 'user0',
      label: 'PUT /api/users/:id',
      details: { reason: 'Only administrators can do this.' },
    })
    expect(kept.at(-1)).toMatchObject({ action: 'access.forbidden', actorId: user._id, details: { count: 20 } })
  })

  test('logs the first failed sign-ins from many addresses one by one, and coalesces the rest', async () => {
    flushWindows()
    const kept = await entriesOf(async () => {
      for (let at = 0; at < 5000; at++)
        audit.recordLater({
          action: 'signIn.failed',
          client: { address: `10.${at}`, userAgent: '' },
          about: { type: 'User' },
        })
      flushWindows()
    })
    expect(kept).toHaveLength(61)
    expect(kept.at(-1)).toMatchObject({ action: 'signIn.failed', address: '', details: { count: 4940 } })
    expect(await verifyChain()).not.toHaveProperty('broken')
  })

  test('adds up the tokens of coalesced AI calls', async () => {
    flushWindows()
    const actor = { _id: 'someone', username: 'Someone' }
    const kept = await entriesOf(async () => {
      for (let at = 0; at < 65; at++)
        audit.recordLater({ action: 'ai.called', actor, details: { inputTokens: 10, model: 'm' } })
      flushWindows()
    })
    expect(kept).toHaveLength(61)
    expect(kept.at(-1)?.details).toEqual({ inputTokens: 50, model: 'm', count: 5 })
  })

  test.runIf(process.env.ENGINE === 'postgres')('saving a media item does not wait for the log', async () => {
    const { call } = await signedIn()
    const { _id } = await aMedia()
    await transaction(async (tx) => {
      await tx.updateTable('auditHead').set({ createdAt: '' }).execute()
      await call(mediaApi.update, { id: _id, body: mediaInput() })
    })
    expect(await verifyChain()).not.toHaveProperty('broken')
  })
})

test('the log of these tests is an intact chain, without passwords or tokens', async () => {
  expect(await verifyChain()).not.toHaveProperty('broken')
  expect(JSON.stringify(await entries())).not.toMatch(/eyJ[\w-]{10}|argon2|a good password/)
})
