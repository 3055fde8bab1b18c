import { db } from '#database/db.ts'
import { splitBySize, textBytes } from '#ledger/pages.ts'
import type { Plan, Target } from './plannedResult.ts'

/**
 * Splits entities, in their order, into pages that are planned or written together: of some that are large, or of which
 * a plan reads much, fewer.
 */
export async function splitTargets<Each extends Target>(
  targets: Each[],
  aheadBytes: Plan['aheadBytes'],
): Promise<Each[][]> {
  const ids = targets.map(({ id }) => id)
  const sizes = [(await aheadBytes?.(db, ids)) ?? new Map<string, number>()]
  for (const [kind, some] of Map.groupBy(targets, (target) => target.kind))
    sizes.push(
      await textBytes(
        db,
        kind,
        some.map(({ id }) => id),
      ),
    )
  const bytesOf = (id: string) => sizes.reduce((sum, bytes) => sum + (bytes.get(id) ?? 0), 0)
  return splitBySize(targets.map((target) => ({ id: target, bytes: bytesOf(target.id) })))
}
