import type { HistoryState } from '@tanstack/react-router'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The query string of the list from which the screen was opened: '?page=2&type=ANIME'. */
    list?: string
    /** The scroll position of that list, in pixels. */
    top?: number
    /** On the sign-in screen: the path where the session ended, to which `list` and `top` belong. */
    returnPath?: string
  }
}

type Place = Pick<HistoryState, 'list' | 'top' | 'returnPath'>

interface From {
  pathname: string
  search: string
  state: Place
}

/**
 * The history state for the next entry: every screen below '/media' remembers the query and the scroll position of the
 * list from which it was opened, and that list gets its scroll position back. A sign-in in between, because the session
 * ended, preserves it.
 */
export function nextHistoryState({ pathname, search, state }: From, to: string, scrolled: number): Place {
  const { list, top, returnPath } = state
  const path = to.replace(/[?#].*/, '')
  const area = areaOf(path)
  const place = { ...(list !== undefined && { list }), ...(top !== undefined && { top }) }
  if (path === SIGN_IN) return { ...place, returnPath: returnPath ?? pathname }
  if (pathname === SIGN_IN) return path === returnPath ? place : {}
  if (area === '/' || areaOf(pathname) !== area) return {}
  if (path === area) return list !== undefined && top !== undefined && to === area + list ? { top } : {}
  if (pathname === area) return { list: search, top: scrolled }
  return place
}

/** The path of the entity whose screen was left for its list: '/media/0198…'; undefined for any other navigation. */
export function openedFrom(list: string, from: string): string | undefined {
  const [, area, id] = from.split('/')
  return id && list === `/${area}` ? `${list}/${id}` : undefined
}

const SIGN_IN = '/login'

const areaOf = (path: string) => `/${path.split('/')[1] ?? ''}`
