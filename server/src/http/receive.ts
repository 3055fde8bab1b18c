import { fieldError } from '@mokuroku/contract/faults'
import { reasonText } from '@mokuroku/contract/reasons'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { PassThrough, Readable } from 'node:stream'
import { invalid, Refusal } from '#lib/errors.ts'

/** A file that is being uploaded. Read its stream to the end, or destroy it. */
export interface Upload {
  /** The client's name for it; untrusted. */
  filename: string
  /** The short text fields that came before the file. */
  fields: Record<string, string>
  /** The short text fields of the whole form, once the stream is read to its end. */
  allFields: () => Promise<Record<string, string>>
  stream: Readable
  /** Where in the whole file a part begins; 0 for a whole one. */
  offset: number
  /** How many bytes the request says it has: at least as many as the file. */
  length: number | undefined
}

/** A request that may carry a file. */
interface Carrier {
  headers: IncomingHttpHeaders
  body: unknown
  isMultipart: () => boolean
  parts: () => AsyncIterableIterator<Part>
}

interface Part {
  fieldname: string
  /** Absent if the part is a file only by its type. */
  filename?: string | undefined
  /** Absent in a text field. */
  file?: Readable
  fields: Record<string, unknown>
}

/** The media type of a part of a file, as in the tus protocol. */
export const PART = 'application/offset+octet-stream'
/** Maximum overhead of a multipart request: boundaries, headers and small fields. */
export const MULTIPART_OVERHEAD_BYTES = 64 * 1024
const MAX_FIELDS = 10
/** What a form may hold: a file, and short texts. */
export const FORM_LIMITS = { fileSize: Infinity, files: 1, fields: MAX_FIELDS, fieldSize: 1000 }
/** How long a request with a file may take to arrive. */
const UPLOAD_TIMEOUT_MS = 60 * 60_000
/** How long the rest of a refused upload is read and dropped. */
const DRAIN_TIMEOUT_MS = 5000

/**
 * Opens the file that a request carries in the multipart field `field`, or as its body if that is 'part'. The stream
 * fails with the reason when `signal` is aborted, and with a 408 when it takes longer than `timeoutMs` milliseconds.
 */
export async function receive(
  request: Carrier,
  field: string,
  signal: AbortSignal,
  timeoutMs = UPLOAD_TIMEOUT_MS,
): Promise<Upload> {
  const ending = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  const ended = new Promise<never>((_, reject) => {
    const end = () => reject(reasonOf(ending))
    if (ending.aborted) end()
    else ending.addEventListener('abort', end, { once: true })
  })
  const opening = open(request, field)
  opening
    .then(({ stream }) => {
      // Nobody may be reading it any more.
      stream.on('error', () => undefined)
      return ended.catch((reason: Error) => stream.destroy(reason))
    })
    .catch(() => undefined)
  return Promise.race([opening, ended])
}

function reasonOf({ reason }: AbortSignal): Error {
  if (reason instanceof Refusal) return reason
  if ((reason as Error).name === 'TimeoutError') return new Refusal(408, 'timeout', reasonText('uploadSlow'))
  return new Error('The connection was lost')
}

/** Decimal digits, as in the protocol: `Number` would also read an empty header as 0, and other notations. */
const offsetOf = (header: unknown): number => (/^\d+$/.test(String(header)) ? Number(header) : Number.NaN)

async function open(request: Carrier, field: string): Promise<Upload> {
  const length = Number(request.headers['content-length'] ?? Number.NaN)
  const common = { length: Number.isFinite(length) ? length : undefined }
  if (field === 'part') {
    const offset = offsetOf(request.headers['upload-offset'])
    if (!(request.body instanceof Readable))
      throw new Refusal(415, 'mediaType', reasonText('partExpected', { type: PART }))
    if (!Number.isSafeInteger(offset)) invalid([{ path: 'Upload-Offset', message: reasonText('partOffset') }])
    return { ...common, filename: '', fields: {}, allFields: async () => ({}), stream: detached(request.body), offset }
  }
  if (!request.isMultipart()) throw new Refusal(415, 'mediaType', reasonText('formExpected', { field }))
  const parts = request.parts()
  const part = await nextFile(parts)
  if (!part?.file || part.fieldname !== field)
    return invalid([fieldError(field, 'noFile')], reasonText('fileMissing', { field }))
  // Forms escape what would end the header like this (HTML, multipart/form-data encoding).
  const { filename: given = '' } = part
  const filename = given.replace(/%(22|0D|0A)/gi, (_, code: string) => (code === '22' ? '"' : ' '))
  const allFields = async () => {
    await nextFile(parts)
    return textsIn(part.fields)
  }
  return { ...common, filename, fields: textsIn(part.fields), allFields, stream: part.file, offset: 0 }
}

/** The next part of a form that is a file; none if the form has been read to its end. */
async function nextFile(parts: AsyncIterableIterator<Part>): Promise<Part | undefined> {
  for (;;) {
    const { done, value } = await parts.next().catch(refuseForm)
    if (done) return undefined
    if (value.file) return value
  }
}

/** The text fields of a form; of a repeated one, the last. */
const textsIn = (fields: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, given]) => {
      const last: unknown = [given].flat().at(-1)
      return typeof last === 'object' && last && 'value' in last ? [[name, String(last.value)] as const] : []
    }),
  )

/** A form with more than is read is refused, because what the rest says would be ignored; a malformed one as well. */
function refuseForm(error: unknown): never {
  const isLong = /^FST_(FILES|FIELDS|PARTS)_LIMIT$/.test((error as { code?: string }).code ?? '')
  throw new Refusal(
    400,
    'invalid',
    isLong ? reasonText('formLong', { limit: MAX_FIELDS }) : reasonText('malformedForm'),
  )
}

/** A stream that can be destroyed without closing the connection, on which the response still has to be sent. */
function detached(body: Readable): Readable {
  const stream = body.pipe(new PassThrough())
  body.once('close', () => body.readableEnded || stream.destroy(new Error('The connection was lost')))
  return stream
}

/** Reads and drops the rest of a body for a while after the response, so that the client receives the response. */
export function drain(request: IncomingMessage): void {
  if (request.complete) return
  request.unpipe()
  request.resume()
  setTimeout(() => request.complete || request.destroy(), DRAIN_TIMEOUT_MS).unref()
}
