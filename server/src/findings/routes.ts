import { findingsApi, FindingTarget } from '@mokuroku/contract/findings'
import { mayEditTexts } from '#access/permissions.ts'
import { parse } from '#http/read.ts'
import { serve } from '#http/serve.ts'
import { findings } from '#store/findings'
import { checkProgress } from '#ledger/findingStore.ts'

const DONE = { success: true }

export const findingRoutes = serve(
  findingsApi,
  {
    list: async ({ query }) => ({ data: await findings.counts(query), progress: await checkProgress() }),
    marks: async ({ query: { entityType, ids, code } }) => ({ data: await findings.marks(entityType, ids, code) }),
    find: ({ id }) => findings.ofEntity(id),
    decisions: async ({ id }) => ({ data: await findings.decisions(id) }),
    dismiss: async ({ body, actor }) => {
      await findings.dismiss(body, actor)
      return DONE
    },
    undismiss: async ({ query, body, actor }) => {
      await findings.undismiss(parse(FindingTarget, { ...query, ...body }), actor)
      return DONE
    },
  },
  { dismiss: mayEditTexts, undismiss: mayEditTexts },
)
