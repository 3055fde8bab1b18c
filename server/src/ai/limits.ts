import { takeSlot } from '#database/slots.ts'
import { Refusal, tooMany } from '#lib/errors.ts'
import { type Actor, enforce, mayAssist } from '#access/permissions.ts'
import { runs } from '#store/ai'
import { secondsToMidnight } from '#lib/clock.ts'
import { type AiSettings, aiSettings } from '#store/settings'

/** When a user who has as many answers coming as they may should try again, in seconds. */
const RETRY_AFTER_SECONDS = 10

/** A user's turn to ask. */
export interface Slot {
  settings: AiSettings
  leave: () => void
}

/**
 * Lets somebody ask: who may, and has neither too many answers coming nor spent what they may in a day. `leave` is to be
 * called once the answer is over.
 */
export async function acquireSlot(actor: Actor): Promise<Slot> {
  enforce(mayAssist(actor))
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

async function checkBudget(actor: Actor, { dailyTokensPerUser, baseUrl, model }: AiSettings): Promise<void> {
  // Reference data costs nothing.
  if (dailyTokensPerUser === 0 || !baseUrl || !model) return
  if ((await runs.tokensToday(actor._id)) < dailyTokensPerUser) return
  const retryAfter = secondsToMidnight()
  throw new Refusal(
    429,
    'ai.budget',
    'You have reached your daily AI token limit. It resets at midnight UTC.',
    undefined,
    {
      retryAfter,
    },
  )
}
