import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js'
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js'
import { tooMany } from '#lib/errors.ts'

/** Lets `points` through in `minutes`, for each key. A network address may stand for a whole office. */
export const limiter = (points: number, minutes: number): RateLimiterMemory =>
  new RateLimiterMemory({ points, duration: minutes * 60 })

/** Takes a point, or refuses with 429. */
export async function consume(from: RateLimiterMemory, key: string): Promise<void> {
  try {
    await from.consume(key)
  } catch (error) {
    // A clock that went back makes no one wait longer: that is measured by another.
    if (error instanceof RateLimiterRes) tooMany(Math.min(error.msBeforeNext / 1000, from.duration))
    throw error
  }
}
