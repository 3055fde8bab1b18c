import { momentIn } from '#lib/clock.ts'
import { TRASH_DAYS } from '@mokuroku/contract/trash'

const TRASH_MS = TRASH_DAYS * 24 * 60 * 60 * 1000

/** When something deleted at a moment can no longer be restored. */
export const goneAt = (deletedAt: string): string => new Date(Date.parse(deletedAt) + TRASH_MS).toISOString()

/** What was deleted at this moment or before cannot be restored any more. */
export const lastGone = (): string => momentIn(-TRASH_MS)
