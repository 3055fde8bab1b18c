import { useMe } from '#api/session.ts'
import { texts as area } from './texts.ts'

/** What the signed-in user can do with accounts, and why not. Mirrors the server's rules. */
export function useUserRights() {
  const { _id, role } = useMe()
  const { adminOnly, self } = area.use()
  const noEdit = role === 'admin' ? undefined : adminOnly
  return {
    noEdit,
    /** Deactivating or deleting it. */
    noEnd: (id: string) => noEdit ?? (id === _id ? self : undefined),
    seesAddresses: role !== 'user',
  }
}
