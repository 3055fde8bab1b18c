import { useLocation } from '@tanstack/react-router'
import { parseSearch } from '#lib/urlState.ts'

export interface Back {
  to: string
  search: Record<string, string>
  label: string
}

/** Link back to the list, with the filters and page from which this screen was opened. */
export function useBackTo(to: string, label: string): Back {
  const list = useLocation({ select: ({ state }) => state.list ?? '' })
  return { to, search: parseSearch(list), label }
}
