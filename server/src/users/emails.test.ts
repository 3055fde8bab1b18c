// The owner of an account is notified when its credentials change.
import { authApi } from '@mokuroku/contract/auth'
import { revisionsApi } from '@mokuroku/contract/revisions'
import { usersApi } from '@mokuroku/contract/users'
import { describe, expect, test } from 'vitest'
import { db } from '#database/db.ts'
import { SYSTEM } from '#access/permissions.ts'
import { hashPassword } from '#access/password.ts'
import { startSession } from '#access/session.ts'
import { settings } from '#store/settings'
import { callAs, idle, signedIn, withApp } from '#test/app.ts'
import { aUser } from '#test/factories.ts'
import { emails as outboxEmails, emptyOutbox, withOutbox } from '#test/outbox.ts'

withApp()
withOutbox()

const [OLD, NEW] = ['the old password', 'the new password']

/** The sent emails, by recipient. */
async function sent() {
  await idle()
  return Object.fromEntries(outboxEmails().map((email) => [email.to, email]))
}

describe('class 7: notifies the owner when credentials change', () => {
  test('emails the old and the new address, without revealing either to the other', async () => {
    const [{ call }, user] = [await signedIn(), await aUser()]
    await call(usersApi.update, { id: user._id, body: { email: 'moved@example.org' } })
    const emails = await sent()
    expect(Object.keys(emails).toSorted()).toEqual(['moved@example.org', user.email].toSorted())
    expect(emails[user.email]?.subject).toBe('Your email address for Mokuroku was changed')
    expect(emails[user.email]?.text).toContain('You can no longer sign in with this address')
    expect(emails[user.email]?.text).not.toContain('moved@')
    expect(emails['moved@example.org']?.text).toContain('This is now the email address')
    expect(emails['moved@example.org']?.text).not.toContain(user.email)
  })

  test('emails both when a revision is restored, in the language of the site', async () => {
    const [{ call }, user] = [await signedIn(), await aUser()]
    await call(usersApi.update, { id: user._id, body: { email: 'elsewhere@example.org' } })
    await sent()
    await settings.change({ general: { defaultLanguage: 'zh' } }, { actor: SYSTEM })
    const query = db.selectFrom('revisions').select('_id').where('entityId', '=', user._id).where('version', '=', 1)
    const { _id: id } = await query.executeTakeFirstOrThrow()
    await call(revisionsApi.restore, { id, body: { paths: ['email'] } })
    const emails = await sent()
    expect(emails['elsewhere@example.org']?.subject).toBe('【Mokuroku】邮箱已修改')
    expect(emails[user.email]?.subject).toBe('【Mokuroku】邮箱已修改')
    await settings.change({ general: { defaultLanguage: 'en' } }, { actor: SYSTEM })
  })

  test('emails about a new password, whoever sets it, without revealing it', async () => {
    const [{ call }, user] = [await signedIn(), await aUser()]
    const passwordHash = await hashPassword(OLD)
    await db.updateTable('users').set({ passwordHash }).where('_id', '=', user._id).execute()
    const token = await startSession({ ...user, passwordHash }, { address: '127.0.0.1', userAgent: 'test' })
    await callAs(token)(authApi.changePassword, { body: { current: OLD, password: NEW } })
    const own = (await sent())[user.email]
    expect(own?.subject).toBe('Your password for Mokuroku was changed')
    expect(own?.text).not.toContain(NEW)
    emptyOutbox()
    await call(usersApi.update, { id: user._id, body: { password: 'yet another one' } })
    expect((await sent())[user.email]?.subject).toBe('Your password for Mokuroku was changed')
  })

  test('sends nothing for refused or unrelated changes', async () => {
    const [{ call }, user, other] = [await signedIn(), await aUser(), await aUser()]
    await call(usersApi.update, { id: user._id, body: { email: user.email, scores: 3 } })
    await expect(call(usersApi.update, { id: user._id, body: { email: other.email } })).rejects.toMatchObject({
      status: 409,
    })
    await expect(call(usersApi.update, { id: user._id, body: { password: 'password' } })).rejects.toMatchObject({
      status: 400,
    })
    expect(await sent()).toEqual({})
  })
})
