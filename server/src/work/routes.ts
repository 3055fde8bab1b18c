import { workApi } from '@mokuroku/contract/work'
import { mayEditTexts } from '#access/permissions.ts'
import { serve } from '#http/serve.ts'
import { work } from '#store/work'

export const workRoutes = serve(
  workApi,
  {
    claim: ({ body, actor }) => work.claim(body, actor),
    release: async ({ body, actor }) => {
      await work.release(body.ids, actor)
      return { success: true }
    },
  },
  { claim: mayEditTexts },
)
