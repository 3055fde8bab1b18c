import { createRequire } from 'node:module'
import { notInstalled } from '#lib/notInstalled.ts'

/** The parts of sharp that are compiled for one platform each; npm selects one at installation. */
const COMPILED = ['', 'musl'].map((libc) => `@img/sharp-${process.platform}${libc}-${process.arch}/sharp.node`)

/**
 * Throws an Error with a one-line message if sharp cannot be loaded, which would make every image upload fail. Loading
 * it costs 30 MB, so this only looks for the compiled part, and loads sharp only if that is missing: it may have been
 * compiled on this machine.
 */
export async function requireSharp(): Promise<void> {
  const isInstalled = COMPILED.some(isFound)
  if (isInstalled) return
  try {
    await import('sharp')
  } catch (error) {
    throw notInstalled('sharp, which processes images,', error)
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
