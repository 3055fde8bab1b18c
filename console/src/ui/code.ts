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
  // oxlint-disable-next-line no-restricted-globals -- Not a call of the API: only whether the page can be loaded.
  const { ok } = await fetch(location.href, { method: 'HEAD' }).catch(() => ({ ok: false }))
  if (!ok) throw new NotFetched(cause)
  location.reload()
  return new Promise(() => undefined)
}
