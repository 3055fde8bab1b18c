// Files as users and attackers send them, and requests that carry them.
import { setTimeout as sleep } from 'node:timers/promises'
import {
  BufferTarget,
  EncodedPacket,
  EncodedVideoPacketSource,
  type MetadataTags,
  Mp4OutputFormat,
  Output,
} from 'mediabunny'
import sharp, { type Sharp } from 'sharp'
import { db } from '#database/db.ts'
import { storage } from '../src/assets/storage.ts'
import { isWaiting } from '../src/assets/store.ts'
import { uploadSessions } from '../src/assets/uploadSessions.ts'
import { app } from './app.ts'

/** An image of one colour; `change` sets its format. */
export const aPicture = (width = 40, height = 30, change = (image: Sharp) => image.png()): Promise<Buffer> =>
  change(sharp({ create: { width, height, channels: 3, background: '#a34a12' } })).toBuffer()

/** A JPEG as a phone takes it: rotated by its metadata, with the location. */
export const aPhoto = (): Promise<Buffer> =>
  sharp({ create: { width: 40, height: 20, channels: 3, background: '#165e83' } })
    .withExif({ IFD0: { Copyright: 'SECRET-OWNER' }, IFD3: { GPSLatitude: '48/1 51/1 24/1', GPSLatitudeRef: 'N' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()

/** Silence, by default one second. */
export function aSound(seconds = 1): Buffer {
  const data = Buffer.alloc(8000 * seconds, 128)
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + data.length, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8000, 24)
  head.writeUInt32LE(8000, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36)
  head.writeUInt32LE(data.length, 40)
  return Buffer.concat([head, data])
}

/** Two seconds of video, 320 × 180, with metadata as from a camera; its frames are noise that is never decoded. */
export async function aVideo(tags: MetadataTags = {}): Promise<Buffer> {
  const output = new Output({ format: new Mp4OutputFormat(), target: new BufferTarget() })
  const source = new EncodedVideoPacketSource('vp9')
  output.addVideoTrack(source)
  output.setMetadataTags(tags)
  await output.start()
  const decoderConfig = { codec: 'vp09.00.10.08', codedWidth: 320, codedHeight: 180 }
  for (const at of [0, 1]) await source.add(new EncodedPacket(new Uint8Array(100), 'key', at, 1), { decoderConfig })
  await output.finalize()
  return Buffer.from(output.target.buffer ?? new ArrayBuffer(0))
}

/** The header of a PNG that claims to be huge, with hardly any data. */
export function aBomb(width = 50_000, height = 50_000): Buffer {
  const bytes = Buffer.from(
    '89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c4944415408d763f8ffff3f0005fe02fedccc59e70000000049454e44ae426082',
    'hex',
  )
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}

/** The keys of all stored files, sorted. */
export async function keptKeys(): Promise<string[]> {
  const keys: string[] = []
  for await (const key of storage.keys()) keys.push(key)
  return keys.toSorted()
}

/** Ends the uploads in parts that a test has left open, so that no file of them remains for the next test. */
export async function endUploads(): Promise<void> {
  await db.updateTable('uploads').set({ expiresAt: '2020-01-01T00:00:00.000Z' }).execute()
  await uploadSessions.deleteExpired()
}

interface Sent {
  token?: string
  /** The multipart field. */
  field?: string
  fields?: Record<string, string>
  url?: string
  method?: 'POST' | 'PUT'
  headers?: Record<string, string>
}

/** Uploads a file as a form does; returns the status and the body, once the file is processed. */
export async function send(
  content: Uint8Array | string,
  name: string,
  { token, field = 'file', fields = {}, url = '/api/assets', method = 'POST', headers }: Sent,
) {
  const form = new FormData()
  for (const [key, value] of Object.entries(fields)) form.append(key, value)
  form.append(field, new File([content as BlobPart], name, { type: 'image/png' }))
  const body = new Response(form)
  const signedIn = token && { authorization: `Bearer ${token}` }
  const answer = await app.inject({
    method,
    url,
    headers: { 'content-type': body.headers.get('content-type') ?? '', ...signedIn, ...headers },
    payload: Buffer.from(await body.arrayBuffer()),
  })
  const asset = answer.json<Record<string, unknown> & { _id: string; url: string }>()
  // On a busy machine, the response does not wait for the end.
  while (isWaiting(asset)) {
    await sleep(50)
    const found = await app.inject({ url: `/api/assets/${asset._id}`, headers: { ...signedIn } })
    Object.assign(asset, found.json())
  }
  return { status: answer.statusCode, body: asset }
}
