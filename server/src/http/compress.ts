// Long answers are sent compressed to whoever takes that: on a slow line, a list is there several times as soon.
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import negotiator from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Of less, in bytes, a packet or two are all there is. */
const LEAST = 4096

const compress = promisify(gzip)

/** A text to send; one that is kept keeps its compressed form too. */
export interface Text {
  text: Buffer | string
  compressed?: Promise<Buffer>
}

/** Says that a long text is sent as its reader takes it, also where it is not sent again (304). */
export function varyByEncoding({ text }: Text, reply: FastifyReply): void {
  if (text.length < LEAST) return
  const others = reply.getHeader('vary')
  reply.header('vary', others ? `${String(others)}, accept-encoding` : 'accept-encoding')
}

/** The bytes to send of a text, with the header that says so. */
export async function bytesOf(sent: Text, request: FastifyRequest, reply: FastifyReply): Promise<Buffer | string> {
  if (sent.text.length < LEAST) return sent.text
  if (negotiator.negotiate(request.headers['accept-encoding'] ?? '', ['gzip', 'identity']) !== 'gzip') return sent.text
  reply.header('content-encoding', 'gzip')
  return (sent.compressed ??= compress(sent.text))
}
