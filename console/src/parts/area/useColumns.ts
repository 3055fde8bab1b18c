import { authApi } from '@mokuroku/contract/auth'
import { useMutation } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { call } from '#api/call.ts'
import { keepPreferences, useMe } from '#api/session.ts'
import type { Kind } from '#lib/areas.ts'

/** The parameter of a list's address that names its columns: 'title,rating'. */
export const COLUMNS_PARAM = 'columns'

/** The columns that the address of a list asks for; none where it says nothing. */
const columnsIn = ({ [COLUMNS_PARAM]: named }: Readonly<Record<string, unknown>>): string[] =>
  typeof named === 'string' ? named.split(',').filter(Boolean) : []

/**
 * The keys of the columns that the list of a kind shows, in their order; none for the usual ones. What the address asks
 * for, as it does where a saved view was opened, comes before what the user chose for all lists of the kind. `choose`
 * changes whichever of the two it is; an empty choice brings the usual columns back.
 */
export function useColumns(kind: Kind) {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const { preferences } = useMe()
  const navigate = useNavigate()
  const save = useMutation({
    mutationFn: (columns: string[]) => call(authApi.updatePreferences, { body: { columns: { [kind]: columns } } }),
    onSuccess: (kept) => keepPreferences(kept),
  })
  const asked = columnsIn(search)
  return {
    columns: asked.length > 0 ? asked : (preferences.columns[kind] ?? []),
    /** The address says which. */
    isOfAddress: asked.length > 0,
    choose: (columns: string[]) => {
      if (asked.length === 0) return save.mutate(columns)
      const { [COLUMNS_PARAM]: _, ...others } = search
      const named = columns.length > 0 && { [COLUMNS_PARAM]: columns.join(',') }
      return void navigate({ to: '.', search: { ...others, ...named }, resetScroll: false, replace: true })
    },
  }
}
