import { createHash } from 'node:crypto'
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js'
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js'
import { engine } from '#database/db.ts'
import { countAttempt, forgetAttempts, takeBackAttempt } from '#database/limits.ts'
import { tooMany } from '#lib/errors.ts'

/** Counts attempts by a key. */
export interface Limiter {
  /** Counts an attempt, or refuses it with 429. */
  take(key: string): Promise<void>
  /** Takes one back. */
  giveBack(key: string): Promise<void>
  /** Forgets all of a key. */
  forget(key: string): Promise<void>
}

/**
 * Lets `points` through in `minutes`, for each key. A network address may stand for a whole office. What several servers
 * of a PostgreSQL database let through they count together, under the name; each refuses by itself what has reached the
 * limit, and so asks the database about a key no more than `points` times at once.
 */
export function limiter(name: string, points: number, minutes: number): Limiter {
  const seconds = minutes * 60
  const own = new RateLimiterMemory({ points, duration: seconds })
  const hashOf = (key: string) => createHash('sha256').update(`${name}\0${key}`).digest('base64url')
  const takeOwn = async (key: string): Promise<void> => {
    try {
      await own.consume(key)
    } catch (error) {
      // A clock that went back makes no one wait longer: that is measured by another.
      if (error instanceof RateLimiterRes) tooMany(Math.min(error.msBeforeNext / 1000, seconds))
      throw error
    }
  }
  return {
    take: async (key) => {
      await takeOwn(key)
      if (engine === 'sqlite') return
      try {
        const counted = await countAttempt(hashOf(key), seconds)
        if (counted.points <= points) return
        const left = Math.min(Math.max(1, Math.ceil(counted.seconds)), seconds)
        await own.block(key, left)
        tooMany(left)
      } finally {
        // It was counted here for as long as it was on its way.
        await own.reward(key)
      }
    },
    giveBack: async (key) => {
      if (engine === 'sqlite') await own.reward(key)
      else await takeBackAttempt(hashOf(key))
    },
    forget: async (key) => {
      await own.delete(key)
      if (engine === 'postgres') await forgetAttempts(hashOf(key))
    },
  }
}
