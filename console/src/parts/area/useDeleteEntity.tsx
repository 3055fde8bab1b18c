import type { Route } from '@mokuroku/contract/route'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { UsedIn } from '#parts/UsedIn.tsx'
import { useDelete } from '#parts/useDelete.tsx'
import type { Area, Prepared, Stored } from './area.ts'
import { findUses, remove, restore } from './calls.ts'
import { useArea } from './useArea.ts'

/**
 * Deleting a thing: `ask` opens the question, which says where it is used; `question` is where it stands. A toast offers
 * to undo it. `onDone` leaves a screen of its own.
 */
export function useDeleteEntity(area: Area, onDone?: () => unknown) {
  const { api, Deleting } = area
  const { texts, nameOf } = useArea(area)
  const [prepared, setPrepared] = useState<Prepared>()
  const { ask, question } = useDelete<Stored>({
    texts: { ...texts, deleted: prepared?.deleted ?? texts.deleted },
    nameOf,
    remove: async (row) => {
      await prepared?.before()
      await remove(area, row)
    },
    restore: (id) => restore(area, id),
    onDone,
    more: (row) =>
      Deleting ? <Deleting row={row} onPrepare={setPrepared} /> : api.uses && <AllUses uses={api.uses} id={row._id} />,
  })
  return {
    ask: (row: Stored) => {
      setPrepared(undefined)
      ask(row)
    },
    question,
  }
}

function AllUses({ uses, id }: { uses: Route; id: string }) {
  return <UsedIn uses={useQuery(findUses(uses, id))} />
}
