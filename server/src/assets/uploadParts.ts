// The received parts of a resumable upload: one local file, or, if files are stored in a bucket, an object for each
// part, so that any server can continue it.
import { createReadStream, createWriteStream } from 'node:fs'
import { rm, truncate, writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { reasonText } from '@mokuroku/contract/reasons'
import { db, locked, type Reader, type Transaction } from '#database/db.ts'
import type { Tables } from '#database/tables.ts'
import { notFound, Refusal } from '#lib/errors.ts'
import type { Upload } from '#http/receive.ts'
import { now } from '#lib/clock.ts'
import { newId } from '#lib/ids.ts'
import { deleteOrSchedule } from './fileDeletion.ts'
import { sizeOf } from './fileStore.ts'
import { writeTo } from './incoming.ts'
import { storage } from './storage.ts'
import { storeFile } from './storeFile.ts'

/** Maximum number of parts of one upload in a bucket. The console sends 4 MB at a time. */
const MAX_PARTS = 2000

export type UploadRow = Tables['uploads']

interface UploadParts {
  begin(row: UploadRow): Promise<void>
  /** The number of bytes received; undefined if they are lost. */
  size(row: UploadRow): Promise<number | undefined>
  /**
   * Appends data at offset `at`. If the connection is lost, what has arrived is kept; data beyond the file size is not.
   */
  append(row: UploadRow, at: number, part: Upload): Promise<void>
  /** Lets `use` read, or move away, a local file with all parts. Throws 404 if one of them is lost. */
  withWhole<T>(row: UploadRow, use: (file: string) => Promise<T>): Promise<T>
  drop(row: Pick<UploadRow, '_id'>): Promise<void>
}

/** The parts in the current storage. */
export const uploadParts = (): UploadParts => (storage.pathOf ? onDisk : inBucket)

/** Throws a 409 that says how many bytes have been received. */
export function throwMisplaced(offset: number): never {
  throw new Refusal(409, 'offset', reasonText('partMisplaced'), undefined, { offset })
}

const fileOf = ({ _id }: Pick<UploadRow, '_id'>): string => storage.incoming(`${_id}.part`)

const receive = (file: string, { size }: UploadRow, at: number, { stream, length }: Upload) =>
  writeTo(file, stream, {
    maxBytes: size - at,
    length,
    tooLarge: () => {
      throw new Refusal(413, 'tooLarge', reasonText('uploadLarger'))
    },
  })

const isTooLarge = (error: unknown): boolean => error instanceof Refusal && error.status === 413

const onDisk: UploadParts = {
  begin: (row) => writeFile(fileOf(row), '', { mode: 0o600 }),
  size: async (row) => {
    try {
      return await sizeOf(fileOf(row))
    } catch {
      // Throws if the whole folder is missing, since then nothing is lost.
      await storage.arriving()
      return undefined
    }
  },
  append: async (row, at, part) => {
    try {
      await receive(fileOf(row), row, at, part)
    } catch (error) {
      if (isTooLarge(error)) await truncate(fileOf(row), at)
      throw error
    }
  },
  withWhole: (row, use) => use(fileOf(row)),
  drop: (row) => rm(fileOf(row), { force: true }),
}

const inBucket: UploadParts = {
  begin: () => Promise.resolve(),
  size: (row) => sizeIn(db, row._id),
  append: async (row, at, part) => {
    const file = storage.incoming(`${newId()}.part`)
    try {
      const received = await receive(file, row, at, part).catch((error: unknown) => error)
      if (!isTooLarge(received)) await keepPart(file, row, at)
      if (received instanceof Error) throw received
    } finally {
      await rm(file, { force: true })
    }
  },
  withWhole: async (row, use) => {
    const [file, copy] = [storage.incoming(`${newId()}.part`), storage.incoming(`${newId()}.part`)]
    try {
      for (const { key } of await partsOf(row._id)) {
        await storage.copyTo(copy, key).catch((error: unknown) => {
          if ((error as { code?: unknown }).code === 'ENOENT') notFound('Upload')
          throw error
        })
        await pipeline(createReadStream(copy), createWriteStream(file, { flags: 'a', mode: 0o600 }))
        await rm(copy)
      }
      return await use(file)
    } finally {
      for (const each of [file, copy]) await rm(each, { force: true })
    }
  },
  drop: async (row) => {
    for (const { key } of await partsOf(row._id)) await deleteOrSchedule(key, [key])
    await db.deleteFrom('uploadParts').where('uploadId', '=', row._id).execute()
  },
}

const partsOf = (id: string) =>
  db.selectFrom('uploadParts').select('key').where('uploadId', '=', id).orderBy('offset').execute()

async function sizeIn(from: Reader, id: string): Promise<number> {
  const last = await from
    .selectFrom('uploadParts')
    .select(['offset', 'size'])
    .where('uploadId', '=', id)
    .orderBy('offset', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last ? last.offset + last.size : 0
}

/** Stores the received data as the next part, unless another server has already stored one at this offset. */
async function keepPart(file: string, row: UploadRow, offset: number): Promise<void> {
  const size = await sizeOf(file).catch(() => 0)
  if (size === 0) return
  const key = `${row._id}-${newId()}.part`
  await storeFile(file, { key }, (tx) => recordPart(tx, row, { uploadId: row._id, offset, size, key }))
}

async function recordPart(tx: Transaction, { _id, size }: UploadRow, part: Tables['uploadParts']): Promise<void> {
  const upload = await locked(tx.selectFrom('uploads').selectAll().where('_id', '=', _id)).executeTakeFirst()
  if (!upload || upload.expiresAt <= now()) return notFound('Upload')
  const arrived = upload.assetId ? size : await sizeIn(tx, _id)
  if (arrived !== part.offset) throwMisplaced(arrived)
  const { n } = await tx
    .selectFrom('uploadParts')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('uploadId', '=', _id)
    .executeTakeFirstOrThrow()
  if (n >= MAX_PARTS) throw new Refusal(409, 'state', reasonText('partsMany', { limit: MAX_PARTS }))
  await tx.insertInto('uploadParts').values(part).execute()
}
