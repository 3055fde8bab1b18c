declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The query of the list that a screen was opened from: '?page=2&type=ANIME'. */
    list?: string
    /** How far that list was scrolled, in pixels. */
    top?: number
    /** Of the sign-in: the path of the screen where the session ended, which `list` and `top` are kept for. */
    left?: string
  }
}

interface Place {
  list?: string
  top?: number
  left?: string
}

interface From {
  pathname: string
  search: string
  state: Place
}

/**
 * What the next entry of the history keeps of a list: everything below '/media' keeps the query and the scroll position
 * of the list that it was opened from, and that list gets its scroll position back. A sign-in on the way, because the
 * session ended, changes nothing.
 */
export function keptPlace({ pathname, search, state: { list, top, left } }: From, to: string, scrolled: number): Place {
  const path = to.replace(/[?#].*/, '')
  const area = areaOf(path)
  const kept = { ...(list !== undefined && { list }), ...(top !== undefined && { top }) }
  if (path === SIGN_IN) return { ...kept, left: left ?? pathname }
  if (pathname === SIGN_IN) return path === left ? kept : {}
  if (area === '/' || areaOf(pathname) !== area) return {}
  if (path === area) return list !== undefined && top !== undefined && to === area + list ? { top } : {}
  if (pathname === area) return { list: search, top: scrolled }
  return kept
}

/** The address of the thing whose screen was left for its list: '/media/0198…'; undefined for any other way. */
export function openedFrom(list: string, left: string): string | undefined {
  const [, area, id] = left.split('/')
  return id && list === `/${area}` ? `${list}/${id}` : undefined
}

const SIGN_IN = '/login'

const areaOf = (path: string) => `/${path.split('/')[1] ?? ''}`
