// Our own, close to tus: its server passes by the checks of each part, and can lose the asset that the last answer names
// (docs/decisions/015-libraries.md).
import { rm, truncate, writeFile } from 'node:fs/promises'
import type { UploadSession } from '@mokuroku/contract/assets'
import { reasonText } from '@mokuroku/contract/reasons'
import { db, engine, oneAtATime, transaction, type Transaction } from '#database/db.ts'
import { notFound, Refusal, tooMany } from '#lib/errors.ts'
import type { Upload } from '#http/receive.ts'
import { newId, now } from '#lib/ids.ts'
import { type Actor, must } from '#access/permissions.ts'
import { reauthorize } from '#access/session.ts'
import type { Tables } from '#database/tables.ts'
import { cleanName } from './filename.ts'
import { hashOf, writeTo } from './incoming.ts'
import { countFile } from './quota.ts'
import { sizeOf } from './fileStore.ts'
import { storage } from './storage.ts'
import { addAsset, maxUploadBytes, throwTooLarge } from './upload.ts'

/** How long the rest of a file may take to arrive, in milliseconds. */
const UPLOAD_TTL_MS = 24 * 60 * 60 * 1000
/** Files that one user may be sending in parts at the same time. */
const MAX_OPEN_UPLOADS = 20

type Row = Tables['uploads']

/** How far an upload is; `asset` is the id of what it has become. */
interface UploadProgress {
  session: UploadSession
  asset?: string
}

/** The uploads to which a part is being written now. */
const sessionsInUse = new Set<string>()
/** Those of which the file is becoming an asset now. */
const finishing = new Set<string>()

/** Files that are sent in parts. What a whole upload is asked, each part is asked again, of its sender alone. */
export const uploadSessions = {
  begin: async (
    { filename, size, isPublic = true }: { filename: string; size: number; isPublic?: boolean | undefined },
    actor: Actor,
  ): Promise<UploadSession> => {
    assertMayUpload(actor, size)
    await dropExpired()
    const row = {
      _id: newId(),
      userId: actor._id,
      filename: cleanName(filename),
      size,
      isPublic,
      createdAt: now(),
      expiresAt: await expiryFor(actor),
      assetId: null,
      sessionId: actor.session ?? null,
    }
    try {
      await writeFile(fileOf(row), '', { mode: 0o600 })
      await transaction(async (tx) => {
        const current = await reauthorize(tx, actor)
        assertMayUpload(current, size)
        await countFile(current, tx)
        // Of several that begin at once, each counts those before it.
        await oneAtATime(tx, `uploads of ${actor._id}`)
        if ((await countOpen(tx, actor)) >= MAX_OPEN_UPLOADS) tooMany(60)
        await tx.insertInto('uploads').values(row).execute()
      })
    } catch (error) {
      await rm(fileOf(row), { force: true }).catch(() => undefined)
      throw error
    }
    return toSession(row)
  },

  find: async (id: string, actor: Actor): Promise<UploadProgress> => progressOf(await findOwn(id, actor)),

  /**
   * Writes the next part. After the last one the file becomes an asset, whose id is answered too. Sent once more, because
   * the answer was lost, the last part has the same answer.
   */
  append: async (id: string, receive: () => Promise<Upload>, actor: Actor): Promise<UploadProgress> => {
    const row = await findOwn(id, actor)
    if (row.assetId) return progressOf(row)
    assertMayUpload(actor, row.size)
    if (sessionsInUse.has(id)) throw new Refusal(409, 'state', reasonText('partInProgress'))
    sessionsInUse.add(id)
    try {
      // It may have been finished by the call before, of which the sender heard no more.
      const current = await findOwn(id, actor)
      if (current.assetId) return await progressOf(current)
      await write(row, await receive())
      const session = await toSession(row)
      return session.offset < row.size ? { session } : { session, asset: await finish(row, actor) }
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) await drop(row)
      throw error
    } finally {
      sessionsInUse.delete(id)
    }
  },

  cancel: async (id: string, actor: Actor): Promise<void> => drop(await findOwn(id, actor)),

  /** Whether a file in the incoming folder belongs to an upload that goes on. */
  isActive: async (name: string): Promise<boolean> => {
    const row = await rowOf(name.replace(/\.part$/, ''))
    return row !== undefined && row.expiresAt > now()
  },
}

/** When an upload that begins now has to be there: before the end of the session that sends it. */
async function expiryFor({ session }: Actor): Promise<string> {
  const latest = new Date(Date.now() + UPLOAD_TTL_MS).toISOString()
  if (session === undefined) return latest
  const found = await db.selectFrom('sessions').select('expiresAt').where('_id', '=', session).executeTakeFirst()
  return found && found.expiresAt < latest ? found.expiresAt : latest
}

const countOpen = async (tx: Transaction, { _id }: Actor): Promise<number> =>
  (
    await tx
      .selectFrom('uploads')
      .select(({ fn }) => fn.countAll<number>().as('open'))
      .where('userId', '=', _id)
      .where('assetId', 'is', null)
      .where('expiresAt', '>', now())
      .executeTakeFirstOrThrow()
  ).open

function assertMayUpload(actor: Actor, size: number): void {
  must(actor, 'create', 'Asset')
  if (size > maxUploadBytes(actor)) throwTooLarge(actor)
}

async function write(row: Row, { stream, offset, length }: Upload): Promise<void> {
  const file = fileOf(row)
  const at = await receivedBytes(row)
  if (offset !== at) throw new Refusal(409, 'offset', reasonText('partMisplaced'), undefined, { offset: at })
  try {
    await writeTo(file, stream, {
      most: row.size - at,
      length,
      tooLarge: () => {
        throw new Refusal(413, 'tooLarge', reasonText('uploadLarger'))
      },
    })
  } catch (error) {
    // What arrived before a lost connection stays; what should not have come does not.
    if (error instanceof Refusal && error.status === 413) await truncate(file, at)
    throw error
  }
}

async function finish(row: Row, actor: Actor): Promise<string> {
  const { filename, isPublic, size } = row
  const file = fileOf(row)
  finishing.add(row._id)
  try {
    const arrived = { file, filename, isPublic, size, contentHash: await hashOf(file) }
    return await addAsset(arrived, actor, { also: (tx, assetId) => recordAsset(tx, row, assetId) })
  } catch (error) {
    // A refused file will not get better; after a failure of ours an empty part tries again.
    if (error instanceof Refusal && error.status < 500) await drop(row)
    throw error
  } finally {
    finishing.delete(row._id)
  }
}

/** Keeps the answer to the last part for as long as an upload may take. Throws 404 when the upload was cancelled. */
async function recordAsset(tx: Transaction, { _id }: Row, assetId: string): Promise<void> {
  const expiresAt = new Date(Date.now() + UPLOAD_TTL_MS).toISOString()
  const { numUpdatedRows } = await tx
    .updateTable('uploads')
    .set({ assetId, expiresAt })
    .where('_id', '=', _id)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) notFound('Upload')
}

async function drop(row: Pick<Row, '_id'>): Promise<void> {
  await db.deleteFrom('uploads').where('_id', '=', row._id).execute()
  await rm(fileOf(row), { force: true })
}

async function dropExpired(): Promise<void> {
  const rows = await db.selectFrom('uploads').select('_id').where('expiresAt', '<=', now()).limit(100).execute()
  for (const row of rows) await drop(row)
}

/** An upload of this user; another's is not there for them, whoever they are. */
async function findOwn(id: string, actor: Actor): Promise<Row> {
  const row = await rowOf(id)
  if (row?.userId !== actor._id || row.expiresAt <= now()) return notFound('Upload')
  return row
}

const rowOf = (id: string): Promise<Row | undefined> =>
  db.selectFrom('uploads').selectAll().where('_id', '=', id).executeTakeFirst()

const fileOf = ({ _id }: Pick<Row, '_id'>): string => storage.incoming(`${_id}.part`)

const progressOf = async (row: Row): Promise<UploadProgress> => ({
  session: await toSession(row),
  ...(row.assetId && { asset: row.assetId }),
})

async function toSession(row: Row): Promise<UploadSession> {
  const { _id, filename, size, expiresAt, assetId } = row
  return { _id, filename, size, offset: assetId ? size : await receivedBytes(row), expiresAt }
}

/** How much has arrived. A crash between keeping the file and noting its asset loses it: it is to be sent anew. */
async function receivedBytes(row: Row): Promise<number> {
  try {
    return await sizeOf(fileOf(row))
  } catch {
    // A folder that is away as a whole has lost nothing: then this throws.
    await storage.arriving()
    // The file is moved before its asset is recorded.
    if (finishing.has(row._id) || (await rowOf(row._id))?.assetId) return row.size
    // Of several servers, another may have it in its own folder.
    if (engine === 'sqlite') await drop(row)
    return notFound('Upload')
  }
}
