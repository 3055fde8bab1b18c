import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { deriveKey } from './session.ts'

const ALGORITHM = 'aes-256-gcm'
const [NONCE, TAG] = [12, 16]

/**
 * Encrypts a secret for the database, with a key derived (HKDF, RFC 5869) from the one that signs tokens. Returns
 * base64url that can be decrypted only with the same `purpose`.
 */
export function seal(secret: string, purpose: string): string {
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv(ALGORITHM, key(), nonce).setAAD(Buffer.from(purpose))
  const sealed = [cipher.update(secret, 'utf8'), cipher.final()]
  return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]).toString('base64url')
}

/** Decrypts; undefined if the value was altered, or sealed for another purpose or with another AUTH_SECRET. */
export function unseal(sealed: string, purpose: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length < NONCE + TAG) return undefined
  const decipher = createDecipheriv(ALGORITHM, key(), bytes.subarray(0, NONCE), { authTagLength: TAG })
    .setAAD(Buffer.from(purpose))
    .setAuthTag(bytes.subarray(NONCE, NONCE + TAG))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

const key = (): Buffer => Buffer.from(hkdfSync('sha256', deriveKey('sealing'), '', 'mokuroku settings', 32))
