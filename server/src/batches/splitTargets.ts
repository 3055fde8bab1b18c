import { db } from '#database/db.ts'
import { MAX_PAGE_BYTES, splitBySize, textBytes } from '#ledger/pages.ts'
import type { Plan, Target } from './plannedResult.ts'

/**
 * Splits entities, in their order, into pages of at most `maxRows` that are planned or written together: of some that are
 * large, or of which a plan reads much, fewer.
 */
export async function splitTargets<Each extends Target>(
  targets: Each[],
  aheadBytes: Plan['aheadBytes'],
  maxRows?: number,
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
  const sized = targets.map((target) => ({ id: target, bytes: bytesOf(target.id) }))
  return splitBySize(sized, MAX_PAGE_BYTES, maxRows)
}
