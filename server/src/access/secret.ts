import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { flush } from '#lib/flush.ts'

/** As of a configured one: fewer characters are no secret, but what is left of a file. */
const LEAST = 32

/**
 * The key that signs tokens: as configured, or made once and kept in the data folder, readable by its owner only.
 * Throws an Error of one line for a kept one that is damaged.
 */
export function readSecret(configured: string | undefined, folder: string): Uint8Array {
  if (configured) return new TextEncoder().encode(configured)
  const file = join(folder, 'secret')
  const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
  // One that is empty has never signed anything.
  const secret = kept || made(file, folder)
  if (secret.length < LEAST)
    throw new Error(`${file} is damaged. Put it back from a backup, or delete it: then everybody signs in anew.`)
  return new TextEncoder().encode(secret)
}

/** Makes a secret that is there whole or not at all, also after a power cut. */
function made(file: string, folder: string): string {
  const secret = randomBytes(32).toString('base64url')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(`${file}.part`, secret, { mode: 0o600, flush: true })
  renameSync(`${file}.part`, file)
  flush(folder)
  return secret
}
