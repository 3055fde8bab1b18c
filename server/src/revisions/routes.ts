import { type Revision, revisionsApi } from '@mokuroku/contract/revisions'
import { notFound } from '#lib/errors.ts'
import { serve } from '#http/serve.ts'
import { type Actor, must, mustBe } from '#access/permissions.ts'
import type { Kind } from '#database/tables.ts'
import { revisions } from '#store/revisions'
import { STORES, restoreRevision } from './restore.ts'

export const revisionRoutes = serve(revisionsApi, {
  list: async ({ query, actor }) => {
    mustRead(query.entityType, actor)
    return { data: await revisions.list(query) }
  },
  find: async ({ id, actor }) => {
    const revision = await readable(id, actor)
    const { entityId, entityType } = revision
    const row = await STORES[entityType as Kind].row(entityId)
    if (!row || row.deletedAt) must(actor, 'restore', entityType as Kind, row?.createdBy)
    return revision
  },
  restore: async ({ id, body, actor }) => {
    const { entityType, entityId, snapshot } = await readable(id, actor)
    const version = await restoreRevision({ entityType: entityType as Kind, entityId, snapshot }, body, actor)
    return { success: true, entityType, entityId, version }
  },
})

async function readable(id: string, actor: Actor): Promise<Revision> {
  const revision = (await revisions.find(id)) ?? notFound('Revision')
  mustRead(revision.entityType, actor)
  return revision
}

/** Only moderators and administrators can read the history of other people's accounts. */
function mustRead(entityType: string, actor: Actor): void {
  if (entityType === 'User') mustBe('moderator', actor)
  if (entityType === 'Setting') mustBe('admin', actor)
}
