import { type Revision, type RevisionRow, revisionsApi } from '@mokuroku/contract/revisions'
import { notFound } from '#lib/errors.ts'
import { serve } from '#http/serve.ts'
import { type Actor, checkPermission, enforce, requireRole, type Verdict } from '#access/permissions.ts'
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
      const [data, verdict] = await Promise.all([revisions.list(query), maySeeTexts(query, actor)])
      return { data: verdict.allowed ? data : data.map(withoutTexts) }
    },
    find: async ({ id, actor }) => {
      const revision = await readable(id, actor)
      const { entityType, entityId } = revision
      enforce(await maySeeTexts({ entityType: entityType as Kind, entityId }, actor))
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

/** Texts of an entity that is in the trash or permanently deleted are for those who may restore it. */
async function maySeeTexts(
  { entityType, entityId }: { entityType: Kind; entityId: string },
  actor: Actor,
): Promise<Verdict> {
  const row = await findRow(definitionOf(entityType), entityId)
  return row && !row.deletedAt ? { allowed: true } : checkPermission(actor, 'restore', entityType, row?.createdBy)
}

/** Without why it was written, and the sources of its texts. */
const withoutTexts = ({ provenance: _, ...row }: RevisionRow): RevisionRow => ({ ...row, reason: null })

async function readable(id: string, actor: Actor): Promise<Revision> {
  const revision = (await revisions.find(id)) ?? notFound('Revision')
  requireReadAccess(revision.entityType, actor)
  return revision
}

function requireReadAccess(entityType: string, actor: Actor): void {
  const { historyFor } = kindOf(entityType as Kind)
  if (historyFor) requireRole(historyFor, actor)
}
