import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { tooMany } from '#lib/errors.ts'

/** Lets `points` through in `minutes`, for each key. A network address may stand for a whole office. */
export const limiter = (points: number, minutes: number): RateLimiterMemory =>
  new RateLimiterMemory({ points, duration: minutes * 60 })

/** Takes a point, or refuses with 429. */
export async function take(from: RateLimiterMemory, key: string): Promise<void> {
  try {
    await from.consume(key)
  } catch (error) {
    if (error instanceof RateLimiterRes) tooMany(error.msBeforeNext / 1000)
    throw error
  }
}
