import type { Me } from '@mokuroku/contract/auth'
import type { ApiError } from '@mokuroku/contract/call'
import { messages } from '#i18n/messages.ts'
import { createStore } from '#lib/createStore.ts'
import { toast, toasts } from '#ui/toast.ts'
import { clearSessionEntries, heldEntry, sessionEntry } from './browserStorage.ts'
import { withoutBasePath } from './host.ts'

/**
 * `loading` at startup, then signed in or out. `unverified`: the server could not tell; the token is kept. `isForgotten`: the
 * user has signed out, and what was entered is not kept.
 */
export type Session =
  | { state: 'loading' }
  | { state: 'unverified'; error: ApiError }
  | { state: 'out'; isForgotten?: boolean }
  | { state: 'in'; user: Me }

export const session = createStore<Session>({ state: 'loading' })
/**
 * The token of the session that this tab shows. A busy tab learns late of a sign-in in another: until then, what it sends
 * was entered by its own user.
 */
export const token = heldEntry('authToken')

const place = sessionEntry('returnTo')
/** Paths to which a user does not return after signing in. */
const PUBLIC_PATHS = new Set(['/login', '/forgot-password', '/reset-password', '/invitation'])

/** The signed-in user. Throws if nobody is signed in: only for screens that require it. */
export function useMe(): Me {
  const now = session.use()
  if (now.state !== 'in') throw new Error('Nobody is signed in')
  return now.user
}

/** Begins a session. Messages of an earlier one, perhaps of another user, are over. */
export function beginSession(user: Me) {
  toasts.set([])
  session.set({ state: 'in', user })
}

/** Updates what the console knows of the signed-in user; does nothing if nobody is signed in any more. */
export function updateMe(change: Partial<Me>) {
  const now = session.get()
  if (now.state === 'in') session.set({ state: 'in', user: { ...now.user, ...change } })
}

/**
 * Ends the local session because the server rejected a call's token. Concurrent calls may fail; only the first acts.
 */
export function handleExpiredToken(used: string | undefined) {
  const stored = token.stored()
  if (session.get().state === 'out' || (stored && stored !== used)) return
  endLocalSession()
  toast.error(messages().errors[401])
}

/** Signs out locally, and remembers the current path, so that the next sign-in returns to it. */
export function endLocalSession({ remember = true } = {}) {
  token.remove()
  const pathname = withoutBasePath(location.pathname)
  if (!remember) clearSessionEntries()
  else if (!PUBLIC_PATHS.has(pathname)) place.set(pathname + location.search)
  session.set({ state: 'out', isForgotten: !remember })
}

/** Where to go after signing in: the path where the session ended, or else the dashboard; never another origin. */
export function returnTo(): string {
  const path = place.get() ?? ''
  place.remove()
  // Browsers interpret `//host` and `/\host` as another host.
  return /^\/(?![/\\])/.test(path) ? path : '/'
}
