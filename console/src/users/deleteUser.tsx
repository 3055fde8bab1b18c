import { type User, usersApi } from '@mokuroku/contract/users'
import { useQuery } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { qEdit } from '#api/query.ts'
import { guessLanguage } from '#lib/text.ts'
import { UsedIn } from '#parts/UsedIn.tsx'
import { useDelete } from '#parts/useDelete.tsx'
import { inWords } from './refused.ts'
import { texts as area } from './texts.ts'

/** Deleting an account: says how much of it stays; a toast offers to undo it. */
export function useDeleteUser() {
  return useDelete<User>({
    texts: area.use(),
    nameOf: ({ username }) => ({ text: username, lang: guessLanguage(username) }),
    remove: ({ _id, version }) => inWords(() => call(usersApi.remove, { id: _id, base: version })),
    restore: (id) => inWords(() => call(usersApi.restore, { id })),
    more: ({ _id }) => <WhatStays id={_id} />,
  })
}

function WhatStays({ id }: { id: string }) {
  const { uses: texts } = area.use()
  return <UsedIn uses={useQuery(qEdit(usersApi.uses, { id }))} texts={texts} />
}
