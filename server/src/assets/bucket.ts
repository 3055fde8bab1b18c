import { createWriteStream } from 'node:fs'
import { access, open, readFile, rename, rm } from 'node:fs/promises'
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
import { time } from '#lib/clock.ts'
import { type Bucket, type FileResponse, sizeOf, type Store, StorageError, type ReadOptions } from './fileStore.ts'

/** Larger files are sent in parts of this size: no more of a file is in memory at a time. */
const PART_BYTES = 8 * 1024 * 1024
/** How often a call is tried, and a download that was cut off; in between it is waited longer each time. */
const TRIES = 4
/** How long an answer to one call, and a whole file, may take to come, in milliseconds. */
const READ_TIMEOUT_MS = 2 * 60_000
const TRANSFER_TIMEOUT_MS = 15 * 60_000
/** How long nothing at all may come or go, in milliseconds. */
const IDLE_TIMEOUT_MS = 10_000
/** An upload in parts that was begun longer ago than this, in milliseconds, is not going on any more. */
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000
/** One range: with several, the whole is sent. */
const RANGE = /^bytes=(\d+-\d*|-\d+)$/

const calls = duration(
  'bucket_request_duration_seconds',
  'Duration of calls to the bucket, tries included, in seconds',
  ['operation', 'outcome'],
)

/** Keeps files in a bucket. `incoming` names files of this machine. Throws an Error of one line when it cannot be used. */
export async function openBucket(bucket: Bucket, incoming: (name: string) => string): Promise<Store> {
  const { name, endpoint, region, accessKeyId, secretAccessKey } = bucket
  const Bucket = name
  const client = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    maxAttempts: TRIES,
    requestHandler: {
      connectionTimeout: 5000,
      requestTimeout: READ_TIMEOUT_MS,
      throwOnRequestTimeout: true,
      socketTimeout: IDLE_TIMEOUT_MS,
    },
    // Other services than the original know no newer checksums. The signature holds a hash of what is sent anyway.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  const attributes = {
    'rpc.system': 'aws-api',
    'rpc.service': 'S3',
    'aws.s3.bucket': name,
    'server.address': new URL(endpoint).hostname,
  }
  client.middlewareStack.add((next) => (given) => next(given).catch(givingUp), { step: 'deserialize' })
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
  await client.send(new HeadBucketCommand({ Bucket })).catch((error) => refuseStart(error, bucket))
  await dropOldParts(client, Bucket)
  const copyOf = (key: string) => incoming(`${key}.copy`)
  const copyTo = (file: string, key: string) => errorText(download(client, { Bucket, Key: key }, file))

  return {
    keep: async (file, key, soon) => {
      await errorText(upload(client, { Bucket, Key: key }, file))
      if (soon) await rename(file, copyOf(key))
      else await rm(file, { force: true })
    },
    withFile: async (key, work) => {
      const copy = copyOf(key)
      if (!(await isThere(copy))) await copyTo(copy, key)
      try {
        return await work(copy)
      } finally {
        await rm(copy, { force: true })
      }
    },
    copyTo,
    open: (key, wanted) => errorText(openObject(client, { Bucket, Key: key }, wanted)),
    remove: async (...keys) => {
      await Promise.all(keys.map((Key) => errorText(client.send(new DeleteObjectCommand({ Bucket, Key })))))
      for (const key of keys) await rm(copyOf(key), { force: true })
    },
    keys: async function* keys() {
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket }))
        for (const { Key } of Contents) if (Key) yield Key
    },
  }
}

/** A service that says nothing is not asked again, as the client would: somebody waits for the answer. */
function givingUp(error: unknown): never {
  const { name, code } = error as { name: string; code?: string }
  // The client gives connections that were cut the same name; those are soon made anew.
  const isSilent = name === 'TimeoutError' && code !== 'ECONNRESET' && code !== 'EPIPE'
  throw isSilent ? new Error('The service does not answer') : error
}

interface Place {
  Bucket: string
  Key: string
}

/**
 * Sends a file, in parts when it is large. A part that fails is tried again; when all fails nothing is kept.
 * Our own: @aws-sdk/lib-storage saves 26 lines for nine packages (docs/decisions/015-libraries.md).
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
    await client.send(new CompleteMultipartUploadCommand({ ...place, UploadId, MultipartUpload: { Parts } }))
  } catch (error) {
    // Out of reach, its parts are dropped at a later start.
    await client.send(new AbortMultipartUploadCommand({ ...place, UploadId })).catch(() => undefined)
    throw error
  } finally {
    await handle.close()
  }
}

/** Fetches a whole file. What was cut off is fetched again, and never taken for whole. */
async function download(client: S3Client, place: Place, to: string, tries = TRIES): Promise<void> {
  const part = `${to}.part`
  try {
    const { Body, ContentLength } = await client.send(new GetObjectCommand(place))
    if (!(Body instanceof Readable)) throw new Error('The answer has no body')
    await pipeline(Body, createWriteStream(part, { mode: 0o600 }), { signal: AbortSignal.timeout(TRANSFER_TIMEOUT_MS) })
    if ((await sizeOf(part)) !== ContentLength) throw new Error('The answer was cut off')
    await rename(part, to)
  } catch (error) {
    await rm(part, { force: true })
    // An answer that came whole, and says no, was tried often enough.
    if (tries <= 1 || statusOf(error) !== undefined) throw error
    return download(client, place, to, tries - 1)
  }
}

/** A file, or the part of it that a call asks for, as the service answers. Files never change under their keys. */
async function openObject(
  client: S3Client,
  place: Place,
  { range, ifNoneMatch, headOnly }: ReadOptions,
): Promise<FileResponse | undefined> {
  const asked = {
    ...place,
    ...(range && RANGE.test(range) && { Range: range }),
    ...(ifNoneMatch && { IfNoneMatch: ifNoneMatch }),
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
    const stream = 'Body' in found && found.Body instanceof Readable ? found.Body : Readable.from([])
    return { status: found.ContentRange ? 206 : 200, headers: withoutEmpty(headers), stream }
  } catch (error) {
    const status = statusOf(error)
    if (isMissing(error)) return undefined
    if (status === 304) return { status, headers: withoutEmpty({ etag: ifNoneMatch }), stream: Readable.from([]) }
    if (status !== 416) throw error
    const { ContentLength } = await client.send(new HeadObjectCommand(place))
    return { status, headers: { 'content-range': `bytes */${ContentLength}` }, stream: Readable.from([]) }
  }
}

/** Parts of uploads that never came to an end are kept, and paid for, until somebody says so. Not all services tell. */
async function dropOldParts(client: S3Client, Bucket: string): Promise<void> {
  try {
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket }))
    for (const { Key, UploadId, Initiated } of Uploads)
      if (Initiated && Initiated.getTime() < time() - ABANDONED_AFTER_MS)
        await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
  } catch {
    // They cost something, and hinder nothing.
  }
}

/** Throws what fails as a StorageError, but for a file that is not there. */
async function errorText<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (isMissing(error)) throw Object.assign(new Error('There is no such file', { cause: error }), { code: 'ENOENT' })
    throw new StorageError('The bucket cannot be used', { cause: error })
  }
}

/** What the operator can do about a bucket that cannot be used, in one line. */
function refuseStart(error: unknown, { name, endpoint }: Bucket): never {
  const status = statusOf(error)
  if (status === 404)
    throw new Error(`There is no bucket ${name} at ${endpoint}. Create it, or set S3_BUCKET to another one.`)
  if (status === 403)
    throw new Error(
      `The bucket ${name} at ${endpoint} refuses this access. Check S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.`,
    )
  if (status === 301 || status === 400)
    throw new Error(`The bucket ${name} is not in the region that S3_REGION names, or not at ${endpoint}.`)
  throw new Error(`The storage at ${endpoint} cannot be reached. Check S3_ENDPOINT.`)
}

/** The status of an answer that came; undefined when none did. */
const statusOf = (error: unknown): number | undefined =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode

const isMissing = (error: unknown): boolean => statusOf(error) === 404 && (error as Error).name !== 'NoSuchBucket'

const withoutEmpty = (headers: Record<string, string | number | undefined>): FileResponse['headers'] =>
  Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )
