import type { FieldError } from '@mokuroku/contract/call'
import { SENTENCES } from '@mokuroku/contract/faults'
import { reasonText } from '@mokuroku/contract/reasons'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#lib/errors.ts'
import { machineFault } from '#lib/faults.ts'
import { isRead } from './methods.ts'

/** Limits for the response to a refusal: the number of faults, and their size in bytes. */
export const MAX_FAULTS = 10
const MAX_FAULT_BYTES = 6500
const MAX_MESSAGE = 500
const MAX_PATH = 200

/** Retry-After of a 429 that does not know when a retry makes sense, in seconds. */
const RETRY_AFTER_SECONDS = 10

const FASTIFY_CODES: Record<string, [number, string, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'tooLarge', reasonText('requestLarge')],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'mediaType', reasonText('contentType')],
  FST_ERR_CTP_EMPTY_JSON_BODY: [400, 'invalid', SENTENCES.noData],
  FST_ERR_CTP_INVALID_JSON_BODY: [400, 'invalid', SENTENCES.jsonFormat],
  FST_ERR_BAD_URL: [400, 'invalid', reasonText('malformedAddress')],
  // No id is that long.
  FST_ERR_MAX_PARAM_LENGTH: [404, 'notFound', reasonText('notFound')],
}

interface Failure {
  code?: string
  statusCode?: number
  headers?: Record<string, string>
}

/** The headers that describe a file, and not the response to an error. */
const FILE_HEADERS = ['content-type', 'content-disposition', 'content-range', 'accept-ranges', 'etag', 'last-modified']

/**
 * Sends the response to an error: a refusal with its own status and code, anything else without internal details. It
 * contains the request id, as the header and the log do.
 */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const requestId = request.id
  // If a file fails before its first byte, its headers are set, but not sent.
  for (const name of reply.raw.getHeaderNames()) reply.raw.removeHeader(name)
  for (const name of FILE_HEADERS) reply.removeHeader(name)
  reply.header('cache-control', 'no-store')
  if (error instanceof Refusal) {
    const { code, errors, more } = error
    // A write that is repeated for another entry could overwrite it.
    const status = error.status === 308 && !isRead(request) ? 409 : error.status
    const retryAfter = more.retryAfter ?? (status === 429 ? RETRY_AFTER_SECONDS : undefined)
    if (typeof retryAfter === 'number') reply.header('retry-after', retryAfter)
    if (status === 308) reply.header('location', request.url.replace(String(more.from), String(more.into)))
    if (status === 401) reply.header('www-authenticate', 'Bearer')
    const message = shortened(error.message, MAX_MESSAGE)
    return reply.code(status).send({ message, code, errors: errors && bounded(errors), requestId, ...more })
  }
  const { code = '', statusCode = 500, headers } = error as Failure
  // Of a 416: the size of the file.
  const range = headers?.['Content-Range']
  if (range !== undefined) reply.header('content-range', range)
  const known = FASTIFY_CODES[code]
  if (known) return reply.code(known[0]).send({ code: known[1], message: known[2], requestId })
  // Only a Refusal denies permission: the library for files answers 403 to a path such as `//` or `/../`.
  if (statusCode >= 400 && statusCode < 500)
    return reply
      .code(statusCode === 403 ? 400 : statusCode)
      .send({ code: 'invalid', message: reasonText('malformed'), requestId })
  request.log.error({ err: error, url: request.routeOptions.url }, 'call failed')
  const fault = machineFault(error)
  if (!fault) return reply.code(500).send({ code: 'internal', message: reasonText('failed'), requestId })
  const { status, message, retryAfter } = fault
  return reply.code(status).header('retry-after', retryAfter).send({ code: fault.code, message, requestId })
}

/** The first faults that fit: a call with thousands of errors gets a short response. */
function bounded(errors: FieldError[]): FieldError[] {
  const first = errors.slice(0, MAX_FAULTS).map((fault) => ({
    ...fault,
    path: shortened(fault.path, MAX_PATH),
    message: shortened(fault.message, MAX_MESSAGE),
  }))
  while (Buffer.byteLength(JSON.stringify(first)) > MAX_FAULT_BYTES) first.pop()
  return first
}

const shortened = (text: string, maxLength: number): string =>
  text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text
