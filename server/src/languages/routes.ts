import { languagesApi } from '@mokuroku/contract/languages'
import { serve } from '#http/serve.ts'
import { languages } from '#store/languages'

export const languageRoutes = serve(languagesApi, {
  list: async () => ({ data: await languages.list() }),
})
