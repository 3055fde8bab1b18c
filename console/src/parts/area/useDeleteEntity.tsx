import type { Route } from '@mokuroku/contract/route'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { deselectKept } from '#parts/selection/useSelection.ts'
import { useDelete } from '#parts/useDelete.tsx'
import { lazyPart } from '#ui/lazyPart.tsx'
import { SkeletonLines } from '#ui/Skeleton.tsx'
import type { Area, Prepared, Stored } from './area.ts'
import { findUses, remove, restore } from './calls.ts'
import { useArea } from './useArea.ts'

const UsedIn = lazyPart(() => import('#parts/UsedIn.tsx'), 'UsedIn')

/**
 * Deletes an entity: `ask` opens the confirmation dialog, which says where the entity is used; render `question` as the
 * dialog. A toast offers to undo. `onDone` can navigate away from the entity's screen.
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
      const done = await remove(area, row)
      deselectKept(row._id)
      return done
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
  const found = useQuery(findUses(uses, id))
  return (
    <Suspense fallback={<SkeletonLines lines={2} height={18} />}>
      <UsedIn uses={found} />
    </Suspense>
  )
}
