import { type Kind, kindOf } from '@mokuroku/contract/kinds'
import type { Transaction } from '#database/db.ts'
import type { WriteContext } from '#ledger/definition.ts'
import { notifications } from '#store/notifications'

/** How many of an entity's last text changes are searched for the authors of replaced texts. */
const MAX_SCANNED_CHANGES = 1000

interface RestoredRevision {
  entityType: Kind
  entityId: string
  /** The version created by the restore. */
  version: number
}

/** Notifies the authors of texts that a restored revision replaced, as for a rollback. */
export async function notifyAuthors(tx: Transaction, written: RestoredRevision, context: WriteContext): Promise<void> {
  const { entityType, entityId, version } = written
  if (!kindOf(entityType).texts) return
  const changes = await tx
    .selectFrom('revisions')
    .innerJoin('history', 'history.revisionId', 'revisions._id')
    .select([
      'version',
      'history.entityType',
      'history.entityId',
      'language',
      'field',
      'oldValue',
      'newValue',
      'updatedById',
    ])
    .where('revisions.entityId', '=', entityId)
    .orderBy('version', 'desc')
    .limit(MAX_SCANNED_CHANGES)
    .execute()
  const isFromThisRestore = (change: (typeof changes)[number]): boolean => change.version === version
  const gone = changes.filter(isFromThisRestore).flatMap(({ language, field, oldValue }) => {
    const before = changes.find(
      (each) => !isFromThisRestore(each) && each.language === language && each.field === field,
    )
    // A text without a known author, such as an imported one, has nobody to notify.
    return before && before.newValue === oldValue && oldValue ? [before] : []
  })
  await notifications.notifyRollback(tx, gone, context)
}
