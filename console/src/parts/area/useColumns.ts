import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMe } from '#api/session.ts'
import type { Kind } from '#lib/areas.ts'
import { useSavePreferences } from '#parts/useSavePreferences.ts'

/** URL parameter of a list with its columns: 'title,rating'. */
export const COLUMNS_PARAM = 'columns'

/** The columns in the URL of a list; empty if it has none. */
const columnsIn = ({ [COLUMNS_PARAM]: named }: Readonly<Record<string, unknown>>): string[] =>
  typeof named === 'string' ? named.split(',').filter(Boolean) : []

/**
 * The keys of the columns that a kind's list shows, in order; empty for the default columns. Columns in the URL, as in
 * an opened saved view, override those that the user chose for all lists of the kind. `choose` changes whichever of the
 * two applies; an empty choice restores the defaults.
 */
export function useColumns(kind: Kind) {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const { preferences } = useMe()
  const navigate = useNavigate()
  const save = useSavePreferences()
  const inUrl = columnsIn(search)
  return {
    columns: inUrl.length > 0 ? inUrl : (preferences.columns[kind] ?? []),
    /** Whether the columns are those in the URL. */
    isInUrl: inUrl.length > 0,
    choose: (columns: string[]) => {
      if (inUrl.length === 0) return save({ columns: { [kind]: columns } })
      const { [COLUMNS_PARAM]: _, ...others } = search
      const named = columns.length > 0 && { [COLUMNS_PARAM]: columns.join(',') }
      return void navigate({ to: '.', search: { ...others, ...named }, resetScroll: false, replace: true })
    },
  }
}
