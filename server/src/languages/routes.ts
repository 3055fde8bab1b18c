import { languagesApi } from '@mokuroku/contract/languages'
import { authorize } from '#access/permissions.ts'
import { serve } from '#http/serve.ts'
import { languages } from '#store/languages'
import { foldSome, previewFold } from './fold.ts'

const administer = authorize('edit', 'Setting')

export const languageRoutes = serve(
  languagesApi,
  {
    list: async () => ({ data: await languages.list() }),
    preview: ({ query }) => previewFold(query),
    fold: ({ body, actor }) => foldSome(body, actor),
  },
  { preview: administer, fold: administer },
)
