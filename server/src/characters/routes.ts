import { charactersApi } from '@mokuroku/contract/characters'
import { notFound } from '#lib/errors.ts'
import { serve } from '#http/serve.ts'
import { presentIds } from '#ledger/links.ts'
import { authorize } from '#access/permissions.ts'
import { attachProvenance } from '#store/ai'
import { characters } from '#store/characters'
import { media } from '#store/media'
import { usesOf } from '#store/uses'

const find = async (id: string) => (await characters.find(id)) ?? notFound('Character')

export const characterRoutes = serve(
  charactersApi,
  {
    list: ({ query }) => characters.list(query),
    ofMedia: ({ id, query }) => characters.ofMedia(id, query.page, query.limit),
    find: ({ id }) => find(id),
    media: async ({ id, query: { page, limit } }) => {
      const shown = await presentIds('Media', (await find(id)).mediaRefs)
      return media.byIds(shown.slice((page - 1) * limit, page * limit))
    },
    create: async ({ body, actor, runs }) => find(await characters.create(body, await attachProvenance(actor, runs))),
    update: async ({ id, body, actor, base, runs }) => {
      await characters.update(id, body, await attachProvenance(actor, runs), base)
      return find(id)
    },
    remove: async ({ id, actor, base }) => {
      await characters.remove(id, { actor }, base)
      return { success: true }
    },
    restore: async ({ id, actor }) => {
      await characters.restore(id, { actor })
      return find(id)
    },
    uses: ({ id }) => usesOf(id),
  },
  { create: authorize('create', 'Character') },
)
