// Our own, close to tus: its server passes by the checks of each part, and can lose the asset that the last answer names
// (docs/decisions/015-libraries.md).
import type { UploadSession } from '@mokuroku/contract/assets'
import { reasonText } from '@mokuroku/contract/reasons'
import { db, oneAtATime, transaction, type Transaction } from '#database/db.ts'
import { notFound, Refusal, tooMany } from '#lib/errors.ts'
import type { Upload } from '#http/receive.ts'
import { momentIn, now } from '#lib/clock.ts'
import { newId } from '#lib/ids.ts'
import { type Actor, must } from '#access/permissions.ts'
import { reauthorize } from '#access/session.ts'
import { cleanName } from './filename.ts'
import { hashOf } from './incoming.ts'
import { countFile } from './quota.ts'
import { addAsset, maxUploadBytes, throwTooLarge } from './upload.ts'
import { throwMisplaced, type UploadRow as Row, uploadParts } from './uploadParts.ts'

/** How long the rest of a file may take to arrive, in milliseconds. */
const UPLOAD_TTL_MS = 24 * 60 * 60 * 1000
/** Files that one user may be sending in parts at the same time. */
const MAX_OPEN_UPLOADS = 20

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
      await uploadParts().begin(row)
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
      await uploadParts()
        .drop(row)
        .catch(() => undefined)
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
      if (session.offset === row.size) return { session, asset: await finish(row, actor) }
      return await progressOf(await findOwn(id, actor))
    } catch (error) {
      // What arrived while it was cancelled, or its sender was signed out, does not stay.
      if (error instanceof Refusal && (error.status === 401 || error.status === 404)) await drop(row)
      // Whoever cancelled it took its file away, which is what failed: it is not there.
      if (!(error instanceof Refusal)) await findOwn(id, actor)
      throw error
    } finally {
      sessionsInUse.delete(id)
    }
  },

  cancel: async (id: string, actor: Actor): Promise<void> => drop(await findOwn(id, actor)),

  /** Takes away what did not become an asset in time. */
  deleteExpired: dropExpired,

  /** Whether a file in the incoming folder belongs to an upload that goes on. */
  isActive: async (name: string): Promise<boolean> => {
    const row = await rowOf(name.replace(/\.part$/, ''))
    return row !== undefined && row.expiresAt > now()
  },
}

/** When an upload that begins now has to be there: before the end of the session that sends it. */
async function expiryFor({ session }: Actor): Promise<string> {
  const latest = momentIn(UPLOAD_TTL_MS)
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

async function write(row: Row, part: Upload): Promise<void> {
  const at = await receivedBytes(row)
  if (part.offset !== at) throwMisplaced(at)
  await uploadParts().append(row, at, part)
}

async function finish(row: Row, actor: Actor): Promise<string> {
  const { filename, isPublic, size } = row
  finishing.add(row._id)
  try {
    const file = await uploadParts().whole(row)
    if (file === undefined) return notFound('Upload')
    const arrived = { file, filename, isPublic, size, contentHash: await hashOf(file) }
    const assetId = await addAsset(arrived, actor, { also: (tx, made) => recordAsset(tx, row, made) })
    await uploadParts().drop(row)
    return assetId
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) throw error
    // Another server was asked for the same; or the upload was cancelled, and its file is none any more.
    const { assetId } = await findOwn(row._id, actor)
    if (assetId) return assetId
    // A refused file will not get better; after a failure of ours an empty part tries again.
    if (error instanceof Refusal && error.status < 500) await drop(row)
    throw error
  } finally {
    finishing.delete(row._id)
  }
}

/** Keeps the answer to the last part for as long as an upload may take. Throws 404 when the upload was cancelled. */
async function recordAsset(tx: Transaction, { _id }: Row, assetId: string): Promise<void> {
  const expiresAt = momentIn(UPLOAD_TTL_MS)
  const { numUpdatedRows } = await tx
    .updateTable('uploads')
    .set({ assetId, expiresAt })
    .where('_id', '=', _id)
    .where('assetId', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) notFound('Upload')
}

async function drop(row: Pick<Row, '_id'>): Promise<void> {
  // From here on no part is added; what a crash leaves is dropped as any other that has expired.
  await db.updateTable('uploads').set({ expiresAt: now() }).where('_id', '=', row._id).execute()
  await uploadParts().drop(row)
  await db.deleteFrom('uploads').where('_id', '=', row._id).execute()
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
  const size = await uploadParts().size(row)
  if (size !== undefined) return size
  // The file is moved before its asset is recorded.
  if (finishing.has(row._id) || (await rowOf(row._id))?.assetId) return row.size
  return lose(row)
}

async function lose(row: Row): Promise<never> {
  await drop(row)
  return notFound('Upload')
}
