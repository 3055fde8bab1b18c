import { tagsApi } from '@mokuroku/contract/tags'
import { authorize, authorizeOwn } from '#access/permissions.ts'
import { serve } from '#http/serve.ts'
import { entityHandlers, guardsOf } from '#ledger/handlers.ts'
import { batches } from '#store/batches'
import { exportHandlers } from '#store/exports'
import { duplicateHandlers } from '#store/duplicates'
import { tags } from '#store/tags'
import { usesOf } from '#store/uses'
import { replaceTag } from './replace.ts'

export const tagRoutes = serve(
  tagsApi,
  {
    ...entityHandlers(tags, 'Tag'),
    ...duplicateHandlers('Tag', tags),
    list: ({ query }) => tags.list(query),
    bulk: ({ body, actor, key }) => batches.bulk('Tag', body, actor, key),
    ...exportHandlers('Tag'),
    merge: ({ id, body, actor, base }) => batches.merge('Tag', id, body, actor, base),
    uses: ({ id }) => usesOf('Tag', id),
    replace: async ({ id, body, actor }) => ({ success: true, count: await replaceTag(id, body.with, actor) }),
  },
  { create: authorize('create', 'Tag'), bulk: authorizeOwn('edit', 'Tag'), replace: authorizeOwn('edit', 'Media') },
  guardsOf('Tag'),
)
