import { tagsApi } from '@mokuroku/contract/tags'
import { notFound } from '#lib/errors.ts'
import { serve } from '#http/serve.ts'
import { authorize } from '#access/permissions.ts'
import { attachProvenance } from '#store/ai'
import { tags } from '#store/tags'
import { usesOf } from '#store/uses'
import { replaceTag } from './replace.ts'

const find = async (id: string) => (await tags.find(id)) ?? notFound('Tag')

export const tagRoutes = serve(
  tagsApi,
  {
    list: ({ query }) => tags.list(query),
    find: ({ id }) => find(id),
    create: async ({ body, actor, runs }) => find(await tags.create(body, await attachProvenance(actor, runs))),
    update: async ({ id, body, actor, base, runs }) => {
      await tags.update(id, body, await attachProvenance(actor, runs), base)
      return find(id)
    },
    remove: async ({ id, actor, base }) => {
      await tags.remove(id, { actor }, base)
      return { success: true }
    },
    restore: async ({ id, actor }) => {
      await tags.restore(id, { actor })
      return find(id)
    },
    uses: ({ id }) => usesOf(id),
    replace: async ({ id, body, actor }) => ({ success: true, count: await replaceTag(id, body.with, actor) }),
  },
  { create: authorize('create', 'Tag') },
)
