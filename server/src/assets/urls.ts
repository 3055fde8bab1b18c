import { createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKey } from '#access/session.ts'
import type { Tables } from '#database/tables.ts'
import { CLOCK_TOLERANCE_MS, time } from '#lib/clock.ts'
import { hasPreview, type Size } from './keys.ts'

/** Maximum lifetime of a signed URL for a private asset, in seconds. */
const URL_TTL_SECONDS = 5 * 60
/** Signed URLs created within this many seconds are identical, so that responses containing them stay the same. */
const URL_STEP_SECONDS = 60
type Located = Pick<Tables['assets'], 'type' | 'storageKey' | 'isPublic' | 'status' | 'dimensions'>
export interface AssetUrls {
  url: string
  thumbnail?: string
  preview?: string
}

/** The URLs of an asset, relative to the API host. Only create them for users who may see the asset. */
export function assetUrls({ type, storageKey, isPublic, status, dimensions }: Located): AssetUrls {
  const signed = isPublic ? {} : signatureOf(storageKey, nextExpiry())
  const address = (size?: Size) => {
    const query = new URLSearchParams({ ...(size && { size }), ...signed })
    return `/files/${storageKey}${query.size > 0 ? `?${query}` : ''}`
  }
  if (type !== 'IMAGE' || status !== 'READY') return { url: address() }
  const preview = hasPreview(dimensions) && { preview: address('medium') }
  return { url: address(), thumbnail: address('small'), ...preview }
}

const nextExpiry = (): number => Math.floor(time() / 1000 / URL_STEP_SECONDS) * URL_STEP_SECONDS + URL_TTL_SECONDS

/** Whether a URL has a valid signature, and if so, whether it has expired. */
export function verifySignedUrl(storageKey: string, expires: unknown, signature: unknown): 'good' | 'late' | 'wrong' {
  // Only as it was signed: of the other ways to write the number, each would be a URL of its own.
  if (typeof signature !== 'string' || typeof expires !== 'string' || !/^[1-9]\d{0,14}$/.test(expires)) return 'wrong'
  const at = Number(expires)
  const [given, right] = [Buffer.from(signature), Buffer.from(signatureOf(storageKey, at).signature)]
  if (given.length !== right.length || !timingSafeEqual(given, right)) return 'wrong'
  const rest = at - time() / 1000
  // One that expires later was signed while the clock was wrong.
  return rest > 0 && rest <= URL_TTL_SECONDS + CLOCK_TOLERANCE_MS / 1000 ? 'good' : 'late'
}

function signatureOf(storageKey: string, expires: number): { expires: string; signature: string } {
  const signature = createHmac('sha256', deriveKey('files')).update(`${storageKey}\n${expires}`).digest('base64url')
  return { expires: String(expires), signature }
}
