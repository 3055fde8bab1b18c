import { useMe } from '#api/session.ts'
import { texts as area } from './texts.ts'

/** Why the signed-in user cannot change tiers; undefined if they can. */
export function useTierRefusal() {
  const { role } = useMe()
  const { adminOnly } = area.use()
  return role === 'admin' ? undefined : adminOnly
}
