import { setImmediate as breath } from 'node:timers/promises'
import { TRASH_KINDS } from '@mokuroku/contract/kinds'
import { countersOf, setCounter } from '#ledger/counters.ts'
import { transaction } from '#database/db.ts'
import { notFound } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import type { By } from '#ledger/definition.ts'
import { purge } from '#ledger/purge.ts'
import { type Actor, must, SYSTEM } from '#access/permissions.ts'
import { assets } from '#store/assets'
import { audit } from '#store/audit'
import { time } from '#lib/clock.ts'
import { trash } from '#store/trash'

const DAY_MS = 24 * 60 * 60 * 1000
/** After so long without a look, in milliseconds, it is not known whether the time is right. */
const MAX_CLOCK_LEAP_MS = 7 * DAY_MS
/** So many are looked up at a time. */
const BATCH_SIZE = 100

interface Options {
  signal?: AbortSignal
  /** Told of what could not be deleted: the rest goes on. */
  failed: (error: unknown) => void
}

/** Deletes one thing in the trash for good, for somebody who may. */
export async function purgeOne(kind: string, id: string, actor: Actor): Promise<void> {
  const known = TRASH_KINDS.find((each) => each === kind) ?? notFound('Resource')
  must(actor, 'purge', known)
  if (!(await purge(known, id, { actor }))) notFound(known)
  // A storage out of reach leaves the files to the next purge.
  await assets.removeFiles().catch(() => undefined)
}

/** Deletes for good what has been in the trash for 30 days. Answers how much that was. */
export async function purgeExpired({ signal, failed }: Options): Promise<number> {
  const by: By = { actor: SYSTEM, origin: 'system', batch: newId(), quiet: true }
  let count = 0
  for (const kind of TRASH_KINDS) {
    const stuck = new Set<string>()
    for (;;) {
      const ids = (await trash.expired(kind, BATCH_SIZE + stuck.size)).filter((id) => !stuck.has(id))
      if (ids.length === 0) break
      for (const id of ids) {
        if (signal?.aborted) return count
        try {
          if (await purge(kind, id, by, signal)) count += 1
        } catch (error) {
          stuck.add(id)
          failed(error)
        }
        // Calls that came meanwhile are answered first.
        await breath()
      }
    }
  }
  await assets.removeFiles().catch(failed)
  if (count > 0) await audit.recordNow({ action: 'trash.emptied', actor: SYSTEM, details: { count } }).catch(failed)
  return count
}

/** Deletes for good what is due, unless it is not known whether the time is right. */
export async function purgeDue(options: Options): Promise<void> {
  if (await isTimeTrusted()) await purgeExpired(options)
}

/**
 * A clock that is weeks ahead, of which nobody knows yet, must not empty the trash. After a leap it is waited a day,
 * restarts included; a server that was off for so long empties it a day later.
 */
function isTimeTrusted(): Promise<boolean> {
  return transaction(async (tx) => {
    const { purgeLooked = 0, purgeHeld = 0 } = await countersOf(tx, ['purgeLooked', 'purgeHeld'])
    const now = time()
    const leapt = purgeLooked > 0 && now - purgeLooked > MAX_CLOCK_LEAP_MS
    // Put right meanwhile, there is nothing to wait for.
    const held = leapt ? now + DAY_MS : now < purgeHeld - DAY_MS ? 0 : purgeHeld
    await setCounter(tx, 'purgeLooked', now)
    await setCounter(tx, 'purgeHeld', held)
    return now >= held
  })
}
