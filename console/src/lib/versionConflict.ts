import { ApiError } from '@mokuroku/contract/call'
import { changedPaths, resolveConflicts } from '@mokuroku/contract/merge'
import * as z from 'zod/mini'
import type { Fields } from './editorText.ts'

const Document = z.record(z.string(), z.unknown())

/**
 * The server's response to a stale save: the base version, what was sent, what is stored, and the conflicting paths.
 */
const VersionConflict = z.object({
  code: z.literal('stale'),
  /** Absent if the base version is no longer known. */
  base: z.optional(Document),
  mine: Document,
  theirs: Document,
  conflicts: z.array(z.string()),
  version: z.number(),
  updatedAt: z.string(),
  /** Names of the users who have saved it since, most recent first. */
  savedBy: z.optional(z.array(z.string())),
})
export type VersionConflict = z.output<typeof VersionConflict>

/** The conflict that the error of a save reports; undefined for any other error. */
export function versionConflictOf(error: unknown): VersionConflict | undefined {
  if (!(error instanceof ApiError) || error.status !== 412) return undefined
  const parsed = z.safeParse(VersionConflict, error.body)
  return parsed.success ? parsed.data : undefined
}

/** Whether only this user has saved it since: in another window. */
export const isOwnConflict = ({ savedBy = [] }: VersionConflict, username: string): boolean =>
  savedBy.length > 0 && savedBy.every((name) => name === username)

export type Side = 'mine' | 'theirs'

/**
 * Merges the document: changes of one side are kept, and each conflict gets the chosen side. Throws if a conflict has
 * no choice: nothing may be lost by default.
 */
export function resolveConflict(
  { base, mine, theirs, conflicts }: VersionConflict,
  choices: Readonly<Record<string, Side>>,
): Fields {
  for (const path of conflicts) if (!choices[path]) throw new Error(`No choice for ${path}`)
  const toMine = conflicts.filter((path) => choices[path] === 'mine')
  // Without the base, everything that differs is a conflict, and there is nothing to merge.
  return resolveConflicts(base ?? mine, mine, theirs, toMine)
}

/** Paths that only this side changed, which are merged automatically. */
export const autoMerged = ({ base, mine, theirs, conflicts }: VersionConflict, side: Side): string[] =>
  changedPaths(base ?? theirs, side === 'mine' ? mine : theirs).filter((path) => !conflicts.includes(path))
