/** The path of the editor that was last opened by key, with the base path, until it has taken the focus. */
let opened: string | undefined

/** Follows a link to an editor by key. */
export function openByKey(link: HTMLAnchorElement): void {
  opened = link.pathname
  link.click()
}

/** Whether the current screen was opened by key; only once. */
export function takeOpenedByKey(): boolean {
  const was = opened === location.pathname
  if (was) opened = undefined
  return was
}

/** After a navigation to `path`: an editor that was not reached, because opening it was cancelled or failed, is forgotten. */
export function forgetOpenedByKey(path: string): void {
  if (!opened?.endsWith(path)) opened = undefined
}
