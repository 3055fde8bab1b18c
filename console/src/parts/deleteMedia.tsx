import { type MediaRow, mediaApi } from '@mokuroku/contract/media'
import { useQuery } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { qEdit } from '#api/query.ts'
import { useMessages } from '#i18n/messages.ts'
import { useTitleOf } from './titles.ts'
import { UsedIn } from './UsedIn.tsx'
import { useDelete } from './useDelete.tsx'

/** Deleting a media; a toast offers to undo it. `onDone` leaves a screen of its own. */
export function useDeleteMedia(onDone?: () => unknown) {
  const { media: texts } = useMessages()
  return useDelete<MediaRow>({
    texts,
    nameOf: useTitleOf(),
    remove: ({ _id, version }) => call(mediaApi.remove, { id: _id, base: version }),
    restore: (id) => call(mediaApi.restore, { id }),
    onDone,
    more: ({ _id }) => <Uses id={_id} />,
  })
}

function Uses({ id }: { id: string }) {
  const uses = useQuery(qEdit(mediaApi.uses, { id }))
  return <UsedIn uses={uses} />
}
