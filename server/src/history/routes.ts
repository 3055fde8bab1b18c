import { historyApi } from '@mokuroku/contract/history'
import { notFound } from '#lib/errors.ts'
import { serve } from '#http/serve.ts'
import { batches } from '#store/batches'
import { history } from '#store/history'
import { authorizeRollback, rollback, rollbackAll } from './rollback.ts'

export const historyRoutes = serve(
  historyApi,
  {
    recent: async ({ query, actor }) => ({ data: await history.recent(query, actor) }),
    statistics: () => history.statistics(),
    rollback: async ({ id, body, actor }) => {
      await rollback(id, body, actor)
      return { success: true, data: (await history.find(id, actor)) ?? notFound('Translation history entry') }
    },
    rollbackAll: ({ body, actor }) => rollbackAll(body, actor, batches.addDone),
  },
  {},
  { rollback: ({ id, actor }) => authorizeRollback(id, actor) },
)
