import { type Asset, assetsApi, type UploadSession, uploadsApi } from '@mokuroku/contract/assets'
import { notFound } from '#lib/errors.ts'
import { serve } from '#http/serve.ts'
import { authorize, authorizeOwn } from '#access/permissions.ts'
import { authorizeEntity, guardsOf } from '#ledger/handlers.ts'
import { assets } from '#store/assets'
import { usesOf } from '#store/uses'
import { cleanFilename } from '#lib/filename.ts'
import { uploadSessions } from './uploadSessions.ts'
import { restoreUnused, trashUnused } from './unused.ts'
import { receiveAsset, receiveReplacement, retryAsset } from './upload.ts'

const find = async (id: string) => (await assets.find(id)) ?? notFound('Asset')

/** The response to an upload also says whether an asset with the same content existed. */
const uploaded = async (id: string): Promise<Asset> => ({
  ...(await find(id)),
  duplicateOf: await assets.twinOf(id),
})

const wholeRoutes = serve(
  assetsApi,
  {
    list: ({ query }) => assets.list(query),
    find: ({ id }) => find(id),
    upload: async ({ receive, actor, key }) => uploaded(await receiveAsset(receive, actor, { key })),
    uploadImage: async ({ receive, actor, key }) =>
      uploaded(await receiveAsset(receive, actor, { only: 'IMAGE', key })),
    update: async ({ id, body: { filename, isPublic }, actor, base }) => {
      const name = filename === undefined ? undefined : cleanFilename(filename)
      await assets.update(id, { filename: name, isPublic }, { actor }, base)
      return find(id)
    },
    replace: async ({ id, receive, actor, base }) => {
      await receiveReplacement(id, receive, actor, base)
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
    uses: ({ id }) => usesOf('Asset', id),
    trashUnused: ({ body, actor }) => trashUnused(body, actor),
    restoreUnused: ({ body: { batch }, actor }) => restoreUnused(batch, actor),
  },
  {
    upload: authorize('create', 'Asset'),
    uploadImage: authorize('create', 'Asset'),
    trashUnused: authorize('delete', 'Asset'),
    restoreUnused: authorizeOwn('restore', 'Asset'),
  },
  { ...guardsOf('Asset'), replace: authorizeEntity('edit', 'Asset') },
)

const withAsset = async ({ session, asset }: { session: UploadSession; asset?: string }): Promise<UploadSession> => ({
  ...session,
  asset: asset === undefined ? undefined : await uploaded(asset),
})

const uploadRoutes = serve(
  uploadsApi,
  {
    begin: async ({ body, actor, key }) => withAsset(await uploadSessions.begin(body, actor, key)),
    find: async ({ id, actor }) => withAsset(await uploadSessions.find(id, actor)),
    append: async ({ id, receive, actor }) => withAsset(await uploadSessions.append(id, receive, actor)),
    cancel: async ({ id, actor }) => {
      await uploadSessions.cancel(id, actor)
      return { success: true }
    },
  },
  { begin: authorize('create', 'Asset') },
)

export const assetRoutes = [...wholeRoutes, ...uploadRoutes]
