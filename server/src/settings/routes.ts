import { settingsApi } from '@mokuroku/contract/settings'
import { forbidden } from '#lib/errors.ts'
import { serve } from '#lib/http.ts'
import type { Actor } from '#lib/may.ts'
import { settings } from '#store/settings'

export const settingsRoutes = serve(settingsApi, {
  find: ({ actor }) => {
    mustRead(actor)
    return settings.find()
  },
  update: async ({ body, actor, base }) => {
    await settings.change(body, { actor }, base)
    return settings.find()
  },
})

/** How the product is set up is for those who look after it (decisions 5). */
function mustRead({ role }: Actor): void {
  if (role === 'user') forbidden('Only moderators and administrators may read this.')
}
