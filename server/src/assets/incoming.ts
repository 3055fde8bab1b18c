import { fieldError } from '@mokuroku/contract/faults'
import { reasonText } from '@mokuroku/contract/reasons'
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { MULTIPART_OVERHEAD_BYTES } from '#http/receive.ts'
import { invalid, Refusal } from '#lib/errors.ts'
import { isDatabaseGone, machineFault } from '#lib/faults.ts'

export interface Received {
  size: number
  /** SHA-256, in hex. */
  contentHash: string
}

/**
 * Writes a stream to a file, and stops as soon as it exceeds `maxBytes`; `tooLarge` throws the error for the sender.
 * If the request declares a `length`, it can be refused before anything is read.
 */
export async function writeTo(
  file: string,
  stream: Readable,
  { maxBytes, length, tooLarge }: { maxBytes: number; length: number | undefined; tooLarge: () => never },
): Promise<Received> {
  if (length !== undefined && length > maxBytes + MULTIPART_OVERHEAD_BYTES) tooLarge()
  const hash = createHash('sha256')
  let size = 0
  const counting = new Transform({
    transform(chunk: Buffer, _, done) {
      size += chunk.length
      if (size > maxBytes) return done(new TooLarge())
      hash.update(chunk)
      done(null, chunk)
    },
  })
  try {
    await pipeline(stream, counting, createWriteStream(file, { flags: 'a', mode: 0o600, flush: true }))
  } catch (error) {
    if (error instanceof TooLarge) tooLarge()
    // The session ended, or the upload timed out.
    if (error instanceof Refusal) throw error
    // A machine fault is the server's problem and is reported as such; a lost connection is the sender's.
    if (machineFault(error) && !isDatabaseGone(error)) throw error
    return invalid([fieldError('file', 'partOfFile')], reasonText('uploadInterrupted'))
  }
  return { size, contentHash: hash.digest('hex') }
}

class TooLarge extends Error {}

/** SHA-256 of a file in hex. */
export async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
