import { reasonText } from '@mokuroku/contract/reasons'
import { Refusal } from '#lib/errors.ts'
import { assets } from '#store/assets'
import { verifySignedUrl } from './urls.ts'
import { sizedKey } from './keys.ts'

export interface Served {
  /** The key of the file in the storage. */
  key: string
  headers: Record<string, string>
}

/** A picture, a video or a sound may be shown; nothing else may, and nothing may run. */
const SHOWN = /^(image\/(?!svg)|video\/|audio\/)/
/** Media and styles are what a browser's own viewer of pictures and videos uses. */
const NOTHING_RUNS = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox"

/** What every key looks like: no other text is even looked for. */
const KEY = /^[\w-]{1,80}\.\w{1,8}$/

/**
 * The file behind `/files/:key`, and the headers that it must be served with. Undefined for what there is not, or not
 * for this caller: a private asset needs an address that was signed within the last 5 minutes.
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
  const disposition = SHOWN.test(mimeType) && download === undefined ? 'inline' : 'attachment'
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

/** A text as RFC 5987 wants it in a header. */
const encoded = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
