// Entities that belong to a user, stored through the regular write paths whatever the user's permissions.
import type { JobState } from '@mokuroku/contract/batches'
import type { ImportState } from '@mokuroku/contract/imports'
import { transaction } from '#database/db.ts'
import type { WriteContext } from '#ledger/definition.ts'
import { definitionOf } from '#ledger/registry.ts'
import { removeIn } from '#ledger/write.ts'
import { KIND_SAMPLES, type ManyKind, anAsset as assetOf } from '#test/kinds.ts'
import { records } from '../../src/batches/records.ts'
import { records as imports } from '../../src/imports/records.ts'
import { momentIn } from '#lib/clock.ts'
import { newId } from '#lib/ids.ts'
import { enqueue } from '#jobs/queue.ts'
import { registerWork } from '#jobs/work.ts'
import type { Person } from './people.ts'

/** The context of a write as if the user had permission. */
export const asIf = ({ actor }: Person): WriteContext => ({ actor, verdict: { allowed: true } })

/** Creates an entity of a kind that belongs to a user, or is about them. Returns its id. */
export const anEntity = (kind: ManyKind, owner: Person): Promise<string> => KIND_SAMPLES[kind].create(asIf(owner))

/** Like `anEntity`, but in the trash. */
export async function aTrashed(kind: ManyKind, owner: Person): Promise<string> {
  const id = await anEntity(kind, owner)
  await transaction((tx) => removeIn(definitionOf(kind), tx, id, asIf(owner)))
  return id
}

export const anAsset = (owner: Person, status?: 'READY' | 'ERROR') => assetOf(asIf(owner), status)

/**
 * A batch of a user that changes nothing, in a given state; a running one makes no progress, and no worker takes it
 * over, since it has no lease that could expire.
 */
export const aBatch = ({ actor }: Person, state: JobState): Promise<string> =>
  transaction(async (tx) => {
    const id = await records.add(tx, { what: 'change', entityType: 'Media', change: { set: {} } }, [], actor)
    await tx.updateTable('jobs').set({ state, lane: null }).where('_id', '=', id).execute()
    return id
  })

/** An import of a user, with one column and one row, that no job processes. */
export async function anImport({ actor }: Person, state: ImportState): Promise<string> {
  const id = await imports.add('Media', 'rows.csv', actor)
  const columns = [{ header: 'title', samples: [] }]
  await transaction(async (tx) => {
    await imports.set(tx, id, { state, columns, total: 1 })
    await tx
      .insertInto('importRows')
      .values({ import: id, seq: 0, line: 2, cells: ['A title'], fault: null })
      .execute()
  })
  return id
}

registerWork('trust', { run: () => Promise.resolve() })

/** A job that does nothing, and that no worker starts for minutes; one that is due in an hour would run at once. */
export const aJob = (state: JobState): Promise<string> =>
  transaction(async (tx) => {
    const id = newId()
    await enqueue(tx, { id, kind: 'trust', payload: {} })
    await tx
      .updateTable('jobs')
      .set({ state, dueAt: momentIn(240_000) })
      .where('_id', '=', id)
      .execute()
    return id
  })
