import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { flush } from '#lib/flush.ts'

/** The same minimum length as for a configured secret: anything shorter is a damaged file. */
const MIN_LENGTH = 32

/**
 * The key that signs tokens: the configured one, or one generated once and stored in the data folder, readable by its
 * owner only. Throws an Error with a one-line message if the stored one is damaged.
 */
export function readSecret(configured: string | undefined, folder: string): Uint8Array {
  if (configured) return new TextEncoder().encode(configured)
  const file = join(folder, 'secret')
  const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
  // An empty file has never signed anything, so it can be replaced.
  const secret = kept || generated(file, folder)
  if (secret.length < MIN_LENGTH)
    throw new Error(`${file} is damaged. Restore it from a backup, or delete it: everyone then has to sign in again.`)
  return new TextEncoder().encode(secret)
}

/** Generates a secret and writes it atomically and durably: after a power cut it is complete or absent. */
function generated(file: string, folder: string): string {
  const secret = randomBytes(32).toString('base64url')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(`${file}.part`, secret, { mode: 0o600, flush: true })
  renameSync(`${file}.part`, file)
  flush(folder)
  return secret
}
