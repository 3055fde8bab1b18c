import { tagsApi } from '@mokuroku/contract/tags'
import { notFound } from '#lib/errors.ts'
import { serve } from '#lib/http.ts'
import { tags } from '#store/tags'
import { usesOf } from '#store/uses'
import { replaceTag } from './replace.ts'

const find = async (id: string) => (await tags.find(id)) ?? notFound('Tag')

export const tagRoutes = serve(tagsApi, {
  list: ({ query }) => tags.list(query),
  find: ({ id }) => find(id),
  create: async ({ body, actor }) => find(await tags.create(body, { actor })),
  update: async ({ id, body, actor, base }) => {
    await tags.update(id, body, { actor }, base)
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
})
