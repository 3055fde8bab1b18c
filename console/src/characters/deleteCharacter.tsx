import { type Character, charactersApi } from '@mokuroku/contract/characters'
import { useQuery } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { qEdit } from '#api/query.ts'
import { useMessages } from '#i18n/messages.ts'
import { UsedIn } from '#parts/UsedIn.tsx'
import { useDelete } from '#parts/useDelete.tsx'
import { useNameOf } from './nameOf.ts'

/** Deleting a character, with the media it is in; a toast offers to undo it. */
export function useDeleteCharacter(onDone?: () => unknown) {
  const { characters: texts } = useMessages()
  return useDelete<Character>({
    texts,
    nameOf: useNameOf(),
    remove: ({ _id, version }) => call(charactersApi.remove, { id: _id, base: version }),
    restore: (id) => call(charactersApi.restore, { id }),
    onDone,
    more: ({ _id }) => <Uses id={_id} />,
  })
}

function Uses({ id }: { id: string }) {
  const uses = useQuery(qEdit(charactersApi.uses, { id }))
  return <UsedIn uses={uses} />
}
