import { createHmac, timingSafeEqual } from 'node:crypto'
import { Refusal } from '#lib/errors.ts'
import { semaphore } from '#lib/semaphore.ts'
import { sandbox } from '#sandbox/sandbox.ts'
import { keyFor } from '#access/session.ts'
import type * as previewJob from './previewJob.ts'
import { time } from '#lib/clock.ts'
import { fetchPublic } from './sources/publicFetch.ts'

/** How long the address of a preview can be used, in seconds: as long as somebody may look at a comparison. */
const PREVIEW_TTL_SECONDS = 6 * 3600
/** Bytes of a picture that is fetched. */
const MAX_PREVIEW_BYTES = 12 * 1024 * 1024
/** What drawing a preview may use: pictures from elsewhere are as little to be trusted as those of a user. */
const LIMITS = { cpuMs: 10_000, memoryMB: 1024 }
/** Previews that are kept ready, and how many are made at once. */
const MAX_CACHED = 100
const CONCURRENCY = 2

const run = sandbox<typeof previewJob>(new URL('./previewJob.ts', import.meta.url))

const kept = new Map<string, Promise<Buffer>>()
const inTurn = semaphore(CONCURRENCY)

/** Where this server shows a picture that was found elsewhere: a page may load none from another host. */
export function previewOf(url: string): string {
  const until = String(Math.floor(time() / 1000) + PREVIEW_TTL_SECONDS)
  return `/files/outside?${new URLSearchParams({ url, until, signature: signatureOf(url, until) })}`
}

/** The picture behind an address that was made here: small, drawn anew. Undefined for any other address. */
export async function previewFor(query: Record<string, unknown>): Promise<Buffer | undefined> {
  const { url, until, signature } = query
  if (typeof url !== 'string' || typeof until !== 'string' || typeof signature !== 'string') return undefined
  const [given, right] = [Buffer.from(signature), Buffer.from(signatureOf(url, until))]
  if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined
  if (!(Number(until) > time() / 1000)) return undefined
  try {
    return await picture(url)
  } catch {
    return undefined
  }
}

/** A picture of the public web as it is, whatever its host says that it is. */
export async function fetchPicture(url: string, signal: AbortSignal): Promise<Buffer> {
  const { status, body } = await fetchPublic(url, { signal, most: MAX_PREVIEW_BYTES, headers: { accept: 'image/*' } })
  if (status !== 200) throw new Refusal(502, 'outside.answer', 'The host has no image at this address.')
  return body
}

const signatureOf = (url: string, until: string): string =>
  createHmac('sha256', keyFor('outside')).update(`${url}\n${until}`).digest('base64url')

function picture(url: string): Promise<Buffer> {
  const known = kept.get(url)
  if (known) return known
  const made = inTurn(() => draw(url))
  kept.set(url, made)
  made.catch(() => kept.delete(url))
  const [oldest] = kept.keys()
  if (kept.size > MAX_CACHED && oldest) kept.delete(oldest)
  return made
}

async function draw(url: string): Promise<Buffer> {
  const bytes = await fetchPicture(url, AbortSignal.timeout(20_000))
  return Buffer.from(await run('preview', { bytes }, LIMITS))
}
