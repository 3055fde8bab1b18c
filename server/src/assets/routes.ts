import { type Asset, assetsApi } from '@mokuroku/contract/assets'
import { notFound } from '#lib/errors.ts'
import { serve } from '#lib/http.ts'
import { assets } from '#store/assets'
import { usesOf } from '#store/uses'
import { cleanName } from './filename.ts'
import { receiveAsset, replaceFile, retryAsset } from './upload.ts'

const find = async (id: string) => (await assets.find(id)) ?? notFound('Asset')

/** The answer to an upload also says whether the same bytes were there before. */
const uploaded = async (id: string): Promise<Asset> => ({
  ...(await find(id)),
  duplicateOf: await assets.twinOf(id),
})

export const assetRoutes = serve(assetsApi, {
  list: ({ query }) => assets.list(query),
  find: ({ id }) => find(id),
  upload: async ({ receive, actor }) => uploaded(await receiveAsset(receive, actor)),
  uploadImage: async ({ receive, actor }) => uploaded(await receiveAsset(receive, actor, 'IMAGE')),
  update: async ({ id, body: { filename, isPublic }, actor, base }) => {
    const name = filename === undefined ? undefined : cleanName(filename)
    await assets.update(id, { filename: name, isPublic }, { actor }, base)
    return find(id)
  },
  replace: async ({ id, receive, actor, base }) => {
    await replaceFile(id, receive, actor, base)
    return uploaded(id)
  },
  retry: async ({ id, actor }) => {
    await retryAsset(id, actor)
    return find(id)
  },
  remove: async ({ id, actor, base }) => {
    await assets.remove(id, { actor }, base)
    return { success: true }
  },
  restore: async ({ id, actor }) => {
    await assets.restore(id, { actor })
    return find(id)
  },
  uses: async ({ id }) => {
    await find(id)
    return usesOf(id)
  },
})
