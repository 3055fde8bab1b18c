import { authApi, type Me } from '@mokuroku/contract/auth'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { tooMany, unauthorized } from '#lib/errors.ts'
import { type Client, serve } from '#lib/http.ts'
import { now } from '#lib/ids.ts'
import type { Actor } from '#lib/may.ts'
import { fits } from '#lib/password.ts'
import { actorOf, endSession, startSession } from '#lib/session.ts'
import { users } from '#store/users'

const QUARTER_HOUR = 15 * 60
// Failures are counted, not sign-ins. An address may stand for a whole office.
const byAccount = new RateLimiterMemory({ points: 10, duration: QUARTER_HOUR })
const byAddress = new RateLimiterMemory({ points: 100, duration: QUARTER_HOUR })

export const authRoutes = serve(authApi, {
  login: async ({ body, client }) => {
    const user = await checkPassword(body, client)
    const token = await startSession(user, client)
    await users.signedIn(user._id, now())
    return { token, user: await meOf(await actorOf(user)) }
  },
  verify: async ({ actor }) => ({ success: true, user: await meOf(actor) }),
  logout: async ({ actor }) => {
    await endSession(actor.session)
    return { success: true }
  },
})

/** The user whose password this is. Every refusal reads the same and takes as long, whether or not there is one. */
async function checkPassword({ email, password }: { email: string; password: string }, { address }: Client) {
  await take(byAddress, address)
  await take(byAccount, email.toLowerCase())
  const user = await users.withEmail(email)
  const fitting = await fits(password, user?.passwordHash)
  if (!user || !fitting || !user.isActive) return unauthorized('Login failed. Please check your credentials.')
  await byAccount.delete(email.toLowerCase())
  await byAddress.reward(address)
  return user
}

async function take(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key)
  } catch (error) {
    if (error instanceof RateLimiterRes) tooMany(error.msBeforeNext / 1000)
    throw error
  }
}

async function meOf(actor: Actor): Promise<Me> {
  const row = await users.row(actor._id)
  const { _id, username, role, scores, tier, permissions } = actor
  return { _id, username, role, scores, tier, permissions, email: row?.email ?? '', avatar: row?.avatar ?? '' }
}
