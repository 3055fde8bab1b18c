import { createWriteStream } from 'node:fs'
import { open, readFile, rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  type CompletedPart,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { duration } from '#lib/metrics.ts'
import { beginSpan } from '#lib/tracing.ts'
import { DAY_MS, time } from '#lib/clock.ts'
import { newId } from '#lib/ids.ts'
import { type Bucket, type FileResponse, sizeOf, type Store, StorageError, type ReadOptions } from './fileStore.ts'

/** Larger files are uploaded in parts of this size, so that no more of a file is in memory at a time. */
const PART_BYTES = 8 * 1024 * 1024
/** The number of attempts for a call, with backoff in between, and for a download that was cut off. */
const MAX_ATTEMPTS = 4
/** Timeouts for the response to one call, and for the transfer of a whole file, in milliseconds. */
const READ_TIMEOUT_MS = 2 * 60_000
const TRANSFER_TIMEOUT_MS = 15 * 60_000
/** How long the service may send nothing, in milliseconds. */
const IDLE_TIMEOUT_MS = 10_000
/** How many connections there may be, besides those for files that are sent on while they are read. */
const MAX_CONNECTIONS = 50
/** A multipart upload older than this, in milliseconds, counts as abandoned. */
const ABANDONED_AFTER_MS = DAY_MS
/** How long the local copy of a file is kept for processing on this server, in milliseconds. */
const COPY_KEPT_MS = 10 * 60_000
/**
 * What a caller may pass on to the service: a single range, and one ETag. A request with others gets the whole file. The
 * service would refuse long ones, which would look like a failure of the service.
 */
const RANGE = /^bytes=(\d{1,19}-\d{0,19}|-\d{1,19})$/
const ETAG = /^(?:W\/)?("[!#-~]{1,100}")$/

const calls = duration(
  'bucket_request_duration_seconds',
  'Duration of calls to the bucket, tries included, in seconds',
  ['operation', 'outcome'],
)

/**
 * Opens a bucket as the file store. `incoming` returns paths for local files. Throws an Error with a one-line message
 * if it cannot be used.
 */
export async function openBucket(bucket: Bucket, incoming: (name: string) => string): Promise<Store> {
  const { name: Bucket } = bucket
  const client = clientFor(bucket, { requestTimeout: READ_TIMEOUT_MS, socketTimeout: IDLE_TIMEOUT_MS }, MAX_CONNECTIONS)
  // For files that are sent on while they are read. Their readers may be slow: then a connection is idle, and nothing
  // else waits for it.
  const reader = clientFor(bucket, { requestTimeout: IDLE_TIMEOUT_MS, socketTimeout: 0 }, Infinity)
  await client.send(new HeadBucketCommand({ Bucket })).catch((error) => refuseStart(error, bucket))
  await dropOldParts(client, Bucket)
  const copyOf = (key: string) => incoming(`${key}.copy`)
  const copyTo = (file: string, key: string) => withStorageErrors(download(client, { Bucket, Key: key }, file))

  return {
    keep: async (file, key, soon) => {
      await withStorageErrors(upload(client, { Bucket, Key: key }, file))
      if (!soon) return rm(file, { force: true })
      await rename(file, copyOf(key))
      // Another server may process the file instead.
      setTimeout(() => void rm(copyOf(key), { force: true }).catch(() => undefined), COPY_KEPT_MS).unref()
    },
    withFile: async (key, work) => {
      // A name of its own, so that it is not removed while it is in use.
      const copy = incoming(`${key}.${newId()}.copy`)
      await rename(copyOf(key), copy).catch(() => copyTo(copy, key))
      try {
        return await work(copy)
      } finally {
        await rm(copy, { force: true })
      }
    },
    copyTo,
    open: (key, options) => withStorageErrors(openObject(reader, { Bucket, Key: key }, options)),
    remove: async (...keys) => {
      await Promise.all(keys.map((Key) => withStorageErrors(client.send(new DeleteObjectCommand({ Bucket, Key })))))
      for (const key of keys) await rm(copyOf(key), { force: true })
    },
    keys: async function* keys() {
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket }))
        for (const { Key } of Contents) if (Key) yield Key
    },
  }
}

/** A client whose calls are measured. Timeouts are in milliseconds: until the response begins, and of an idle socket. */
function clientFor(
  { name, endpoint, region, accessKeyId, secretAccessKey }: Bucket,
  timeouts: { requestTimeout: number; socketTimeout: number },
  maxSockets: number,
): S3Client {
  const client = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: {
      connectionTimeout: 5000,
      throwOnRequestTimeout: true,
      ...timeouts,
      httpAgent: { maxSockets },
      httpsAgent: { maxSockets },
    },
    // Some S3-compatible services do not know the newer checksums. The signature includes a hash of the content anyway.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  const attributes = {
    'rpc.system': 'aws-api',
    'rpc.service': 'S3',
    'aws.s3.bucket': name,
    'server.address': new URL(endpoint).hostname,
  }
  client.middlewareStack.add((next) => (given) => next(given).catch(chooseRetry), {
    step: 'deserialize',
    priority: 'high',
  })
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (given) => {
        const operation = commandName.replace(/Command$/, '')
        const stop = calls.startTimer({ operation })
        const span = beginSpan(`S3.${operation}`, {
          kind: 'client',
          attributes: { ...attributes, 'rpc.method': operation },
        })
        try {
          const answer = await next(given)
          stop({ outcome: 'ok' })
          span?.end()
          return answer
        } catch (error) {
          const outcome = String(statusOf(error) ?? 'unreachable')
          stop({ outcome })
          span?.end(outcome)
          throw error
        }
      },
    { step: 'initialize' },
  )
  return client
}

/**
 * Prevents the client from retrying when the service does not answer at all, since somebody is waiting. Lets it retry a
 * call whose signature has another time than the service: it has adopted that time, but would retry only if the clock of
 * this machine is wrong, not if it was just set right.
 */
function chooseRetry(error: unknown): never {
  const { name, code } = error as { name: string; code?: string }
  if (name === 'RequestTimeTooSkewed') throw Object.assign(error as Error, { $retryable: {} })
  // The client gives dropped connections the same error name, but a retry soon reconnects those.
  const isSilent = name === 'TimeoutError' && code !== 'ECONNRESET' && code !== 'EPIPE'
  throw isSilent ? new Error('The service does not answer') : error
}

interface Place {
  Bucket: string
  Key: string
}

/**
 * Uploads a file, in parts if it is large. A failed part is retried; if the upload fails, nothing is kept. Our own
 * code, since @aws-sdk/lib-storage would save 26 lines for nine packages (docs/decisions/015-libraries.md).
 */
async function upload(client: S3Client, place: Place, file: string): Promise<void> {
  const size = await sizeOf(file)
  if (size <= PART_BYTES) {
    await client.send(new PutObjectCommand({ ...place, Body: await readFile(file) }))
    return
  }
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(place))
  const handle = await open(file)
  try {
    const Parts: CompletedPart[] = []
    for (let at = 0; at < size; at += PART_BYTES) {
      const Body = Buffer.alloc(Math.min(PART_BYTES, size - at))
      await handle.read(Body, 0, Body.length, at)
      const PartNumber = Parts.length + 1
      const { ETag } = await client.send(new UploadPartCommand({ ...place, UploadId, PartNumber, Body }))
      Parts.push({ ETag, PartNumber })
    }
    const complete = new CompleteMultipartUploadCommand({ ...place, UploadId, MultipartUpload: { Parts } })
    await client.send(complete).catch(async (error: unknown) => {
      // A retry after a lost response finds that the upload has been completed.
      if ((error as Error).name !== 'NoSuchUpload') throw error
      const stored = await client.send(new HeadObjectCommand(place)).catch(() => undefined)
      if (stored?.ContentLength !== size) throw error
    })
  } catch (error) {
    // If the service is unreachable, the parts are deleted at a later start.
    await client.send(new AbortMultipartUploadCommand({ ...place, UploadId })).catch(() => undefined)
    throw error
  } finally {
    await handle.close()
  }
}

/** Downloads a whole file. A download that was cut off is retried, and never taken for complete. */
async function download(client: S3Client, place: Place, to: string, tries = MAX_ATTEMPTS): Promise<void> {
  const part = `${to}.part`
  try {
    const { Body, ContentLength } = await client.send(new GetObjectCommand(place))
    if (!(Body instanceof Readable)) throw new Error('The answer has no body')
    await pipeline(Body, createWriteStream(part, { mode: 0o600 }), { signal: AbortSignal.timeout(TRANSFER_TIMEOUT_MS) })
    if ((await sizeOf(part)) !== ContentLength) throw new Error('The answer was cut off')
    await rename(part, to)
  } catch (error) {
    await rm(part, { force: true })
    // A complete error response has already been retried by the client.
    if (tries <= 1 || statusOf(error) !== undefined) throw error
    return download(client, place, to, tries - 1)
  }
}

/** A file, or the range of it that was requested, as the service returns it. Files never change under their keys. */
async function openObject(
  client: S3Client,
  place: Place,
  { range, ifNoneMatch, headOnly }: ReadOptions,
): Promise<FileResponse | undefined> {
  const etag = ETAG.exec(ifNoneMatch ?? '')?.[1]
  const asked = {
    ...place,
    ...(range && RANGE.test(range) && { Range: range }),
    ...(etag && { IfNoneMatch: etag }),
  }
  try {
    const found = await client.send(headOnly ? new HeadObjectCommand(asked) : new GetObjectCommand(asked))
    const headers = {
      'accept-ranges': 'bytes',
      'content-length': found.ContentLength,
      'content-range': found.ContentRange,
      etag: found.ETag,
      'last-modified': found.LastModified?.toUTCString(),
    }
    const stream = 'Body' in found && found.Body instanceof Readable ? contentOf(found.Body) : Readable.from([])
    return { status: found.ContentRange ? 206 : 200, headers: withoutEmpty(headers), stream }
  } catch (error) {
    const status = statusOf(error)
    if (isMissing(error)) return undefined
    if (status === 304) return { status, headers: withoutEmpty({ etag }), stream: Readable.from([]) }
    if (status !== 416) throw error
    const { ContentLength } = await client.send(new HeadObjectCommand(place))
    return { status, headers: { 'content-range': `bytes */${ContentLength}` }, stream: Readable.from([]) }
  }
}

/**
 * The bytes of a response, as slowly as they are read. Fails with a StorageError if the service sends nothing for a
 * while.
 */
function contentOf(body: Readable): Readable {
  const chunks = async function* chunks(): AsyncGenerator<Buffer> {
    const source = body[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>
    for (;;) {
      const timer = setTimeout(() => body.destroy(new Error('The service does not answer')), IDLE_TIMEOUT_MS)
      const next = await withStorageErrors(source.next()).finally(() => clearTimeout(timer))
      if (next.done) return
      yield next.value
    }
  }
  // An error before the first read is thrown by that read.
  body.on('error', () => undefined)
  const stream = Readable.from(chunks(), { objectMode: false })
  // Also if nothing was read.
  return stream.once('close', () => body.destroy())
}

/** Aborts old multipart uploads, whose parts would be kept (and billed) forever. Not every service lists them. */
async function dropOldParts(client: S3Client, Bucket: string): Promise<void> {
  try {
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket }))
    for (const { Key, UploadId, Initiated } of Uploads)
      if (Initiated && Initiated.getTime() < time() - ABANDONED_AFTER_MS)
        await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
  } catch {
    // Leftover parts cost money, but do no harm.
  }
}

/** Converts errors to StorageErrors, except for a missing file (ENOENT). */
async function withStorageErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (isMissing(error)) throw Object.assign(new Error('There is no such file', { cause: error }), { code: 'ENOENT' })
    throw new StorageError('The bucket cannot be used', { cause: error })
  }
}

/** Throws a one-line message that says what the operator can do about a bucket that cannot be used. */
function refuseStart(error: unknown, { name, endpoint, region }: Bucket): never {
  const status = statusOf(error)
  if (status === 404)
    throw new Error(`There is no bucket ${name} at ${endpoint}. Create it, or set S3_BUCKET to another one.`)
  if (status === 403)
    throw new Error(
      `The bucket ${name} at ${endpoint} refuses this access. Check S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.`,
    )
  if (status === 301 || status === 400)
    throw new Error(
      `The bucket ${name} is not in the region ${region}, which S3_REGION names, or not at ${endpoint}, which S3_ENDPOINT names.`,
    )
  throw new Error(`The storage at ${endpoint} cannot be reached. Check S3_ENDPOINT.`)
}

/** The HTTP status of an error response; undefined if there was no response. */
const statusOf = (error: unknown): number | undefined =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode

/** Whether an error says that there is no such file, rather than no such bucket or upload in parts. */
const isMissing = (error: unknown): boolean =>
  statusOf(error) === 404 && !['NoSuchBucket', 'NoSuchUpload'].includes((error as Error).name)

const withoutEmpty = (headers: Record<string, string | number | undefined>): FileResponse['headers'] =>
  Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
