import { mediaApi } from '@mokuroku/contract/media'
import { notFound } from '#lib/errors.ts'
import { serve } from '#http/serve.ts'
import { authorize } from '#access/permissions.ts'
import { attachProvenance } from '#store/ai'
import { media } from '#store/media'
import { usesOf } from '#store/uses'

const find = async (id: string) => (await media.find(id)) ?? notFound('Media')

export const mediaRoutes = serve(
  mediaApi,
  {
    list: ({ query }) => media.list(query),
    find: ({ id }) => find(id),
    create: async ({ body, actor, runs }) => find(await media.create(body, await attachProvenance(actor, runs))),
    update: async ({ id, body, actor, base, runs }) => {
      await media.update(id, body, await attachProvenance(actor, runs), base)
      return find(id)
    },
    remove: async ({ id, actor, base }) => {
      await media.remove(id, { actor }, base)
      return { success: true }
    },
    restore: async ({ id, actor }) => {
      await media.restore(id, { actor })
      return find(id)
    },
    uses: ({ id }) => usesOf(id),
  },
  { create: authorize('create', 'Media') },
)
