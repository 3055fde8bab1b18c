// Compresses long responses for clients that accept it: on a slow connection, a list arrives several times sooner.
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import negotiator from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { lazy } from '#lib/lazy.ts'

/** Shorter texts fit in a packet or two anyway. */
const MIN_COMPRESSED_BYTES = 4096

const compress = promisify(gzip)

/** A text to send; a cached one also keeps its compressed form. */
export interface Text {
  text: Buffer | string
  compressed?: () => Promise<Buffer>
}

/** Sets Vary for long texts, whose encoding depends on the request; also for a 304. */
export function varyByEncoding({ text }: Text, reply: FastifyReply): void {
  if (text.length < MIN_COMPRESSED_BYTES) return
  const others = reply.getHeader('vary')
  reply.header('vary', others ? `${String(others)}, accept-encoding` : 'accept-encoding')
}

/** The bytes to send for a text; sets Content-Encoding if they are compressed. */
export async function bytesOf(sent: Text, request: FastifyRequest, reply: FastifyReply): Promise<Buffer | string> {
  if (sent.text.length < MIN_COMPRESSED_BYTES) return sent.text
  if (negotiator.negotiate(request.headers['accept-encoding'] ?? '', ['gzip', 'identity']) !== 'gzip') return sent.text
  reply.header('content-encoding', 'gzip')
  sent.compressed ??= lazy(() => compress(sent.text))
  return sent.compressed()
}
