import { createHmac, timingSafeEqual } from 'node:crypto'
import { Refusal } from '#lib/errors.ts'
import { semaphore } from '#lib/semaphore.ts'
import { sandbox } from '#sandbox/sandbox.ts'
import { deriveKey } from '#access/session.ts'
import type * as previewJob from './previewJob.ts'
import { time } from '#lib/clock.ts'
import { fetchPublic } from './sources/publicFetch.ts'

/** How long the URL of a preview is valid, in seconds: as long as somebody may look at a comparison. */
const PREVIEW_TTL_SECONDS = 6 * 3600
/** Maximum size of a fetched image, in bytes. */
const MAX_PREVIEW_BYTES = 12 * 1024 * 1024
/** Resource limits for making a preview: images from other hosts are as untrusted as uploads. */
const LIMITS = { cpuMs: 10_000, memoryMB: 1024 }
/** Number of cached previews, and of those made concurrently. */
const MAX_CACHED = 100
const CONCURRENCY = 2

const run = sandbox<typeof previewJob>(new URL('./previewJob.ts', import.meta.url))

const cache = new Map<string, Promise<Buffer>>()
const inTurn = semaphore(CONCURRENCY)

/** A signed URL on this server for an external image, since pages may not load images from other hosts. */
export function previewOf(url: string): string {
  const until = String(Math.floor(time() / 1000) + PREVIEW_TTL_SECONDS)
  return `/files/outside?${new URLSearchParams({ url, until, signature: signatureOf(url, until) })}`
}

/** The preview for a URL signed by `previewOf`: small and re-encoded. Undefined for any other or expired URL. */
export async function previewFor(query: Record<string, unknown>): Promise<Buffer | undefined> {
  const { url, until, signature } = query
  if (typeof url !== 'string' || typeof until !== 'string' || typeof signature !== 'string') return undefined
  const [given, expected] = [Buffer.from(signature), Buffer.from(signatureOf(url, until))]
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  if (!(Number(until) > time() / 1000)) return undefined
  try {
    return await cachedPreview(url)
  } catch {
    return undefined
  }
}

/** Fetches an image from the public web, unchanged; the declared content type is not checked. */
export async function fetchPicture(url: string, signal: AbortSignal): Promise<Buffer> {
  const { status, body } = await fetchPublic(url, {
    signal,
    maxBytes: MAX_PREVIEW_BYTES,
    headers: { accept: 'image/*' },
  })
  if (status !== 200) throw new Refusal(502, 'outside.answer', 'The host has no image at this address.')
  return body
}

const signatureOf = (url: string, until: string): string =>
  createHmac('sha256', deriveKey('outside')).update(`${url}\n${until}`).digest('base64url')

function cachedPreview(url: string): Promise<Buffer> {
  const known = cache.get(url)
  if (known) return known
  const made = inTurn(() => makePreview(url))
  cache.set(url, made)
  made.catch(() => cache.delete(url))
  const [oldest] = cache.keys()
  if (cache.size > MAX_CACHED && oldest) cache.delete(oldest)
  return made
}

async function makePreview(url: string): Promise<Buffer> {
  const bytes = await fetchPicture(url, AbortSignal.timeout(20_000))
  return Buffer.from(await run('preview', { bytes }, LIMITS))
}
