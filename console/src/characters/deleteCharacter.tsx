import { type Character, charactersApi } from '@mokuroku/contract/characters'
import { dashboardApi } from '@mokuroku/contract/dashboard'
import { mediaApi } from '@mokuroku/contract/media'
import { searchApi } from '@mokuroku/contract/search'
import { tagsApi } from '@mokuroku/contract/tags'
import { useQuery } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { q } from '#api/query.ts'
import { useMessages } from '#i18n/messages.ts'
import { UsedIn } from '#parts/UsedIn.tsx'
import { useDelete } from '#parts/useDelete.tsx'
import { useNameOf } from './nameOf.ts'

/** What tells of a character, or counts it. */
export const SHOWN_BY = [
  charactersApi.list,
  charactersApi.find,
  charactersApi.ofMedia,
  mediaApi.find,
  tagsApi.list,
  searchApi.search,
  dashboardApi.stats,
  dashboardApi.recentActivities,
]

/** Deleting a character, with the media it is in; a toast offers to undo it. */
export function useDeleteCharacter(onDone?: () => unknown) {
  const { characters: texts } = useMessages()
  return useDelete<Character>({
    texts,
    nameOf: useNameOf(),
    remove: ({ _id, version }) => call(charactersApi.remove, { id: _id, base: version }),
    restore: (id) => call(charactersApi.restore, { id }),
    shownBy: SHOWN_BY,
    onDone,
    more: ({ _id }) => <Uses id={_id} />,
  })
}

function Uses({ id }: { id: string }) {
  const uses = useQuery({ ...q(charactersApi.uses, { id }), staleTime: 0, meta: { quiet: true } })
  return <UsedIn uses={uses} />
}
