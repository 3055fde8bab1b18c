import { authApi, type Login } from '@mokuroku/contract/auth'
import { ApiError } from '@mokuroku/contract/call'
import { isExpired } from '#lib/token.ts'
import { call, refreshMe } from './call.ts'
import { deliver, undelivered } from './delivery.ts'
import { queryClient } from './queryClient.ts'
import { beginSession, endLocalSession, session, token } from './session.ts'
import { loadSite } from './site.ts'

/** At startup: removes an expired token, and verifies any other with the server. When `quiet`, the screen stays meanwhile. */
export async function restoreSession({ quiet = false } = {}) {
  const named = loadSite()
  const stored = token.load()
  if (!stored) return session.set({ state: 'out' })
  if (isExpired(stored)) return endLocalSession()
  // Must run before any data is fetched during verification, because that data is kept.
  queryClient.clear()
  if (!quiet) session.set({ state: 'loading' })
  try {
    const [{ user }] = await Promise.all([call(authApi.verify), named])
    beginSession(user)
  } catch (error) {
    // A 401 has already ended the session. Without a response, or after a server error, the token may still be valid.
    if (session.get().state === 'out') return
    const unsure = error instanceof ApiError && (error.status === 0 || error.status >= 500 || error.status === 429)
    if (unsure) session.set({ state: 'unverified', error })
    else endLocalSession()
  }
}

/** Throws ApiError if the server refuses; the form shows the reason. */
export async function signIn(body: Login) {
  const answer = await call(authApi.login, { body })
  queryClient.clear()
  token.set(answer.token)
  beginSession(answer.user)
}

/** Follows sign-ins and sign-outs in other tabs. */
export function followOtherTabs() {
  addEventListener('storage', ({ key }) => {
    if (key !== token.key) return
    // In a busy tab the event is late: the token may have changed again since.
    followToken()
  })
}

function followToken() {
  if (token.stored()) void restoreSession()
  else if (session.get().state === 'in') endLocalSession()
}

/**
 * Checks the session when the page is shown again: others may have changed the user's permissions meanwhile, and a page
 * in the back/forward cache misses what other tabs do.
 */
export function followSession() {
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) return
    if (token.stored() !== token.get()) followToken()
    else if (session.get().state === 'in') void refreshMe()
  })
}

/** Ends the session locally at once, and on the server as soon as it can be reached. */
export function signOut() {
  deliver(authApi.logout, {})
  endLocalSession({ remember: false })
  queryClient.clear()
}

/** Whether a session that was ended here may still be active on the server, because it could not be reached. */
export const useUnconfirmedSignOut = () => undelivered.use().includes(authApi.logout.path)
