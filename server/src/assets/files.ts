import { reasonText } from '@mokuroku/contract/reasons'
import { Refusal } from '#lib/errors.ts'
import { assets } from '#store/assets'
import { verifySignedUrl } from './urls.ts'
import { sizedKey } from './keys.ts'

export interface Served {
  /** Storage key of the file. */
  key: string
  headers: Record<string, string>
}

/** Types that may be shown inline: images, videos and audio; SVG may not, since it can contain scripts. */
const INLINE_TYPES = /^(image\/(?!svg)|video\/|audio\/)/
/** Media and styles are needed by the browser's own image and video viewer. */
const NOTHING_RUNS = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox"

/** The format of keys: anything else is not even looked up. */
const KEY = /^[\w-]{1,80}\.\w{1,8}$/

/**
 * The file behind `/files/:key` and the headers to serve it with. Undefined if it does not exist, or is not accessible:
 * a private asset needs a signed URL no older than 5 minutes.
 */
export async function servedFile(
  storageKey: string,
  { size, expires, signature, download }: Record<string, unknown>,
): Promise<Served | undefined> {
  if (!KEY.test(storageKey)) return undefined
  const asset = await assets.withFile(storageKey)
  if (!asset) return undefined
  const address = asset.isPublic ? 'good' : verifySignedUrl(storageKey, expires, signature)
  if (address === 'wrong') return undefined
  if (address === 'late') throw new Refusal(403, 'expired', reasonText('linkExpired'))
  const sized = size === 'small' || size === 'medium' ? size : undefined
  const mimeType = sized ? 'image/webp' : asset.mimeType
  const disposition = INLINE_TYPES.test(mimeType) && download === undefined ? 'inline' : 'attachment'
  return {
    key: sized ? sizedKey(storageKey, sized) : storageKey,
    headers: {
      'content-type': mimeType,
      'content-disposition': `${disposition}; filename*=UTF-8''${encoded(asset.filename)}`,
      'content-security-policy': NOTHING_RUNS,
      // A file never changes under its key, but its asset may become private.
      'cache-control': asset.isPublic ? 'public, max-age=3600' : 'private, max-age=300',
    },
  }
}

/** Encodes a text for a header (RFC 5987). */
const encoded = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
