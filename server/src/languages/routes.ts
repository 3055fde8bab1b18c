import { languagesApi } from '@mokuroku/contract/languages'
import { serve } from '#lib/http.ts'
import { languages } from '#store/languages'

export const languageRoutes = serve(languagesApi, {
  list: async () => ({ data: await languages.inUse() }),
})
