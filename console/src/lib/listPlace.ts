declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The query of the list that a screen was opened from: '?page=2&type=ANIME'. */
    list?: string
    /** How far that list was scrolled, in pixels. */
    top?: number
  }
}

interface Place {
  list?: string
  top?: number
}

interface From {
  pathname: string
  search: string
  state: Place
}

/**
 * What the next entry of the history keeps of a list: everything below '/media' keeps the query and the scroll position
 * of the list that it was opened from, and that list gets its scroll position back.
 */
export function keptPlace({ pathname, search, state: { list, top } }: From, to: string, scrolled: number): Place {
  const path = to.replace(/[?#].*/, '')
  const area = areaOf(path)
  if (area === '/' || areaOf(pathname) !== area) return {}
  if (path === area) return list !== undefined && top !== undefined && to === area + list ? { top } : {}
  if (pathname === area) return { list: search, top: scrolled }
  return { ...(list !== undefined && { list }), ...(top !== undefined && { top }) }
}

/** The address of the thing whose screen was left for its list: '/media/0198…'; undefined for any other way. */
export function openedFrom(list: string, left: string): string | undefined {
  const [, area, id] = left.split('/')
  return id && list === `/${area}` ? `${list}/${id}` : undefined
}

const areaOf = (path: string) => `/${path.split('/')[1] ?? ''}`
