import { transaction } from '#database/db.ts'
import { countersOf, setCounter } from '#ledger/counters.ts'
import { DAY_MS, time } from '#lib/clock.ts'

/** After a longer pause between two checks, in milliseconds, the clock is not trusted. */
const MAX_CLOCK_LEAP_MS = 7 * DAY_MS

/**
 * Whether the clock can be trusted: one that is weeks ahead without anybody noticing must not delete anything for its
 * age. After a leap, it is not trusted for a day, restarts included. So after a server was off for that long, it deletes
 * a day later.
 */
export function isTimeTrusted(): Promise<boolean> {
  return transaction(async (tx) => {
    // The names are from when only the trash was checked.
    const { purgeLooked = 0, purgeHeld = 0 } = await countersOf(tx, ['purgeLooked', 'purgeHeld'])
    const now = time()
    const leapt = purgeLooked > 0 && now - purgeLooked > MAX_CLOCK_LEAP_MS
    // If the clock has been corrected meanwhile, there is no need to wait.
    const held = leapt ? now + DAY_MS : now < purgeHeld - DAY_MS ? 0 : purgeHeld
    await setCounter(tx, 'purgeLooked', now)
    await setCounter(tx, 'purgeHeld', held)
    return now >= held
  })
}
