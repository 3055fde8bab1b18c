import { authApi, type Me } from '@mokuroku/contract/auth'
import type { FieldError } from '@mokuroku/contract/call'
import { reasonText } from '@mokuroku/contract/reasons'
import { type Transaction, transaction } from '#database/db.ts'
import { invalid, notFound, Refusal, unauthorized } from '#lib/errors.ts'
import type { Client } from '#access/client.ts'
import { serve } from '#http/serve.ts'
import { now } from '#lib/clock.ts'
import type { WriteContext } from '#ledger/definition.ts'
import { type Actor, checkPermission } from '#access/permissions.ts'
import { limiter } from '#access/limiter.ts'
import { verifyPassword, hashPassword } from '#access/password.ts'
import {
  actorOf,
  endSession,
  endSessionsOf,
  SIGN_IN_FAILED,
  startSession,
  stillVerified,
  transactionAs,
  type Verified,
} from '#access/session.ts'
import { audit } from '#store/audit'
import { preferences, sessions } from '#store/auth'
import { notifications } from '#store/notifications'
import { users } from '#store/users'
import { accountLimiter, attemptOf, limitByAddress, networkOf } from './limits.ts'
import { forgotPassword, limitAsking, limitResetting, resetPassword } from './recovery.ts'

// Only attempts that fail, or are refused, count: see `succeeded`.
const signIns = accountLimiter('sign-ins', { perNetwork: 10, perAccount: 50, minutes: 15 })
const byAddress = limiter('sign-ins by address', 100, 15)
// Counted per session, so that nobody without a session can lock the user out.
const currentPasswords = limiter('current passwords', 10, 15)
/** Per account: each leaves an entry in the audit log, and after a sign-in the sign-out another one. */
const rightPasswords = limiter('right passwords', 300, 60)
const limitSignIns = limitByAddress(byAddress)

export const authRoutes = serve(
  authApi,
  {
    login: async ({ body, client }) => {
      const failed = (error: unknown) => recordFailure(error, body.email, client)
      const user = await checkPassword(body, client).catch(failed)
      const token = await startSession(user, client, async (tx, session) => {
        audit.record(tx, { action: 'signIn.done', actor: { ...user, session, client }, about: accountOf(user) })
        if (await sessions.isUnfamiliar(tx, user._id, client))
          notifications.notify(tx, [{ to: user._id, kind: 'NEW_SIGN_IN', data: client }])
      }).catch(failed)
      await users.noteSignIn(user._id, now())
      return { token, user: await meOf(await actorOf(user)) }
    },
    forgotPassword: ({ body, client }) => forgotPassword(body, client),
    resetPassword: ({ body, client }) => resetPassword(body, client),
    verify: async ({ actor }) => ({ success: true, user: await meOf(actor) }),
    logout: async ({ actor }) => {
      await transactionAs(actor, async (tx) => {
        await endSession(tx, actor.session)
        audit.record(tx, { action: 'signIn.out', actor })
      })
      return { success: true }
    },
    profile: ({ actor }) => profileOf(actor),
    updateProfile: async ({ body, actor, base }) => {
      await users.update(actor._id, body, oneself(actor), base)
      return profileOf(actor)
    },
    updatePreferences: ({ body, actor }) => preferences.set(actor, body),
    changePassword: async ({ body: { current, password }, actor }) => {
      const wrong = { path: 'current', message: reasonText('currentPasswordWrong') }
      const verified = await checkCurrent(current, actor, 'account.passwordChanged', wrong)
      await users.refuseWeakPassword(password, verified)
      const passwordHash = await hashPassword(password)
      await transaction(async (tx) => {
        await confirmStillVerified(tx, verified, actor, wrong)
        const context = { ...oneself(actor), reauthenticated: true }
        await users.setPassword(tx, actor._id, passwordHash, context, actor.session)
      })
      return { success: true }
    },
    confirm: async ({ body: { password }, actor }) => {
      const wrong = { path: 'password', message: reasonText('passwordWrong') }
      const verified = await checkCurrent(password, actor, 'account.confirmed', wrong)
      await transaction(async (tx) => {
        await confirmStillVerified(tx, verified, actor, wrong)
        audit.record(tx, { action: 'account.confirmed', actor })
      })
      return { success: true }
    },
    sessions: async ({ actor }) => ({ data: await sessions.list(actor._id, actor.session) }),
    endSession: async ({ id, actor }) => {
      await transactionAs(actor, async (tx) => {
        if (!(await sessions.isOf(tx, actor._id, id))) notFound('Session')
        await endSession(tx, id)
        audit.record(tx, { action: 'account.sessionEnded', actor, about: { type: 'Session', id } })
      })
      return { success: true }
    },
    endSessions: async ({ actor }) => {
      await transactionAs(actor, async (tx) => {
        const isAny = await endSessionsOf(tx, actor._id, actor.session)
        if (isAny) audit.record(tx, { action: 'account.sessionsEnded', actor })
      })
      return { success: true }
    },
  },
  {
    login: (caller) => limitSignIns(caller).catch((error: unknown) => recordFailure(error, '', caller.client)),
    forgotPassword: limitAsking,
    resetPassword: limitResetting,
  },
)

/** The user with this password. All failures have the same message and duration, whether or not the account exists. */
async function checkPassword({ email, password }: { email: string; password: string }, client: Client) {
  const user = await users.withEmail(email).catch(async (error: unknown) => {
    // An unreachable database is not a failed attempt, so it must not lead to a lockout.
    await byAddress.giveBack(networkOf(client.address)).catch(() => undefined)
    throw error
  })
  const attempt = attemptOf(email, user, client)
  await signIns.take(attempt)
  const fitting = await verifyPassword(password, user?.passwordHash)
  if (!user || !fitting || !user.isActive) return unauthorized(SIGN_IN_FAILED)
  await rightPasswords.take(user._id)
  await signIns.succeeded(attempt)
  await byAddress.giveBack(networkOf(client.address))
  return user
}

/**
 * Records a failed sign-in with the address as typed, and the account if there is one. This happens after the response,
 * so that neither its content nor its timing reveals anything, and an error in it cannot fail the response.
 */
function recordFailure(error: unknown, email: string, client: Client): never {
  const about = { type: 'User', label: email }
  const whose = async () => ({ ...about, id: (await users.withEmail(email))?._id })
  if (error instanceof Refusal && error.status === 429)
    audit.recordLater({ action: 'signIn.limited', outcome: 'refused', client, about }, whose)
  else if (error instanceof Refusal)
    audit.recordLater({ action: 'signIn.failed', outcome: 'failed', client, about }, whose)
  throw error
}

const accountOf = ({ _id, email }: { _id: string; email: string }) => ({ type: 'User', id: _id, label: email })

/** Checks the current password. Rate-limited like a sign-in, so that a stolen session cannot be used to guess it. */
async function checkCurrent(
  current: string,
  actor: Actor,
  action: 'account.passwordChanged' | 'account.confirmed',
  wrong: FieldError,
): Promise<Verified & { username: string; email: string }> {
  const user = await users.passwordOf(actor._id)
  const session = actor.session ?? actor._id
  await currentPasswords.take(session)
  if (!(await verifyPassword(current, user.passwordHash))) {
    audit.recordLater({ action, outcome: 'failed', actor })
    invalid([wrong], wrong.message)
  }
  await rightPasswords.take(actor._id)
  await currentPasswords.forget(session)
  return { _id: actor._id, ...user }
}

/**
 * Refuses if the password has changed since it was verified, or the session has ended; otherwise stores the
 * confirmation.
 */
async function confirmStillVerified(
  tx: Transaction,
  verified: Verified,
  { session }: Actor,
  wrong: FieldError,
): Promise<void> {
  if (!(await stillVerified(tx, verified))) invalid([wrong], wrong.message)
  if (!(await sessions.confirm(tx, session))) unauthorized()
}

/** A change of the user's own account, which needs no permission over accounts. */
const oneself = (actor: Actor): WriteContext => ({
  actor,
  verdict: checkPermission(actor, 'profile', 'User', actor._id),
})

const profileOf = async (actor: Actor) => (await users.find(actor._id, actor)) ?? notFound('User')

async function meOf(actor: Actor): Promise<Me> {
  const [row, chosen] = await Promise.all([users.row(actor._id), preferences.find(actor._id)])
  const { _id, username, role, scores, tier, permissions } = actor
  const { email = '', avatar = '' } = row ?? {}
  return { _id, username, role, scores, tier, permissions, email, avatar, preferences: chosen }
}
