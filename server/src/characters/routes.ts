import { charactersApi } from '@mokuroku/contract/characters'
import { serve } from '#lib/http.ts'
import { characters } from '#store/characters'

export const characterRoutes = serve(charactersApi, {
  ofMedia: ({ id, query }) => characters.ofMedia(id, query.page, query.limit),
})
