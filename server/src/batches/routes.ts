import { batchesApi } from '@mokuroku/contract/batches'
import { serve } from '#http/serve.ts'
import { batches } from '#store/batches'
import { followBatch } from './stream.ts'
import './work.ts'

export const batchRoutes = serve(
  batchesApi,
  {
    list: ({ query, actor }) => batches.list(query, actor),
    find: ({ id, actor }) => batches.find(id, actor),
    results: ({ id, query, actor }) => batches.results(id, query, actor),
    stream: async ({ id, actor, signal }) => {
      // Throws before the stream begins, so that an error is not its first event.
      await batches.find(id, actor)
      return followBatch(id, actor, signal)
    },
    cancel: ({ id, actor }) => batches.cancel(id, actor),
    rollback: ({ id, body, actor }) => batches.rollback(id, body, actor),
  },
  {},
  {
    results: async ({ id, actor }) => {
      await batches.find(id, actor)
    },
    rollback: ({ id, actor }) => batches.authorizeRollback(id, actor),
  },
)
