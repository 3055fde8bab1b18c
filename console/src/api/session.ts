import type { Me } from '@mokuroku/contract/auth'
import { messages } from '#i18n/messages.ts'
import { shared } from '#lib/shared.ts'
import { toast } from '#ui/toast.ts'
import { kept, stored } from './stored.ts'

/** Specification 4: loading at startup, then signed in or out. `unreachable`: verifying got no answer, the token stays. */
export type Session = { state: 'loading' } | { state: 'unreachable' } | { state: 'out' } | { state: 'in'; user: Me }

export const session = shared<Session>({ state: 'loading' })
export const token = stored('authToken')

const place = kept('returnTo')
/** Nobody who has signed in wants to go back there. */
const ENTRANCES = new Set(['/login', '/forgot-password', '/reset-password'])

/** The signed-in user. Only screens behind the sign-in ask for it. */
export function useMe(): Me {
  const now = session.use()
  if (now.state !== 'in') throw new Error('Nobody is signed in')
  return now.user
}

/** The server no longer takes the token that a call was sent with. Several calls may find out; the first one acts. */
export function expire(used: string | undefined) {
  const signedInAgain = token.get() !== undefined && token.get() !== used
  if (session.get().state === 'out' || signedInAgain) return
  leave()
  toast.error(messages().errors[401])
}

/** Signs out on this side, and remembers where the visitor was, so that the next sign-in leads back there. */
export function leave({ remember = true } = {}) {
  token.remove()
  const { pathname, search } = location
  if (remember && !ENTRANCES.has(pathname)) place.set(pathname + search)
  else if (!remember) place.remove()
  session.set({ state: 'out' })
}

/** Where to go after signing in: back to where the session ended, else the dashboard; never to another origin. */
export function returnTo(): string {
  const path = place.get() ?? ''
  place.remove()
  // Browsers read `//host` and `/\host` as another host.
  return /^\/(?![/\\])/.test(path) ? path : '/'
}
