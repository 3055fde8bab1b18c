import { Link, useNavigate } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

/** URL parameters of the history; undefined ones are removed. */
interface Place {
  page?: number | undefined
  from?: string | undefined
  to?: string | undefined
}

// Keeps the other URL parameters and the history state, which remembers the list.
const stay = {
  to: '.',
  resetScroll: false,
  state: <State,>(before: State) => before,
}
type Search = Record<string, unknown>
const at =
  (place: Place | ((now: Search) => Place)) =>
  (now: Search): Search => ({ ...now, ...(typeof place === 'function' ? place(now) : place) })

export function useHistoryNavigate() {
  const navigate = useNavigate()
  return (place: Parameters<typeof at>[0]) =>
    void navigate({ ...stay, search: at(place) } as Parameters<typeof navigate>[0])
}

/** Link to another place in the same history. */
export function PlaceLink({ place, ...props }: { place: Place } & Omit<ComponentProps<'a'>, 'href' | 'ref'>) {
  return <Link {...stay} search={at(place)} activeOptions={{ explicitUndefined: true }} {...props} />
}
