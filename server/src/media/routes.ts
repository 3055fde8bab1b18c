import { mediaApi } from '@mokuroku/contract/media'
import { authorize, authorizeOwn } from '#access/permissions.ts'
import { serve } from '#http/serve.ts'
import { entityHandlers, guardsOf } from '#ledger/handlers.ts'
import { batches } from '#store/batches'
import { exportHandlers } from '#store/exports'
import { duplicateHandlers } from '#store/duplicates'
import { media } from '#store/media'
import { usesOf } from '#store/uses'

export const mediaRoutes = serve(
  mediaApi,
  {
    ...entityHandlers(media, 'Media'),
    list: ({ query }) => media.list(query),
    ...duplicateHandlers('Media', media),
    bulk: ({ body, actor, key }) => batches.bulk('Media', body, actor, key),
    ...exportHandlers('Media'),
    merge: ({ id, body, actor, base }) => batches.merge('Media', id, body, actor, base),
    uses: ({ id }) => usesOf('Media', id),
  },
  { create: authorize('create', 'Media'), bulk: authorizeOwn('edit', 'Media') },
  guardsOf('Media'),
)
