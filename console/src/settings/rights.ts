import { useMe } from '#api/session.ts'
import { texts as area } from './texts.ts'

/** Why the signed-in user may not change the settings; undefined if they may. */
export function useSettingsRefusal(): string | undefined {
  const { adminOnly } = area.use()
  return useMe().role === 'admin' ? undefined : adminOnly
}
