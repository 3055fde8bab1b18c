import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The key that signs tokens: as configured, or made once and kept in the data folder, readable by its owner only. */
export function readSecret(configured: string | undefined, folder: string): Uint8Array {
  if (configured) return new TextEncoder().encode(configured)
  const file = join(folder, 'secret')
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx', flush: true })
  }
  return new TextEncoder().encode(readFileSync(file, 'utf8').trim())
}
