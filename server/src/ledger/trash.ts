import { DAY_MS, momentIn } from '#lib/clock.ts'
import { TRASH_DAYS } from '@mokuroku/contract/trash'

const TRASH_MS = TRASH_DAYS * DAY_MS

/** The time from which something deleted at `deletedAt` can no longer be restored. */
export const goneAt = (deletedAt: string): string => new Date(Date.parse(deletedAt) + TRASH_MS).toISOString()

/** What was deleted at this time or earlier can no longer be restored. */
export const lastGone = (): string => momentIn(-TRASH_MS)
