import { reasonText } from '@mokuroku/contract/reasons'
import { Refusal } from '#lib/errors.ts'
import { CLOCK_TOLERANCE_MS, time } from '#lib/clock.ts'
import type { Actor } from './permissions.ts'

/** How long an entered password counts, for the session in which it was entered. */
const PASSWORD_VALID_MS = 10 * 60 * 1000

/** `recent`: the password was entered recently, at sign-in or later. `again`: recently, and after sign-in. */
export type Reauthentication = 'recent' | 'again'

/**
 * Throws 403 with the code `reauthenticate` unless the user entered the password recently in this session. Guards
 * actions for which a stolen token alone must not suffice. Without a session (commands, links in an email) it passes.
 */
export function requireReauthentication({ session, passwordGiven }: Actor, needed: Reauthentication = 'recent'): void {
  if (session === undefined) return
  const { signIn, again } = passwordGiven ?? {}
  if (isRecent(again) || (needed === 'recent' && isRecent(signIn))) return
  throw new Refusal(403, 'reauthenticate', reasonText('passwordAgain'))
}

/** A moment well in the future does not count: the clock was wrong then, or is now. */
function isRecent(moment: string | undefined): boolean {
  const age = time() - Date.parse(moment ?? '')
  return age >= -CLOCK_TOLERANCE_MS && age < PASSWORD_VALID_MS
}
