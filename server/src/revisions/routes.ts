import { type Revision, revisionsApi } from '@mokuroku/contract/revisions'
import { notFound } from '#lib/errors.ts'
import { serve } from '#http/serve.ts'
import { type Actor, requirePermission, requireRole } from '#access/permissions.ts'
import { type Kind, kindOf } from '@mokuroku/contract/kinds'
import { authorizeEntity } from '#ledger/handlers.ts'
import { definitionOf } from '#ledger/registry.ts'
import { findRow } from '#ledger/rows.ts'
import { revisions } from '#store/revisions'
import { restoreRevision } from './restore.ts'

export const revisionRoutes = serve(
  revisionsApi,
  {
    list: async ({ query, actor }) => {
      requireReadAccess(query.entityType, actor)
      return { data: await revisions.list(query) }
    },
    find: async ({ id, actor }) => {
      const revision = await readable(id, actor)
      const { entityId, entityType } = revision
      const row = await findRow(definitionOf(entityType as Kind), entityId)
      if (!row || row.deletedAt) requirePermission(actor, 'restore', entityType as Kind, row?.createdBy)
      return revision
    },
    restore: async ({ id, body, actor }) => {
      const { entityType, entityId, snapshot } = await readable(id, actor)
      const restored = await restoreRevision({ entityType: entityType as Kind, entityId, snapshot }, body, actor)
      return { success: true, entityType, entityId, ...restored }
    },
  },
  {},
  {
    restore: async ({ id, actor }) => {
      const { entityType, entityId } = await readable(id, actor)
      await authorizeEntity('edit', entityType as Kind)({ id: entityId, actor })
    },
  },
)

async function readable(id: string, actor: Actor): Promise<Revision> {
  const revision = (await revisions.find(id)) ?? notFound('Revision')
  requireReadAccess(revision.entityType, actor)
  return revision
}

function requireReadAccess(entityType: string, actor: Actor): void {
  const { historyFor } = kindOf(entityType as Kind)
  if (historyFor) requireRole(historyFor, actor)
}
