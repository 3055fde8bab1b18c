import { type User, usersApi } from '@mokuroku/contract/users'
import { call } from '#api/call.ts'
import { writingOf } from '#lib/text.ts'
import { useDelete } from '#parts/useDelete.tsx'
import { inWords } from './refused.ts'
import { texts as area } from './texts.ts'

/** Deleting an account; a toast offers to undo it. */
export function useDeleteUser() {
  return useDelete<User>({
    texts: area.use(),
    nameOf: ({ username }) => ({ text: username, lang: writingOf(username) }),
    remove: ({ _id, version }) => inWords(() => call(usersApi.remove, { id: _id, base: version })),
    restore: (id) => inWords(() => call(usersApi.restore, { id })),
  })
}
