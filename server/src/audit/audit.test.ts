import { aiApi } from '@mokuroku/contract/ai'
import { auditApi } from '@mokuroku/contract/audit'
import { authApi } from '@mokuroku/contract/auth'
import { historyApi } from '@mokuroku/contract/history'
import { mediaApi } from '@mokuroku/contract/media'
import { settingsApi } from '@mokuroku/contract/settings'
import { tiersApi } from '@mokuroku/contract/tiers'
import { trashApi } from '@mokuroku/contract/trash'
import { usersApi } from '@mokuroku/contract/users'
import { describe, expect, test, vi } from 'vitest'
import { db, transaction } from '#lib/db.ts'
import { tellFailures } from '#lib/later.ts'
import { SYSTEM } from '#lib/may.ts'
import { hashPassword } from '#lib/password.ts'
import { audit } from '#store/audit'
import { users } from '#store/users'
import { app, callAs, signedIn, withApp } from '#test/app.ts'
import { entries, entriesOf, withoutLog } from '#test/auditLog.ts'
import { aMedia, aTier, aUser, mediaInput } from '#test/factories.ts'
import { verifyChain } from './chain.ts'
import { closeNotices } from './notices.ts'

withApp()

const PASSWORD = 'a good password'
let addresses = 0
/** A visitor from an address of their own: how often one may try is limited. */
const visitor = () => callAs(undefined, `10.1.0.${++addresses}`)

async function account(more: object = {}) {
  const name = `someone${++addresses}`
  const passwordHash = await hashPassword(PASSWORD)
  const input = { username: name, email: `${name}@example.org`, ...more }
  const _id = await transaction((tx) => users.add(tx, input, passwordHash, { actor: SYSTEM }))
  return { _id, ...input }
}

const failing = (call: Promise<unknown>, status: number) =>
  expect(call)
    .rejects.toMatchObject({ status })
    .then(() => undefined)

describe('signing in', () => {
  test('who signs in and out is kept, with the session and where it came from', async () => {
    const { _id, username, email } = await account()
    const kept = await entriesOf(async () => {
      const { token } = await visitor()(authApi.login, { body: { email, password: PASSWORD } })
      await callAs(token)(authApi.logout)
    })
    expect(kept).toMatchObject([
      {
        action: 'signIn.done',
        area: 'signIn',
        outcome: 'ok',
        actorId: _id,
        actorName: username,
        address: `10.1.0.${addresses}`,
        label: email,
      },
      { action: 'signIn.out', actorId: _id, session: kept[0]?.session },
    ])
    expect(kept[0]?.session).toMatch(/^[\da-f-]{36}$/)
  })

  test('a sign-in that failed is kept as it was typed, and whose it is, but never the password', async () => {
    const [known, gone] = [await account(), await account({ isActive: false })]
    const attempts = [
      { email: known.email.toUpperCase(), password: 'wrong-password' },
      { email: 'nobody@example.org', password: 'wrong-password' },
      { email: gone.email, password: PASSWORD },
    ]
    const kept = await entriesOf(async () => {
      for (const body of attempts) await failing(visitor()(authApi.login, { body }), 401)
    })
    expect(
      kept.map(({ action, outcome, actorId, entityId, label }) => [action, outcome, actorId, entityId, label]),
    ).toEqual([
      ['signIn.failed', 'failed', '', known._id, known.email.toUpperCase()],
      ['signIn.failed', 'failed', '', '', 'nobody@example.org'],
      ['signIn.failed', 'failed', '', gone._id, gone.email],
    ])
    expect(JSON.stringify(kept)).not.toContain('wrong-password')
    expect(JSON.stringify(kept)).not.toContain(PASSWORD)
  })

  test('an account that is locked by too many tries is kept as that', async () => {
    const { email } = await account()
    const kept = await entriesOf(async () => {
      const call = visitor()
      for (let at = 0; at < 11; at++)
        await failing(call(authApi.login, { body: { email, password: 'x' } }), at < 10 ? 401 : 429)
    })
    expect(kept.at(-1)).toMatchObject({ action: 'signIn.limited', outcome: 'refused', label: email })
  })

  test('a password that is changed, set anew, or only guessed at', async () => {
    const { email } = await account()
    const { token } = await visitor()(authApi.login, { body: { email, password: PASSWORD } })
    const call = callAs(token)
    const kept = await entriesOf(async () => {
      await failing(call(authApi.changePassword, { body: { current: 'guessed', password: 'another password' } }), 400)
      await call(authApi.changePassword, { body: { current: PASSWORD, password: 'another password' } })
      await call(authApi.endSessions)
      await visitor()(authApi.forgotPassword, { body: { email } })
      await visitor()(authApi.forgotPassword, { body: { email: 'nobody@example.org' } })
      await failing(
        visitor()(authApi.resetPassword, { body: { token: 'made up', password: 'another' + PASSWORD } }),
        400,
      )
    })
    const told = kept.map(({ action, outcome }) => `${action} ${outcome}`)
    expect(told.toSorted()).toEqual(
      [
        'account.passwordChanged failed',
        'account.passwordChanged ok',
        'account.sessionsEnded ok',
        'account.resetAsked ok',
        'account.resetAsked ok',
        'account.passwordReset failed',
      ].toSorted(),
    )
    expect(JSON.stringify(kept)).not.toMatch(/guessed|another|made up/)
  })
})

describe('when the log cannot be written', () => {
  test('what was refused stays refused as it was, and that is told elsewhere', async () => {
    const failures = vi.fn<(told: { err: unknown }) => void>()
    tellFailures({ error: failures })
    const { call } = await signedIn({ role: 'user' })
    await withoutLog(async () => {
      await failing(call(usersApi.update, { id: 'x', body: { role: 'admin' } }), 403)
      await failing(visitor()(authApi.login, { body: { email: 'nobody@example.org', password: 'x' } }), 401)
    })
    tellFailures(undefined)
    const lost = failures.mock.calls.flatMap(([{ err }]) => (err as { lost?: { action: string }[] }).lost ?? [])
    expect(lost.map(({ action }) => action).toSorted()).toEqual(['access.forbidden', 'signIn.failed'])
  })

  test('nobody signs in, and nothing is changed that has to be kept', async () => {
    const { email } = await account()
    const [admin, user] = [await signedIn(), await aUser()]
    const sessions = () => db.selectFrom('sessions').select('_id').execute()
    const before = [(await sessions()).length, await users.row(user._id)]
    await withoutLog(async () => {
      await failing(visitor()(authApi.login, { body: { email, password: PASSWORD } }), 500)
      await failing(admin.call(usersApi.update, { id: user._id, body: { role: 'moderator' } }), 500)
      await failing(admin.call(auditApi.export, { query: { format: 'csv' } }), 500)
    })
    expect([(await sessions()).length, await users.row(user._id)]).toEqual(before)
    await visitor()(authApi.login, { body: { email, password: PASSWORD } })
  })
})

describe('what is done', () => {
  test('settings that are read and changed: which, and never a secret', async () => {
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

  test('accounts and tiers, with what they were and are', async () => {
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

  test('a thing that is deleted for good is kept, the media of the catalogue otherwise are not', async () => {
    const { call } = await signedIn()
    const kept = await entriesOf(async () => {
      const { _id } = await aMedia()
      await call(mediaApi.update, { id: _id, body: mediaInput() })
      await call(mediaApi.remove, { id: _id })
      await call(trashApi.purge, { kind: 'Media', id: _id })
    })
    expect(kept).toMatchObject([{ action: 'trash.purged', entityType: 'Media' }])
  })

  test('texts that are rolled back together, once for all', async () => {
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

  test('AI that is asked: who answered and what it cost, never what was said', async () => {
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

describe('class 16: what anybody can bring about does not fill the log', () => {
  test('refusals of one person are kept one by one for a while, then as one that counts them', async () => {
    closeNotices()
    const { call, user } = await signedIn({ role: 'user' })
    const kept = await entriesOf(async () => {
      for (let at = 0; at < 30; at++) await failing(call(usersApi.update, { id: `user${at}`, body: {} }), 403)
      closeNotices()
    })
    expect(kept).toHaveLength(11)
    expect(kept[0]).toMatchObject({
      action: 'access.forbidden',
      outcome: 'refused',
      actorId: user._id,
      entityId: 'user0',
      label: 'PUT /api/users/:id',
      details: { reason: 'Only an administrator may do this.' },
    })
    expect(kept.at(-1)).toMatchObject({ action: 'access.forbidden', actorId: user._id, details: { count: 20 } })
  })

  test('visitors from many addresses together are kept one by one for a while, then counted', async () => {
    closeNotices()
    const kept = await entriesOf(async () => {
      for (let at = 0; at < 5000; at++)
        audit.notice({
          action: 'signIn.failed',
          client: { address: `10.${at}`, userAgent: '' },
          about: { type: 'User' },
        })
      closeNotices()
    })
    expect(kept).toHaveLength(61)
    expect(kept.at(-1)).toMatchObject({ action: 'signIn.failed', address: '', details: { count: 4940 } })
    expect(await verifyChain()).not.toHaveProperty('broken')
  })

  test('what calls of AI cost is added up where they are folded', async () => {
    closeNotices()
    const actor = { _id: 'someone', username: 'Someone' }
    const kept = await entriesOf(async () => {
      for (let at = 0; at < 65; at++)
        audit.notice({ action: 'ai.called', actor, details: { inputTokens: 10, model: 'm' } })
      closeNotices()
    })
    expect(kept).toHaveLength(61)
    expect(kept.at(-1)?.details).toEqual({ inputTokens: 50, model: 'm', count: 5 })
  })

  test.runIf(process.env.ENGINE === 'postgres')('a save of the catalogue does not wait for the log', async () => {
    const { call } = await signedIn()
    const { _id } = await aMedia()
    await transaction(async (tx) => {
      await tx.updateTable('auditHead').set({ createdAt: '' }).execute()
      await call(mediaApi.update, { id: _id, body: mediaInput() })
    })
    expect(await verifyChain()).not.toHaveProperty('broken')
  })
})

test('what the tests did is one whole chain, and nothing in it is a password or a token', async () => {
  expect(await verifyChain()).not.toHaveProperty('broken')
  expect(JSON.stringify(await entries())).not.toMatch(/eyJ[\w-]{10}|argon2|a good password/)
})
