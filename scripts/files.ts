import { globSync } from 'node:fs'
import { root } from './locked.ts'

/**
 * What Git ignores. Git itself is not asked, since it refuses a clone of another account, as in a container, and an
 * archive has no repository.
 */
const IGNORED = ['node_modules', 'dist', 'data', 'data-demo', 'test-results'].map((name) => `**/${name}`)

/** The paths of the files of this repository that match a pattern, without those in hidden folders. */
export const filesMatching = (pattern: string): string[] =>
  globSync(pattern, { cwd: root, exclude: IGNORED }).toSorted()
