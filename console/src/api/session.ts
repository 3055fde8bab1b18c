import type { Me } from '@mokuroku/contract/auth'
import { messages } from '#i18n/messages.ts'
import { createStore } from '#lib/createStore.ts'
import { toast } from '#ui/toast.ts'
import { sessionEntry, localEntry } from './browserStorage.ts'
import { withoutBasePath } from './host.ts'

/** `loading` at startup, then signed in or out. `unreachable`: the server did not answer; the token is kept. */
export type Session = { state: 'loading' } | { state: 'unreachable' } | { state: 'out' } | { state: 'in'; user: Me }

export const session = createStore<Session>({ state: 'loading' })
export const token = localEntry('authToken')

const place = sessionEntry('returnTo')
/** Nobody who has signed in wants to go back there. */
const PUBLIC_PATHS = new Set(['/login', '/forgot-password', '/reset-password', '/invitation'])

/** The signed-in user. Only screens behind the sign-in ask for it. */
export function useMe(): Me {
  const now = session.use()
  if (now.state !== 'in') throw new Error('Nobody is signed in')
  return now.user
}

/** What the signed-in user chose is shown at once. */
export function keepPreferences(preferences: Me['preferences']) {
  const now = session.get()
  if (now.state === 'in') session.set({ state: 'in', user: { ...now.user, preferences } })
}

/** The server no longer takes the token that a call was sent with. Several calls may find out; the first one acts. */
export function handleExpiredToken(used: string | undefined) {
  const signedInAgain = token.get() !== undefined && token.get() !== used
  if (session.get().state === 'out' || signedInAgain) return
  endLocalSession()
  toast.error(messages().errors[401])
}

/** Signs out on this side, and remembers where the visitor was, so that the next sign-in leads back there. */
export function endLocalSession({ remember = true } = {}) {
  token.remove()
  const pathname = withoutBasePath(location.pathname)
  if (remember && !PUBLIC_PATHS.has(pathname)) place.set(pathname + location.search)
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
