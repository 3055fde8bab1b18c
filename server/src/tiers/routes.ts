import { tiersApi } from '@mokuroku/contract/tiers'
import { notFound } from '#lib/errors.ts'
import { serve } from '#http/serve.ts'
import { authorize } from '#access/permissions.ts'
import { tiers } from '#store/tiers'
import { preview } from './preview.ts'

const find = async (id: string) => (await tiers.find(id)) ?? notFound('Permission tier')

export const tierRoutes = serve(
  tiersApi,
  {
    list: async () => ({ data: await tiers.list() }),
    find: ({ id }) => find(id),
    create: async ({ body, actor }) => find(await tiers.create(body, { actor })),
    update: async ({ id, body, actor, base }) => {
      await tiers.update(id, body, { actor }, base)
      return find(id)
    },
    remove: async ({ id, actor, base }) => {
      await tiers.remove(id, { actor }, base)
      return { success: true }
    },
    restore: async ({ id, actor }) => {
      await tiers.restore(id, { actor })
      return find(id)
    },
    preview: ({ body: { id, tier } }) => preview(id, tier),
  },
  {
    create: authorize('create', 'Tier'),
    update: authorize('edit', 'Tier'),
    remove: authorize('delete', 'Tier'),
    restore: authorize('restore', 'Tier'),
    preview: authorize('edit', 'Tier'),
  },
)
