/** Delays before a style sheet that failed is requested again, in milliseconds: doubled from the first to the max. */
const RETRY_MS = { first: 1000, max: 60_000 }

/**
 * Requests style sheets that fail to load again until they arrive: Vite requests each only once, so a screen or part
 * whose code is loaded on Retry would stay without its styles.
 */
export function retryStyleSheets(): void {
  const onError = ({ target }: Event) => {
    if (!(target instanceof HTMLLinkElement) || target.rel !== 'stylesheet') return
    const delay = Number(target.dataset.delay ?? RETRY_MS.first)
    const next = target.cloneNode() as HTMLLinkElement
    next.dataset.delay = String(Math.min(2 * delay, RETRY_MS.max))
    setTimeout(() => target.replaceWith(next), delay)
  }
  // `error` events of elements do not bubble.
  document.addEventListener('error', onError, { capture: true })
}
