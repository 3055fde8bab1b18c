import { charactersApi } from '@mokuroku/contract/characters'
import { authorize, authorizeOwn } from '#access/permissions.ts'
import { serve } from '#http/serve.ts'
import { entityHandlers, guardsOf } from '#ledger/handlers.ts'
import { batches } from '#store/batches'
import { exportHandlers } from '#store/exports'
import { duplicateHandlers } from '#store/duplicates'
import { presentIds } from '#ledger/links.ts'
import { characters } from '#store/characters'
import { media } from '#store/media'
import { usesOf } from '#store/uses'

const handlers = entityHandlers(characters, 'Character')

export const characterRoutes = serve(
  charactersApi,
  {
    ...handlers,
    ...duplicateHandlers('Character', characters),
    list: ({ query }) => characters.list(query),
    ofMedia: ({ id, query }) => characters.ofMedia(id, query.page, query.limit),
    media: async ({ id, query: { page, limit } }) => {
      const shown = await presentIds('Media', (await handlers.find({ id })).mediaRefs)
      return media.byIds(shown.slice((page - 1) * limit, page * limit))
    },
    bulk: ({ body, actor, key }) => batches.bulk('Character', body, actor, key),
    ...exportHandlers('Character'),
    merge: ({ id, body, actor, base }) => batches.merge('Character', id, body, actor, base),
    uses: ({ id }) => usesOf('Character', id),
  },
  { create: authorize('create', 'Character'), bulk: authorizeOwn('edit', 'Character') },
  guardsOf('Character'),
)
