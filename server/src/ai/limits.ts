import { takeSlot } from '#database/slots.ts'
import { Refusal, tooMany } from '#lib/errors.ts'
import type { Actor } from '#access/permissions.ts'
import { runs } from '#store/ai'
import { secondsToMidnight } from '#lib/clock.ts'
import { type AiSettings, aiSettings } from '#store/settings'

/** Retry-After for a user who has too many answers in progress, in seconds. */
const RETRY_AFTER_SECONDS = 10

/** A user's slot for one answer in progress. */
export interface Slot {
  settings: AiSettings
  leave: () => void
}

/**
 * Takes a slot for an answer. Throws if the user has too many answers in progress, or has spent the daily tokens. The
 * caller must call `leave` when the answer is over.
 */
export async function acquireSlot(actor: Actor): Promise<Slot> {
  const settings = await aiSettings()
  const leave = (await takeSlot(`ai ${actor._id}`, settings.streamsPerUser)) ?? tooMany(RETRY_AFTER_SECONDS)
  try {
    await checkBudget(actor, settings)
  } catch (error) {
    leave()
    throw error
  }
  return { settings, leave }
}

/**
 * Throws if the user has spent the daily tokens; `unstored` are those that no run contains yet, and `needed` those of a
 * prompt that is about to be sent.
 */
export async function checkBudget(
  actor: Actor,
  { dailyTokensPerUser, baseUrl, model }: AiSettings,
  { unstored = 0, needed = 0 } = {},
): Promise<void> {
  // Reference data costs nothing.
  if (dailyTokensPerUser === 0 || !baseUrl || !model) return
  const left = dailyTokensPerUser - (await runs.tokensToday(actor._id)) - unstored
  if (left > needed) return
  const [code, message] =
    left > 0
      ? [
          'ai.remainder',
          'This needs more AI tokens than you have left today. Send less text, or wait until midnight UTC.',
        ]
      : ['ai.budget', 'You have reached your daily AI token limit. It resets at midnight UTC.']
  throw new Refusal(429, code, message, undefined, { retryAfter: secondsToMidnight() })
}
