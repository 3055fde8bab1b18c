import type { Me } from '@mokuroku/contract/auth'
import type { User } from '@mokuroku/contract/users'
import { useMe } from '#api/session.ts'
import type { Refusals } from '#parts/area/area.ts'
import { userTexts } from './texts.ts'

/** Only administrators may change accounts, and nobody may deactivate or delete their own. */
export function userRefusals(me: Me): Refusals<Pick<User, '_id'>> {
  const { adminOnly, self } = userTexts.get()
  const noEdit = me.role === 'admin' ? undefined : adminOnly
  return {
    create: noEdit,
    edit: () => noEdit,
    delete: ({ _id }) => noEdit ?? (_id === me._id ? self : undefined),
  }
}

export const useCanSeeAddresses = () => useMe().role !== 'user'
