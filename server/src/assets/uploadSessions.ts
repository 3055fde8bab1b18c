// Resumable uploads with a protocol of our own, similar to tus: the tus server bypasses our checks of each part, and
// can lose the asset that the last response names (docs/decisions/015-libraries.md).
import type { UploadSession, uploadsApi } from '@mokuroku/contract/assets'
import { reasonText } from '@mokuroku/contract/reasons'
import type { Body } from '@mokuroku/contract/route'
import { db, advisoryLock, transaction, type Transaction } from '#database/db.ts'
import { notFound, Refusal, tooMany } from '#lib/errors.ts'
import type { Upload } from '#http/receive.ts'
import { DAY_MS, momentIn, now } from '#lib/clock.ts'
import { newId } from '#lib/ids.ts'
import { type Actor, requirePermission } from '#access/permissions.ts'
import { reauthorize, transactionAs } from '#access/session.ts'
import { createdBefore, createdEarlier } from '#ledger/idempotency.ts'
import { cleanFilename } from '#lib/filename.ts'
import { hashOf } from './incoming.ts'
import { countFile } from './quota.ts'
import { addAsset, maxUploadBytes, replaceable, replaceFile, throwTooLarge } from './upload.ts'
import { throwMisplaced, type UploadRow as Row, uploadParts } from './uploadParts.ts'

/** How long an upload session may take, in milliseconds. */
const UPLOAD_TTL_MS = DAY_MS
/** Maximum number of upload sessions that one user may have open. */
const MAX_OPEN_UPLOADS = 20

/** The progress of an upload; `asset` is the id of the asset it has become, or whose file it has replaced. */
interface UploadProgress {
  session: UploadSession
  asset?: string
}

/** Ids of the uploads to which a part is being written. */
const sessionsInUse = new Set<string>()
/** Ids of the uploads whose file is being turned into an asset, or into that of one. */
const finishing = new Set<string>()

/** Resumable uploads. Each part is checked like a whole upload, and only accepted from the upload's user. */
export const uploadSessions = {
  /** Begins an upload; if the same request has begun it before, only returns its progress. */
  begin: async (
    { filename, size, isPublic = true, replaces }: Body<typeof uploadsApi.begin>,
    actor: Actor,
    key?: string,
  ): Promise<UploadProgress> => {
    assertMayUpload(actor, size)
    const earlier = await createdEarlier(db, 'Upload', { actor, key })
    if (earlier !== undefined) return progressOf(await findOwn(earlier, actor))
    // What was begun earlier may itself have replaced the file.
    if (replaces) await replaceable(replaces._id, actor, replaces.version)
    await dropExpired()
    const row = {
      _id: newId(),
      userId: actor._id,
      filename: cleanFilename(filename),
      size,
      isPublic,
      createdAt: now(),
      expiresAt: await expiryFor(actor),
      assetId: null,
      sessionId: actor.session ?? null,
      replaces: replaces?._id ?? null,
      baseVersion: replaces?.version ?? null,
    }
    let started = row._id
    try {
      await uploadParts().begin(row)
      started = await transaction(async (tx) => {
        const current = await reauthorize(tx, actor)
        assertMayUpload(current, size)
        const known = await createdBefore(tx, 'Upload', { actor, key }, row._id)
        if (known !== undefined) return known
        await countFile(current, tx)
        // Serialized, so that of concurrent ones each counts those before it.
        await advisoryLock(tx, `uploads of ${actor._id}`)
        if ((await countOpen(tx, actor)) >= MAX_OPEN_UPLOADS) tooMany(60)
        await tx
          .insertInto('uploads')
          .values({ ...row, size: size + extraOf(row) })
          .execute()
        return row._id
      })
    } catch (error) {
      await uploadParts()
        .drop(row)
        .catch(() => undefined)
      throw error
    }
    if (started === row._id) return progressOf(row)
    await uploadParts().drop(row)
    return progressOf(await findOwn(started, actor))
  },

  find: async (id: string, actor: Actor): Promise<UploadProgress> => progressOf(await findOwn(id, actor)),

  /**
   * Writes the next part. After the last one, the file becomes an asset, whose id is returned too. If the response was
   * lost and the last part is sent again, it gets the same response.
   */
  append: async (id: string, receive: () => Promise<Upload>, actor: Actor): Promise<UploadProgress> => {
    const row = await findOwn(id, actor)
    if (row.assetId) return progressOf(row)
    assertMayUpload(actor, row.size)
    if (sessionsInUse.has(id)) throw new Refusal(409, 'state', reasonText('partInProgress'))
    sessionsInUse.add(id)
    try {
      if (row.replaces)
        await replaceable(row.replaces, actor, row.baseVersion ?? undefined).catch(async (error: unknown) => {
          // This upload itself may have replaced the file.
          if (!(await findOwn(id, actor)).assetId) throw error
        })
      // The previous request may have finished the upload, without its response reaching the sender.
      const current = await findOwn(id, actor)
      if (current.assetId) return await progressOf(current)
      await write(row, await receive())
      const session = await toSession(row)
      if (session.offset === row.size) return { session, asset: await finish(row, actor) }
      return await progressOf(await findOwn(id, actor))
    } catch (error) {
      // If the upload was cancelled, the session has ended, or the file may not be replaced any more, what was received is
      // deleted.
      if (error instanceof Refusal && [401, 403, 404, 412].includes(error.status)) await drop(row)
      // If the upload was cancelled, its missing file caused the error: respond with 404 instead.
      if (!(error instanceof Refusal)) await findOwn(id, actor)
      throw error
    } finally {
      sessionsInUse.delete(id)
    }
  },

  cancel: async (id: string, actor: Actor): Promise<void> => {
    const row = await findOwn(id, actor)
    await transactionAs(actor, (tx) => close(row, tx))
    await drop(row)
  },

  /** Deletes uploads that did not become an asset in time. */
  deleteExpired: dropExpired,

  /** Whether a file in the incoming folder belongs to an open upload session. */
  isActive: async (name: string): Promise<boolean> => {
    const row = await rowOf(name.replace(/\.part$/, ''))
    return row !== undefined && row.expiresAt > now()
  },
}

/** When a new upload expires: no later than the session that sends it. */
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
  requirePermission(actor, 'create', 'Asset')
  if (size > maxUploadBytes(actor)) throwTooLarge(actor)
}

async function write(row: Row, part: Upload): Promise<void> {
  const at = await receivedBytes(row)
  if (part.offset !== at) throwMisplaced(at)
  await uploadParts().append(row, at, part)
}

async function finish(row: Row, actor: Actor): Promise<string> {
  const { filename, isPublic, size, replaces, baseVersion } = row
  finishing.add(row._id)
  try {
    const assetId = await uploadParts().withWhole(row, async (file) => {
      const arrived = { file, filename, isPublic, size, contentHash: await hashOf(file) }
      const also = (tx: Transaction, id: string) => recordAsset(tx, row, id)
      return replaces === null
        ? addAsset(arrived, actor, { also })
        : replaceFile(arrived, actor, { id: replaces, base: baseVersion ?? undefined, also })
    })
    await uploadParts().drop(row)
    return assetId
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) throw error
    // Another server may have finished the same upload, or it was cancelled and its file is gone.
    const { assetId } = await findOwn(row._id, actor)
    if (assetId) return assetId
    // A refused file cannot succeed later. After a server error, the client can send an empty part to try again.
    if (error instanceof Refusal && error.status < 500) await drop(row)
    throw error
  } finally {
    finishing.delete(row._id)
  }
}

/** Records the asset, so that the last response can be repeated for a while. Throws 404 if the upload was cancelled. */
async function recordAsset(tx: Transaction, { _id }: Row, assetId: string): Promise<void> {
  const expiresAt = momentIn(UPLOAD_TTL_MS)
  const { numUpdatedRows } = await tx
    .updateTable('uploads')
    .set({ assetId, expiresAt })
    .where('_id', '=', _id)
    .where('assetId', 'is', null)
    .where('expiresAt', '>', now())
    .executeTakeFirst()
  if (numUpdatedRows === 0n) notFound('Upload')
}

/** From here on no part is added. */
async function close({ _id }: Pick<Row, '_id'>, tx: Pick<Transaction, 'updateTable'> = db): Promise<void> {
  await tx.updateTable('uploads').set({ expiresAt: now() }).where('_id', '=', _id).execute()
}

async function drop(row: Pick<Row, '_id'>): Promise<void> {
  // If a crash interrupts this, it is dropped like any expired upload.
  await close(row)
  await uploadParts().drop(row)
  await db.deleteFrom('uploads').where('_id', '=', row._id).execute()
}

async function dropExpired(): Promise<void> {
  const rows = await db.selectFrom('uploads').select('_id').where('expiresAt', '<=', now()).limit(100).execute()
  for (const row of rows) await drop(row)
}

/** An upload of this user; throws 404 for another user's, whatever the actor's role. */
async function findOwn(id: string, actor: Actor): Promise<Row> {
  const row = await rowOf(id)
  if (row?.userId !== actor._id || row.expiresAt <= now()) return notFound('Upload')
  return row
}

async function rowOf(id: string): Promise<Row | undefined> {
  const row = await db.selectFrom('uploads').selectAll().where('_id', '=', id).executeTakeFirst()
  return row && { ...row, size: row.size - extraOf(row) }
}

/** What the stored size of an upload has too many, because of servers of the previous version (migration 060). */
const extraOf = ({ replaces }: Pick<Row, 'replaces'>): number => (replaces === null ? 0 : 1)

const progressOf = async (row: Row): Promise<UploadProgress> => ({
  session: await toSession(row),
  ...(row.assetId && { asset: row.assetId }),
})

async function toSession(row: Row): Promise<UploadSession> {
  const { _id, filename, size, expiresAt, assetId } = row
  return { _id, filename, size, offset: assetId ? size : await receivedBytes(row), expiresAt }
}

/**
 * The number of bytes received. If a crash between moving the file and recording its asset lost them, throws 404: the
 * file must be sent again.
 */
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
