import { changedPaths, resolveConflicts, getPath } from '@mokuroku/contract/merge'
import * as z from 'zod/mini'
import type { Fields } from './editorText.ts'

const Document = z.record(z.string(), z.unknown())

/** What the server says of a stale save: what it began from, what was sent, what stands there, and where they clash. */
export const VersionConflict = z.object({
  code: z.literal('stale'),
  /** Absent when the version it began from is no longer known. */
  base: z.optional(Document),
  mine: Document,
  theirs: Document,
  conflicts: z.array(z.string()),
  version: z.number(),
  updatedAt: z.string(),
  /** The names of those who saved it since, the last one first. */
  savedBy: z.optional(z.array(z.string())),
})
export type VersionConflict = z.output<typeof VersionConflict>

export type Side = 'mine' | 'theirs'

/** The value at a conflict's path: `releaseDate`, `translations.en.title`. Undefined where it is absent. */
export const at = (document: Fields | undefined, path: string): unknown => getPath(document, path)

/**
 * The document that keeps what only one side changed, and of each conflict the side that was chosen.
 * Throws when a conflict has no choice: nothing may be lost by default.
 */
export function resolveConflict(
  { base, mine, theirs, conflicts }: VersionConflict,
  choices: Readonly<Record<string, Side>>,
): Fields {
  for (const path of conflicts) if (!choices[path]) throw new Error(`No choice for ${path}`)
  const toMine = conflicts.filter((path) => choices[path] === 'mine')
  // Without the base everything that differs is a conflict, and there is nothing to merge.
  return resolveConflicts(base ?? mine, mine, theirs, toMine)
}

/** What only one side changed: it is kept without a question. */
export const autoMerged = ({ base, mine, theirs, conflicts }: VersionConflict, side: Side): string[] =>
  changedPaths(base ?? theirs, side === 'mine' ? mine : theirs).filter((path) => !conflicts.includes(path))
