import { auditApi } from '@mokuroku/contract/audit'
import { authApi } from '@mokuroku/contract/auth'
import { usersApi } from '@mokuroku/contract/users'
import { describe, expect, test, vi } from 'vitest'
import { db, transaction } from '#database/db.ts'
import { backgroundDone, setBackgroundLog } from '#lib/background.ts'
import { SYSTEM } from '#access/permissions.ts'
import { hashPassword } from '#access/password.ts'
import { audit } from '#store/audit'
import { users } from '#store/users'
import { callAs, signedIn, withApp } from '#test/app.ts'
import { entriesOf, failing, withoutLog } from '#test/auditLog.ts'
import { aResetToken, aUser } from '#test/factories.ts'

withApp()

const PASSWORD = 'a good password'
let addresses = 0
/** A visitor with an address of their own, since sign-in attempts are rate-limited by address. */
const visitor = () => callAs(undefined, `10.1.0.${++addresses}`)

async function account(more: object = {}) {
  const name = `someone${++addresses}`
  const passwordHash = await hashPassword(PASSWORD)
  const input = { username: name, email: `${name}@example.org`, ...more }
  const _id = await transaction((tx) => users.add(tx, input, passwordHash, { actor: SYSTEM }))
  return { _id, ...input }
}

describe('signing in', () => {
  test('logs sign-ins and sign-outs, with session and address', async () => {
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

  test('logs a failed sign-in with the email as typed and its account, but not the password', async () => {
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

  test('logs a sign-in refused after too many attempts as rate-limited', async () => {
    const { email } = await account()
    const kept = await entriesOf(async () => {
      const call = visitor()
      for (let at = 0; at < 11; at++)
        await failing(call(authApi.login, { body: { email, password: 'x' } }), at < 10 ? 401 : 429)
    })
    expect(kept.at(-1)).toMatchObject({ action: 'signIn.limited', outcome: 'refused', label: email })
  })

  test('logs password changes and resets, successful or not, but no passwords', async () => {
    const { email } = await account()
    const { token } = await visitor()(authApi.login, { body: { email, password: PASSWORD } })
    const call = callAs(token)
    const kept = await entriesOf(async () => {
      await failing(call(authApi.changePassword, { body: { current: 'guessed', password: 'another password' } }), 400)
      await call(authApi.changePassword, { body: { current: PASSWORD, password: 'another password' } })
      await visitor()(authApi.login, { body: { email, password: 'another password' } })
      await call(authApi.endSessions)
      // There is none left to end.
      await call(authApi.endSessions)
      await visitor()(authApi.forgotPassword, { body: { email } })
      await visitor()(authApi.forgotPassword, { body: { email: 'nobody@example.org' } })
      await failing(
        visitor()(authApi.resetPassword, { body: { token: 'made up', password: 'another' + PASSWORD } }),
        400,
      )
    })
    const actions = kept.map(({ action, outcome }) => `${action} ${outcome}`)
    expect(actions.toSorted()).toEqual(
      [
        'account.passwordChanged failed',
        'account.passwordChanged ok',
        'signIn.done ok',
        'account.sessionsEnded ok',
        'account.resetAsked ok',
        'account.resetAsked ok',
        'account.passwordReset failed',
      ].toSorted(),
    )
    expect(JSON.stringify(kept)).not.toMatch(/guessed|another|made up/)
  })

  test('logs a password set by a reset link once, as a reset', async () => {
    const { _id, email } = await account()
    const user = await users.withEmail(email)
    if (!user) throw new Error('There is no such account')
    const token = await aResetToken(user)
    const kept = await entriesOf(() => visitor()(authApi.resetPassword, { body: { token, password: 'another one' } }))
    expect(kept).toMatchObject([
      { action: 'account.passwordReset', outcome: 'ok', actorId: _id, entityId: _id, address: `10.1.0.${addresses}` },
    ])
  })
})

describe('when the log cannot be written', () => {
  test('refusals keep their status, and the lost entries are reported as failures', async () => {
    const failures = vi.fn<(actions: { err: unknown }) => void>()
    setBackgroundLog({ error: failures })
    const { call } = await signedIn({ role: 'user' })
    await withoutLog(async () => {
      await failing(call(usersApi.update, { id: 'x', body: { role: 'admin' } }), 403)
      await failing(visitor()(authApi.login, { body: { email: 'nobody@example.org', password: 'x' } }), 401)
    })
    setBackgroundLog(undefined)
    const lost = failures.mock.calls.flatMap(([{ err }]) => (err as { lost?: { action: string }[] }).lost ?? [])
    expect(lost.map(({ action }) => action).toSorted()).toEqual(['access.forbidden', 'signIn.failed'])
  })

  test('entries that wait behind the lost ones are written', async () => {
    const kept = await entriesOf(() => {
      audit.recordLater({ action: 'operator.ran' }, () => {
        audit.recordLater({ action: 'operator.ran', details: { waited: true } })
        return Promise.reject(new Error('It cannot be found'))
      })
      return backgroundDone()
    })
    expect(kept).toMatchObject([{ action: 'operator.ran', details: { waited: true } }])
  })

  test('sign-ins and changes that must be logged fail, and nothing changes', async () => {
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
