import { createRequire } from 'node:module'

/** Of sharp, what is compiled for one kind of machine each; npm picks it when it installs. */
const COMPILED = ['', 'musl'].map((libc) => `@img/sharp-${process.platform}${libc}-${process.arch}/sharp.node`)

/**
 * Throws an Error with one line where sharp cannot be loaded, and so no picture be taken: npm leaves its compiled part out
 * without a word where Node is too old for it when it installs, or with --omit=optional. Loading costs 30 MB, so it is
 * only looked for, and loaded where it is not found: it may have been compiled on this machine.
 */
export async function requireSharp(): Promise<void> {
  const isInstalled = COMPILED.some(isFound)
  if (isInstalled) return
  try {
    await import('sharp')
  } catch (error) {
    throw new Error(
      `sharp, which processes pictures, is not installed for this machine (${process.platform}-${process.arch}). Install the package again, with Node 20.19 or newer and without --omit=optional.`,
      { cause: error },
    )
  }
}

/** As sharp itself would find it, wherever a package manager has put what it depends on. */
function isFound(name: string): boolean {
  try {
    createRequire(import.meta.resolve('sharp')).resolve(name)
    return true
  } catch {
    return false
  }
}
