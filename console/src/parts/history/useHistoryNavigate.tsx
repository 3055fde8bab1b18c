import { Link, useNavigate } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

/** Where in the history one is; what is undefined leaves the address. */
interface Place {
  page?: number | undefined
  from?: string | undefined
  to?: string | undefined
}

// Everything else stays in the address, and the list that this was opened from is remembered.
const stay = {
  to: '.',
  resetScroll: false,
  state: <State,>(before: State) => before,
}
const at =
  (place: Place) =>
  (search: Record<string, unknown>): Record<string, unknown> => ({ ...search, ...place })

export function useHistoryNavigate() {
  const navigate = useNavigate()
  return (place: Place) => void navigate({ ...stay, search: at(place) } as Parameters<typeof navigate>[0])
}

/** A link to another place of the same history. */
export function PlaceLink({ place, ...props }: { place: Place } & Omit<ComponentProps<'a'>, 'href' | 'ref'>) {
  return <Link {...stay} search={at(place)} activeOptions={{ explicitUndefined: true }} {...props} />
}
