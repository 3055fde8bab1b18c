import { dashboardApi } from '@mokuroku/contract/dashboard'
import { type MediaRow, mediaApi } from '@mokuroku/contract/media'
import { searchApi } from '@mokuroku/contract/search'
import { useQuery } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { q } from '#api/query.ts'
import { useMessages } from '#i18n/messages.ts'
import { useTitleOf } from './titles.ts'
import { UsedIn } from './UsedIn.tsx'
import { useDelete } from './useDelete.tsx'

const SHOWN_BY = [mediaApi.list, mediaApi.find, searchApi.search, dashboardApi.stats, dashboardApi.recentActivities]

/** Deleting a media; a toast offers to undo it. `onDone` runs before what shows the media is asked again. */
export function useDeleteMedia(onDone?: () => unknown) {
  const { media: texts } = useMessages()
  return useDelete<MediaRow>({
    texts,
    nameOf: useTitleOf(),
    remove: ({ _id, version }) => call(mediaApi.remove, { id: _id, base: version }),
    restore: (id) => call(mediaApi.restore, { id }),
    shownBy: SHOWN_BY,
    onDone,
    more: ({ _id }) => <Uses id={_id} />,
  })
}

function Uses({ id }: { id: string }) {
  const uses = useQuery({ ...q(mediaApi.uses, { id }), staleTime: 0, meta: { quiet: true } })
  return <UsedIn uses={uses} />
}
