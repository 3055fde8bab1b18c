import { useMe } from '#api/session.ts'
import { texts as area } from './texts.ts'

/** Why the signed-in user may not change tiers (decisions 5); undefined when they may. */
export function useTierRefusal() {
  const { role } = useMe()
  const { adminOnly } = area.use()
  return role === 'admin' ? undefined : adminOnly
}
