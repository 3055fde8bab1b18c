import { authApi, type Me } from '@mokuroku/contract/auth'
import type { Fault } from '@mokuroku/contract/call'
import { type Transaction, transaction } from '#lib/db.ts'
import { invalid, notFound, Refusal, unauthorized } from '#lib/errors.ts'
import { type Client, serve } from '#lib/http.ts'
import { now } from '#lib/ids.ts'
import type { By } from '#lib/keeping.ts'
import { type Actor, may } from '#lib/may.ts'
import { fits, hashPassword } from '#lib/password.ts'
import {
  actorOf,
  endSession,
  endSessionsOf,
  SIGN_IN_FAILED,
  startSession,
  stillVerified,
  type Verified,
} from '#lib/session.ts'
import { audit } from '#store/audit'
import { sessions } from '#store/auth'
import { notifications } from '#store/notifications'
import { users } from '#store/users'
import { limiter, placeOf, take } from './limits.ts'
import { forgotPassword, resetPassword } from './recovery.ts'

// Failures are counted, not sign-ins.
const byAccount = limiter(10, 15)
const byAddress = limiter(100, 15)

export const authRoutes = serve(authApi, {
  login: async ({ body, client }) => {
    const failed = (error: unknown) => noticeFailure(error, body.email, client)
    const user = await checkPassword(body, client).catch(failed)
    const token = await startSession(user, client, async (tx, session) => {
      audit.tellIn(tx, { action: 'signIn.done', actor: { ...user, session, client }, about: accountOf(user) })
      if (await sessions.isStrange(tx, user._id, client))
        notifications.tell(tx, [{ to: user._id, kind: 'NEW_SIGN_IN', data: client }])
    }).catch(failed)
    await users.signedIn(user._id, now())
    return { token, user: await meOf(await actorOf(user)) }
  },
  forgotPassword: ({ body, client }) => forgotPassword(body, client),
  resetPassword: ({ body, client }) => resetPassword(body, client),
  verify: async ({ actor }) => ({ success: true, user: await meOf(actor) }),
  logout: async ({ actor }) => {
    await transaction(async (tx) => {
      await endSession(tx, actor.session)
      audit.tellIn(tx, { action: 'signIn.out', actor })
    })
    return { success: true }
  },
  profile: ({ actor }) => profileOf(actor),
  updateProfile: async ({ body, actor, base }) => {
    await users.update(actor._id, body, oneself(actor), base)
    return profileOf(actor)
  },
  changePassword: async ({ body: { current, password }, actor, client }) => {
    const wrong = { path: 'current', message: 'The current password is not right.' }
    const verified = await checkCurrent(current, actor, client, 'account.passwordChanged', wrong)
    const passwordHash = await hashPassword(password)
    await transaction(async (tx) => {
      await mustStillHold(tx, verified, actor, wrong)
      const by = { ...oneself(actor), reauthenticated: true }
      await users.setPassword(tx, actor._id, passwordHash, by, actor.session)
    })
    return { success: true }
  },
  confirm: async ({ body: { password }, actor, client }) => {
    const wrong = { path: 'password', message: 'This password is not right.' }
    const verified = await checkCurrent(password, actor, client, 'account.confirmed', wrong)
    await transaction(async (tx) => {
      await mustStillHold(tx, verified, actor, wrong)
      audit.tellIn(tx, { action: 'account.confirmed', actor })
    })
    return { success: true }
  },
  sessions: async ({ actor }) => ({ data: await sessions.of(actor._id, actor.session) }),
  endSession: async ({ id, actor }) => {
    if (!(await sessions.isOf(actor._id, id))) notFound('Session')
    await transaction(async (tx) => {
      await endSession(tx, id)
      audit.tellIn(tx, { action: 'account.sessionEnded', actor, about: { type: 'Session', id } })
    })
    return { success: true }
  },
  endSessions: async ({ actor }) => {
    await transaction(async (tx) => {
      await endSessionsOf(tx, actor._id, actor.session)
      audit.tellIn(tx, { action: 'account.sessionsEnded', actor })
    })
    return { success: true }
  },
})

/** The user whose password this is. Every refusal reads the same and takes as long, whether or not there is one. */
async function checkPassword({ email, password }: { email: string; password: string }, { address }: Client) {
  await take(byAddress, placeOf(address))
  await take(byAccount, email.toLowerCase())
  const user = await users.withEmail(email).catch(async (error: unknown) => {
    // A database out of reach is no failed try: nobody is locked out by it.
    await Promise.all([byAddress.reward(placeOf(address)), byAccount.reward(email.toLowerCase())])
    throw error
  })
  const fitting = await fits(password, user?.passwordHash)
  if (!user || !fitting || !user.isActive) return unauthorized(SIGN_IN_FAILED)
  await byAccount.delete(email.toLowerCase())
  await byAddress.reward(placeOf(address))
  return user
}

/**
 * Keeps a sign-in that failed, with the address as it was typed, and whose it is where it is somebody's. That is done
 * after the answer, so that neither its words nor its time tell anything; and it cannot keep anybody from an answer.
 */
function noticeFailure(error: unknown, email: string, client: Client): never {
  const about = { type: 'User', label: email }
  const whose = async () => ({ ...about, id: (await users.withEmail(email))?._id })
  if (error instanceof Refusal && error.status === 429)
    audit.notice({ action: 'signIn.limited', outcome: 'refused', client, about }, whose)
  else if (error instanceof Refusal) audit.notice({ action: 'signIn.failed', outcome: 'failed', client, about }, whose)
  throw error
}

const accountOf = ({ _id, email }: { _id: string; email: string }) => ({ type: 'User', id: _id, label: email })

/** Who is signed in elsewhere without the password must not try it out here: this counts as signing in. */
async function checkCurrent(
  current: string,
  actor: Actor,
  { address }: Client,
  action: 'account.passwordChanged' | 'account.confirmed',
  wrong: Fault,
): Promise<Verified> {
  const user = await users.passwordOf(actor._id)
  const account = user.email.toLowerCase()
  await take(byAddress, placeOf(address))
  await take(byAccount, account)
  if (!(await fits(current, user.passwordHash))) {
    audit.notice({ action, outcome: 'failed', actor })
    invalid([wrong], wrong.message)
  }
  await byAccount.delete(account)
  await byAddress.reward(placeOf(address))
  return { _id: actor._id, passwordHash: user.passwordHash }
}

/** Refuses when the password that was verified is another by now, or the session over; else notes the confirmation. */
async function mustStillHold(tx: Transaction, verified: Verified, { session }: Actor, wrong: Fault): Promise<void> {
  if (!(await stillVerified(tx, verified))) invalid([wrong], wrong.message)
  if (!(await sessions.confirm(tx, session))) unauthorized()
}

/** A change of one's own account, which needs no right over accounts. */
const oneself = (actor: Actor): By => ({ actor, verdict: may(actor, 'profile', 'User', actor._id) })

const profileOf = async (actor: Actor) => (await users.find(actor._id, actor)) ?? notFound('User')

async function meOf(actor: Actor): Promise<Me> {
  const row = await users.row(actor._id)
  const { _id, username, role, scores, tier, permissions } = actor
  return { _id, username, role, scores, tier, permissions, email: row?.email ?? '', avatar: row?.avatar ?? '' }
}
