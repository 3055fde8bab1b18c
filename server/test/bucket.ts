// An S3-compatible service on loopback, as far as the server uses one: signatures, multipart uploads, ranges, and
// faults.
import { createHash, createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bucket } from '../src/assets/fileStore.ts'

/** Minimum size of a part, except the last one, in bytes. */
const MIN_PART_BYTES = 5 * 1024 * 1024
/** Delay of `late` responses, in milliseconds. */
const DELAY_MS = 1500
/** Page size of listings: small, so that a test's listing has several pages. */
const PAGE = 5

export interface Fault {
  /**
   * `slowDown` responds with 503, `cut` closes the connection in the middle of the body, `headersOnly` before it, and
   * `hangUp` before any response; `stall` sends half of the body, `late` responds after a while, `silence` never.
   */
  kind: 'slowDown' | 'cut' | 'headersOnly' | 'hangUp' | 'stall' | 'late' | 'silence'
  method?: string
  /** A query parameter that the request must have, such as `partNumber`. */
  query?: string
  times: number
}

interface Call {
  method: string
  key: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: Buffer
}
interface Answer {
  status: number
  headers?: Record<string, string>
  body?: Buffer | string
}

/**
 * A service with one bucket. `faults` are consumed in order; `calls` lists the requests that were answered or dropped.
 */
export async function aBucket() {
  const access = { region: 'test-1', accessKeyId: 'TESTKEY', secretAccessKey: randomUUID() }
  const objects = new Map<string, { body: Buffer; at: Date }>()
  const uploads = new Map<string, { key: string; at: Date; parts: Map<number, Buffer> }>()
  const faults: Fault[] = []
  const calls: string[] = []
  const sockets = new Set<Socket>()
  const name = 'assets'
  const service = { objects, uploads }
  /** By how much its clock is ahead of that of this machine, in milliseconds. */
  let aheadMs = 0

  const server = createServer((request, response) => void answer(request, response))
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  let port = 0
  const start = async () => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (address !== null && typeof address !== 'string') port = address.port
  }
  const stop = async () => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  await start()

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const url = new URL(request.url ?? '/', 'http://host')
    const [, of = '', ...rest] = url.pathname.split('/')
    const call: Call = {
      method: request.method ?? '',
      key: decodeURIComponent(rest.join('/')),
      query: url.searchParams,
      headers: request.headers,
      body,
    }
    calls.push(`${call.method} ${[...call.query.keys()].filter((each) => each !== 'x-id').join(' ')}`.trim())
    const fault = faults.find(
      ({ method, query, times }) =>
        times > 0 && (method ?? call.method) === call.method && (query === undefined || call.query.has(query)),
    )
    if (fault) fault.times -= 1
    if (fault?.kind === 'hangUp') return void request.socket.destroy()
    if (fault?.kind === 'silence') return
    if (fault?.kind === 'late') await sleep(DELAY_MS)
    if (fault?.kind === 'slowDown') return send(response, call, failed(503, 'SlowDown'))
    response.setHeader('date', new Date(Date.now() + aheadMs).toUTCString())
    const wrong = wrongSignature(request, url, body, access, Date.now() + aheadMs)
    if (wrong) return send(response, call, failed(wrong === 'AuthorizationHeaderMalformed' ? 400 : 403, wrong))
    if (of !== name) return send(response, call, failed(404, 'NoSuchBucket'))
    send(response, call, perform(service, call), fault?.kind)
  }

  return {
    bucket: { name, ...access, endpoint: `http://127.0.0.1:${port}` } satisfies Bucket,
    env: {
      S3_BUCKET: name,
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_REGION: access.region,
      S3_ACCESS_KEY_ID: access.accessKeyId,
      S3_SECRET_ACCESS_KEY: access.secretAccessKey,
    },
    objects,
    uploads,
    calls,
    fail: (...next: Fault[]) => void faults.splice(0, faults.length, ...next),
    setAhead: (ms: number) => void (aheadMs = ms),
    start,
    stop,
  }
}

function send(
  response: ServerResponse,
  { method }: Call,
  { status, headers, body = '' }: Answer,
  fault?: Fault['kind'],
): void {
  const bytes = Buffer.from(body)
  response.writeHead(status, { 'content-length': bytes.length, ...headers })
  if (method === 'HEAD') return void response.end()
  const half = bytes.subarray(0, bytes.length / 2)
  if (fault === 'cut') response.write(half, () => response.destroy())
  else if (fault === 'stall') response.write(half)
  else if (fault === 'headersOnly') {
    response.flushHeaders()
    setImmediate(() => response.destroy())
  } else response.end(bytes)
}

const failed = (status: number, code: string): Answer => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`,
})
const xml = (text: string): Answer => ({
  status: 200,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0" encoding="UTF-8"?>${text}`,
})

interface Service {
  objects: Map<string, { body: Buffer; at: Date }>
  uploads: Map<string, { key: string; at: Date; parts: Map<number, Buffer> }>
}

function perform(service: Service, call: Call): Answer {
  const { method, key, query } = call
  if (!key) return ofBucket(service, call)
  if (query.has('uploads') || query.has('uploadId')) return ofUpload(service, call)
  if (method === 'PUT') {
    service.objects.set(key, { body: call.body, at: new Date() })
    return { status: 200, headers: { etag: etagOf(call.body) } }
  }
  if (method === 'DELETE') {
    service.objects.delete(key)
    return { status: 204 }
  }
  return read(service, call)
}

function ofBucket({ objects, uploads }: Service, { method, query }: Call): Answer {
  if (method === 'HEAD') return { status: 200 }
  if (query.has('uploads')) {
    const shown = [...uploads].map(
      ([id, { key, at }]) =>
        `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${at.toISOString()}</Initiated></Upload>`,
    )
    return xml(`<ListMultipartUploadsResult>${shown.join('')}</ListMultipartUploadsResult>`)
  }
  const from = query.get('continuation-token') ?? ''
  const keys = [...objects.keys()].toSorted().filter((key) => key > from)
  const more = keys.length > PAGE ? `<NextContinuationToken>${keys[PAGE - 1]}</NextContinuationToken>` : ''
  const contents = keys.slice(0, PAGE).map((key) => `<Contents><Key>${key}</Key></Contents>`)
  return xml(
    `<ListBucketResult><IsTruncated>${more !== ''}</IsTruncated>${contents.join('')}${more}</ListBucketResult>`,
  )
}

function ofUpload({ objects, uploads }: Service, { method, key, query, body }: Call): Answer {
  if (query.has('uploads')) {
    const id = randomUUID()
    uploads.set(id, { key, at: new Date(), parts: new Map() })
    return xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
  }
  const id = query.get('uploadId') ?? ''
  const upload = uploads.get(id)
  if (upload?.key !== key) return failed(404, 'NoSuchUpload')
  if (method === 'PUT') {
    upload.parts.set(Number(query.get('partNumber')), body)
    return { status: 200, headers: { etag: etagOf(body) } }
  }
  if (method === 'POST') {
    const named = [...body.toString().matchAll(/<Part>(.*?)<\/Part>/g)].map(([, part = '']) => ({
      number: Number(/<PartNumber>(\d+)</.exec(part)?.[1]),
      etag: /<ETag>(.*?)</.exec(part)?.[1]?.replaceAll('&quot;', '"'),
    }))
    const parts = named.map(({ number, etag }) => {
      const part = upload.parts.get(number)
      return part && etagOf(part) === etag ? part : undefined
    })
    if (parts.some((part) => !part)) return failed(400, 'InvalidPart')
    if (parts.slice(0, -1).some((part) => (part?.length ?? 0) < MIN_PART_BYTES)) return failed(400, 'EntityTooSmall')
    const whole = Buffer.concat(parts.flatMap((part) => part ?? []))
    objects.set(key, { body: whole, at: new Date() })
    uploads.delete(id)
    return xml(
      `<CompleteMultipartUploadResult><ETag>&quot;${randomUUID()}&quot;</ETag></CompleteMultipartUploadResult>`,
    )
  }
  uploads.delete(id)
  return { status: 204 }
}

function read({ objects }: Service, { method, key, headers }: Call): Answer {
  const object = objects.get(key)
  if (!object) return failed(404, 'NoSuchKey')
  const { body, at } = object
  const etag = etagOf(body)
  if (headers['if-none-match'] === etag) return { status: 304 }
  const known = { etag, 'last-modified': at.toUTCString(), 'accept-ranges': 'bytes' }
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '') ?? []
  if (!from && !to)
    return {
      status: 200,
      headers: { ...known, 'content-length': String(body.length) },
      body: method === 'HEAD' ? '' : body,
    }
  const start = from ? Number(from) : Math.max(0, body.length - Number(to))
  const end = Math.min(from && to ? Number(to) : body.length - 1, body.length - 1)
  if (start > end) return failed(416, 'InvalidRange')
  const part = body.subarray(start, end + 1)
  const range = { 'content-range': `bytes ${start}-${end}/${body.length}`, 'content-length': String(part.length) }
  return { status: 206, headers: { ...known, ...range }, body: part }
}

const etagOf = (body: Buffer): string => `"${createHash('md5').update(body).digest('hex')}"`

/**
 * Checks AWS Signature Version 4, including the hash of the body. Undefined if it is right, otherwise the error code.
 */
function wrongSignature(
  { method = '', headers }: IncomingMessage,
  url: URL,
  body: Buffer,
  { region, accessKeyId, secretAccessKey }: Pick<Bucket, 'region' | 'accessKeyId' | 'secretAccessKey'>,
  now: number,
): string | undefined {
  const found =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([\da-f]{64})$/.exec(
      headers.authorization ?? '',
    )
  if (!found) return 'AccessDenied'
  const [, key, day = '', where = '', signed = '', signature] = found
  if (key !== accessKeyId) return 'InvalidAccessKeyId'
  if (where !== region) return 'AuthorizationHeaderMalformed'
  const date = String(headers['x-amz-date'])
  const at = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!(Math.abs(at - now) < 15 * 60_000) || !date.startsWith(day)) return 'RequestTimeTooSkewed'
  if (headers['x-amz-content-sha256'] !== sha256(body)) return 'XAmzContentSHA256Mismatch'
  const names = signed.split(';')
  if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => names.includes(name))) return 'AccessDenied'
  const query = [...url.searchParams]
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .toSorted()
    .join('&')
  const lines = names.map((name) => `${name}:${String(headers[name]).trim()}\n`).join('')
  const canonical = [method, url.pathname, query, lines, signed, sha256(body)].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')
  const signingKey = [day, region, 's3', 'aws4_request'].reduce<Buffer | string>(
    (before, part) => hmac(before, part),
    `AWS4${secretAccessKey}`,
  )
  return hmac(signingKey, text).toString('hex') === signature ? undefined : 'SignatureDoesNotMatch'
}

const sha256 = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex')
const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest()
const escaped = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
