import { createHash } from 'node:crypto'
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js'
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js'
import { engine } from '#database/db.ts'
import { countAttempt, forgetAttempts, takeBackAttempt } from '#database/limits.ts'
import { tooMany } from '#lib/errors.ts'

/** A rate limiter: counts attempts by a key. */
export interface Limiter {
  /** Counts an attempt; throws 429 when the limit is reached. */
  take(key: string): Promise<void>
  /** Takes one counted attempt back. */
  giveBack(key: string): Promise<void>
  /** Resets the count of a key. */
  forget(key: string): Promise<void>
}

/** How long a server refuses a key without asking the database, in seconds: another server may reset its count. */
const BLOCK_SECONDS = 5

/**
 * Allows `points` attempts in `minutes` for each key. A key may be a network address, which a whole office can share.
 * Servers on one PostgreSQL database count together, under `name`. Each server also blocks keys that have reached the
 * limit in memory, so it has at most `points` database queries for a key in flight.
 */
export function limiter(name: string, points: number, minutes: number): Limiter {
  const seconds = minutes * 60
  const own = new RateLimiterMemory({ points, duration: seconds })
  const hashOf = (key: string) => createHash('sha256').update(`${name}\0${key}`).digest('base64url')
  const takeOwn = async (key: string): Promise<void> => {
    try {
      await own.consume(key)
    } catch (error) {
      // If the clock was set back, msBeforeNext can be too long. The window itself ends by a timer, not by the clock.
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
        await own.block(key, Math.min(left, BLOCK_SECONDS))
        tooMany(left)
      } finally {
        // In memory, an attempt counts only while the database is being asked.
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
