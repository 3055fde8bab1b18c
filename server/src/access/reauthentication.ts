import { reasonText } from '@mokuroku/contract/reasons'
import { Refusal } from '#lib/errors.ts'
import { CLOCK_TOLERANCE_MS, time } from '#lib/clock.ts'
import type { Actor } from './permissions.ts'

/** How long an entered password counts, in the session that it was entered in. */
const PASSWORD_VALID_MS = 10 * 60 * 1000

/** `recent`: the password was entered lately, at the sign-in or since. `again`: lately, and since the sign-in. */
export type Reauthentication = 'recent' | 'again'

/**
 * Throws 403 with the code `reauthenticate` unless the caller entered the password lately in this session: what a stolen
 * token alone must not be enough for. Nobody is asked where there is no session: commands, and links from an e-mail.
 */
export function mustReauthenticate({ session, passwordGiven }: Actor, needed: Reauthentication = 'recent'): void {
  if (session === undefined) return
  const { signIn, again } = passwordGiven ?? {}
  if (isLately(again) || (needed === 'recent' && isLately(signIn))) return
  throw new Refusal(403, 'reauthenticate', reasonText('passwordAgain'))
}

/** A moment that is quite in the future is none: the clock was wrong then, or is now. */
function isLately(moment: string | undefined): boolean {
  const age = time() - Date.parse(moment ?? '')
  return age >= -CLOCK_TOLERANCE_MS && age < PASSWORD_VALID_MS
}
