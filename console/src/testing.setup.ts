import { configure, getConfig, prettyDOM } from '@testing-library/react'

// The same for every file, since files share the library, in any order.
configure({
  // A screen's chunk is compiled on its first request, which on a busy machine takes longer than the default second.
  asyncUtilTimeout: 30_000,
  // Visibility is for e2e to test: computing it here would take most of the time.
  defaultHidden: true,
  getElementError: elementError,
})

// A request that outlives its test reaches no server, such as that of a developer on the same port.
Object.assign(globalThis, { fetch: () => Promise.reject(new TypeError('Failed to fetch')) })

// Nor do style sheets apply: each computed style would match all of their rules against all ancestors of an element.
Object.defineProperty(HTMLStyleElement.prototype, 'sheet', { value: null })

/**
 * Like the library's own, which however prints the whole document after each failed attempt of a wait; here, only the
 * error at its end has the document. Without a message, it prints one of several elements found.
 */
function elementError(message: string | null, container: Element): Error {
  const { _disableExpensiveErrorDiagnostics: isAttempt } = getConfig() as {
    _disableExpensiveErrorDiagnostics?: boolean
  }
  const error = new Error(message !== null && isAttempt ? message : `${message ?? ''}\n\n${prettyDOM(container)}`)
  error.name = 'TestingLibraryElementError'
  // The test's line is shown, not this file's.
  Error.captureStackTrace(error, elementError)
  return error
}
