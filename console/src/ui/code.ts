/** The code of a screen or a part of it could not be loaded. */
export class NotFetched extends Error {
  constructor(cause: unknown) {
    super('The code of a screen or a part could not be fetched', { cause })
  }
}

/**
 * Reloads the page if the server answers, and otherwise throws. Within one page, Firefox and Safari do not request a
 * module again that has failed, and after an upgrade of the server, it no longer exists.
 */
export async function reloadPage(cause: unknown): Promise<never> {
  if (!(await isReachable())) throw new NotFetched(cause)
  location.reload()
  return new Promise(() => undefined)
}

/** How long the server may take to answer, in milliseconds. */
const TIMEOUT_MS = 10_000

/** Whether the server answers, so that the page can be loaded. */
export async function isReachable(): Promise<boolean> {
  const options = { method: 'HEAD', signal: AbortSignal.timeout(TIMEOUT_MS) }
  // oxlint-disable-next-line no-restricted-globals -- Not a call of the API.
  const { ok } = await fetch(location.href, options).catch(() => ({ ok: false }))
  return ok
}
