import { assetsApi } from '@mokuroku/contract/assets'
import { serve } from '#lib/http.ts'
import { assets } from '#store/assets'

export const assetRoutes = serve(assetsApi, {
  list: ({ query }) => assets.ofMedia(query),
})
