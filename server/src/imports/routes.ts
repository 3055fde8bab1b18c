import { importsApi } from '@mokuroku/contract/imports'
import type { Actor } from '#access/permissions.ts'
import { serve } from '#http/serve.ts'
import { guardUpload, imports } from '#store/imports'

const visible = async ({ id, actor }: { id: string; actor: Actor }): Promise<void> => {
  await imports.visible(id, actor)
}

const writable = ({ id, actor }: { id: string; actor: Actor }) => imports.authorize(id, actor)

export const importRoutes = serve(
  importsApi,
  {
    list: ({ query, actor }) => imports.list(query, actor),
    create: ({ receive, actor }) => imports.create(receive, actor),
    find: ({ id, query, actor }) => imports.find(id, query, actor),
    stream: async ({ id, actor, signal }) => {
      // Throws before the stream begins, so that an error is not its first event.
      await imports.visible(id, actor)
      return imports.follow(id, actor, signal)
    },
    map: ({ id, body, actor, base }) => imports.map(id, body, actor, base),
    correct: ({ id, body, actor, base }) => imports.correct(id, body, actor, base),
    apply: ({ id, body, actor }) => imports.apply(id, body, actor),
    cancel: ({ id, actor }) => imports.cancel(id, actor),
    refused: ({ id, actor }) => imports.refused(id, actor),
    remove: async ({ id, actor }) => {
      await imports.remove(id, actor)
      return { success: true }
    },
  },
  { create: guardUpload },
  { find: visible, map: writable, correct: writable, apply: writable },
)
