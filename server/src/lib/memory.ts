import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** How long after its last work the memory that only this work needed is released, in milliseconds. */
const FREE_MEMORY_MS = 5000

/** Frees memory a little later, unless the process ends before. For what is done once, at or after a start. */
export const freeMemoryLater = (): void => void setTimeout(freeMemory, FREE_MEMORY_MS).unref()

/**
 * Collects garbage and returns its memory to the system. V8 does so after activity, but not after a start, which leaves
 * 20 MB reserved for new objects that an idle server does not create.
 */
export function freeMemory(): void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') collect()
}
