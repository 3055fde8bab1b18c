import { createRequire } from 'node:module'

/** The parts of sharp that are compiled for one platform each; npm selects one at installation. */
const COMPILED = ['', 'musl'].map((libc) => `@img/sharp-${process.platform}${libc}-${process.arch}/sharp.node`)

/**
 * Throws an Error with a one-line message if sharp cannot be loaded, which would make every image upload fail. npm
 * silently omits its compiled part if Node is too old for it at installation, or with --omit=optional. Loading sharp
 * costs 30 MB, so this only looks for the compiled part, and loads sharp only if that is missing: it may have been
 * compiled on this machine.
 */
export async function requireSharp(): Promise<void> {
  const isInstalled = COMPILED.some(isFound)
  if (isInstalled) return
  try {
    await import('sharp')
  } catch (error) {
    throw new Error(
      `sharp, which processes images, is not installed for this machine (${process.platform}-${process.arch}). Install the package again, with Node 20.19 or newer and without --omit=optional.`,
      { cause: error },
    )
  }
}

/** Resolves the package as sharp would, wherever the package manager has put it. */
function isFound(name: string): boolean {
  try {
    createRequire(import.meta.resolve('sharp')).resolve(name)
    return true
  } catch {
    return false
  }
}
