import { Neighbours, type PagedList, rowsFrom } from '#parts/Neighbours.tsx'
import type * as z from 'zod/mini'
import type { Area, Rows, Stored } from './area.ts'
import { listRows } from './calls.ts'

interface Props {
  area: Area
  id: string
  /** The path of the same screen for another entity. */
  to: (id: string) => string
}

/** Links to the previous and next entity in its list. */
export function AreaNeighbours({ area, id, to }: Props) {
  const { list } = area
  if ('Screen' in list) return undefined
  const paged: PagedList<z.ZodMiniObject> = {
    query: list.query,
    pageOf: (state: Record<string, unknown>) => {
      const { select = asItIs, ...options } = listRows(area, list, state)
      const rows = rowsFrom(options, (answer: Rows<Stored>) => select(answer).rows)
      return { options: rows, limit: Number(state.limit ?? list.limit) }
    },
  }
  return <Neighbours id={id} list={paged} to={to} />
}

const asItIs = (rows: Rows<Stored>) => rows
