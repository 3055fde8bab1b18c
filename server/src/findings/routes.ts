import { findingsApi } from '@mokuroku/contract/findings'
import { serve } from '#http/serve.ts'
import { findings } from '#store/findings'

const DONE = { success: true }

export const findingRoutes = serve(findingsApi, {
  list: async ({ query }) => ({ data: await findings.counts(query) }),
  find: ({ id }) => findings.ofEntity(id),
  dismiss: async ({ body, actor }) => {
    await findings.dismiss(body, actor)
    return DONE
  },
  undismiss: async ({ query, actor }) => {
    await findings.undismiss(query, actor)
    return DONE
  },
})
