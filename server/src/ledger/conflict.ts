import type { Document } from '@mokuroku/contract/merge'
import { reasonText } from '@mokuroku/contract/reasons'
import { Refusal } from '#lib/errors.ts'
import type { Meta } from '#database/tables.ts'

/** The 412 to a save that was made from an older version, with what the user needs to settle it. */
export function conflict(
  base: Document | undefined,
  mine: Document,
  theirs: Document,
  conflicts: string[],
  current: Meta,
): Refusal {
  return new Refusal(412, 'stale', reasonText('stale'), undefined, {
    base,
    mine,
    theirs,
    conflicts,
    version: current.version,
    updatedAt: current.updatedAt,
  })
}
