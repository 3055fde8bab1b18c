import { useLocation } from '@tanstack/react-router'
import { parseSearch } from '#lib/urlState.ts'

export interface Back {
  to: string
  search: Record<string, string>
  label: string
}

/** Back to the list, with the filters and the page it had when this was opened from it. */
export function useBackTo(to: string, label: string): Back {
  const list = useLocation({ select: ({ state }) => state.list ?? '' })
  return { to, search: parseSearch(list), label }
}
