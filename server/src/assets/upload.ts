import { UploadForm } from '@mokuroku/contract/assets'
import { fieldError } from '@mokuroku/contract/faults'
import { reasonText } from '@mokuroku/contract/reasons'
import { rm } from 'node:fs/promises'
import { db, transaction, type Transaction } from '#database/db.ts'
import type { Tables } from '#database/tables.ts'
import { forbidden, invalid, notFound, Refusal } from '#lib/errors.ts'
import { keyOf, parse, withoutEmpty } from '#http/read.ts'
import type { Upload } from '#http/receive.ts'
import { newId } from '#lib/ids.ts'
import { type Actor, requirePermission, SERVER_UPLOAD_MB } from '#access/permissions.ts'
import { reauthorize, transactionAs } from '#access/session.ts'
import { createdBefore, createdEarlier } from '#ledger/idempotency.ts'
import { assets } from '#store/assets'
import { type FileKind, seemsVideo, throwUnsupportedType } from './accepted.ts'
import { cleanFilename } from '#lib/filename.ts'
import { type Received, writeTo } from './incoming.ts'
import { inspectKind } from './inspect.ts'
import { countFile } from './quota.ts'
import { originalKey } from './keys.ts'
import { storage } from './storage.ts'
import { storeFile } from './storeFile.ts'

const MB = 1024 * 1024

/** A complete file in the incoming folder, with what its sender says about it. */
export interface ReceivedFile extends Received {
  file: string
  filename: string
  isPublic: boolean
}

interface Rules {
  /** Restricts its type. */
  only?: 'IMAGE'
  /** Names the request, if it has an Idempotency-Key. */
  key?: string | undefined
}

interface Also {
  /** Writes rows related to the asset in the same transaction. */
  also?: (tx: Transaction, id: string) => Promise<unknown>
}

/** Receives a file as a new asset, and returns its id; if the same request has created it before, only that. */
export async function receiveAsset(receive: () => Promise<Upload>, actor: Actor, rules: Rules): Promise<string> {
  requirePermission(actor, 'create', 'Asset')
  await countFile(actor)
  return withReceivedFile(receive, actor, (arrived) => addAsset(arrived, actor, rules))
}

/**
 * Creates an asset from a file, by the same rules however it arrived. The file is moved away, unless the same request has
 * created an asset from it before.
 */
export async function addAsset(
  arrived: ReceivedFile,
  actor: Actor,
  { only, key, also }: Rules & Also = {},
): Promise<string> {
  const { filename, isPublic, size, contentHash } = arrived
  const request = { actor, key: key && keyOf(key, 'file', [filename, isPublic, contentHash]) }
  const earlier = await createdEarlier(db, 'Asset', request)
  if (earlier !== undefined) return earlier
  const kind = await acceptedKind(arrived, actor)
  if (only && kind.type !== only) throwUnsupportedType(reasonText('onlyPictures'))
  const id = newId()
  const fields = {
    type: kind.type,
    mimeType: kind.mimeType,
    filename: cleanFilename(filename),
    size,
    isPublic,
    contentHash,
  }
  let created = id
  const storing = storeThen(arrived.file, kind, async (tx, storageKey) => {
    const current = await reauthorize(tx, actor)
    assertMayUploadKind(current, size, kind)
    created = (await createdBefore(tx, 'Asset', request, id)) ?? id
    // So that the file that was stored again is deleted.
    if (created !== id) throw new Error('The same request has just created it')
    await assets.createIn(tx, id, { ...fields, storageKey }, { actor: current }, { status: 'PENDING' })
    await assets.queueProcessing(tx, id)
    await also?.(tx, id)
  })
  await storing.catch((error: unknown) => {
    if (created === id) throw error
  })
  await assets.untilProcessed(created)
  return created
}

/** Receives a file that replaces that of an asset; the previous file is kept for the history. */
export async function receiveReplacement(
  id: string,
  receive: () => Promise<Upload>,
  actor: Actor,
  base: number | undefined,
): Promise<void> {
  await replaceable(id, actor, base)
  await countFile(actor)
  await withReceivedFile(receive, actor, (arrived) => replaceFile(arrived, actor, { id, base }))
}

/**
 * An asset whose file the actor may replace. Throws 404 or 403; with `base`, the version that they have seen, also 412 if
 * the file was replaced since, so that they need not send theirs first.
 */
export async function replaceable(id: string, actor: Actor, base?: number): Promise<Pick<Tables['assets'], 'type'>> {
  const asset = await assets.row(id)
  if (!asset || asset.deletedAt) return notFound('Asset')
  requirePermission(actor, 'edit', 'Asset', asset.createdBy)
  requirePermission(actor, 'create', 'Asset')
  if (base !== undefined && base !== asset.version)
    await transaction((tx) => assets.checkUpdateIn(tx, id, { storageKey: newId() }, { actor }, base))
  return asset
}

/** Replaces the file of an asset, by the same rules however it arrived; otherwise like `addAsset`. */
export async function replaceFile(
  arrived: Omit<ReceivedFile, 'isPublic'>,
  actor: Actor,
  { id, base, also }: { id: string; base: number | undefined } & Also,
): Promise<string> {
  const { type } = await replaceable(id, actor)
  const kind = await acceptedKind(arrived, actor)
  if (kind.type !== type) throwUnsupportedType(reasonText(OTHER_KIND[type]))
  const { size, contentHash } = arrived
  await storeThen(arrived.file, kind, async (tx, storageKey) => {
    const current = await reauthorize(tx, actor)
    assertMayUploadKind(current, size, kind)
    const fields = { mimeType: kind.mimeType, size, contentHash, storageKey }
    await assets.updateIn(tx, id, fields, { actor: current }, base)
    await also?.(tx, id)
  })
  await assets.untilProcessed(id)
  return id
}

const OTHER_KIND = { IMAGE: 'replacesImage', VIDEO: 'replacesVideo', AUDIO: 'replacesAudio' } as const

/** Retries processing a file that failed, which counts as another file. */
export async function retryAsset(id: string, caller: Actor): Promise<void> {
  await transactionAs(caller, async (tx, actor) => {
    const asset = await assets.row(id, tx)
    if (!asset || asset.deletedAt) return notFound('Asset')
    requirePermission(actor, 'edit', 'Asset', asset.createdBy)
    if (asset.status !== 'ERROR') throw new Refusal(409, 'state', reasonText('onlyFailed'))
    await countFile(actor, tx)
    await assets.queueProcessing(tx, id)
  })
  await assets.untilProcessed(id)
}

/** Maximum size of an upload, in bytes. */
export const maxUploadBytes = ({ permissions }: Actor): number => permissions.maxUploadSizeMB * MB

export function throwTooLarge({ tier, permissions }: Actor): never {
  const limit = permissions.maxUploadSizeMB
  const message =
    limit < SERVER_UPLOAD_MB ? reasonText('fileLargeForTier', { tier, limit }) : reasonText('fileLarge', { limit })
  throw new Refusal(413, 'tooLarge', message)
}

/** The type of a file, if it is accepted from this sender. Without permission, the file is not even examined. */
async function acceptedKind({ file, filename, size }: Omit<ReceivedFile, 'isPublic'>, actor: Actor): Promise<FileKind> {
  assertMayUploadKind(actor, size)
  if (size === 0) invalid([fieldError('file', 'emptyFile')], reasonText('fileEmpty'))
  if (!actor.permissions.canUploadVideo && (await seemsVideo(file, filename))) throwNoVideo(actor)
  const kind = await inspectKind(file)
  assertMayUploadKind(actor, size, kind)
  return kind
}

/** Checked before a file is examined, and again with the current actor when it is stored. */
function assertMayUploadKind(actor: Actor, size: number, kind?: FileKind): void {
  requirePermission(actor, 'create', 'Asset')
  if (size > maxUploadBytes(actor)) throwTooLarge(actor)
  if (kind?.type === 'VIDEO' && !actor.permissions.canUploadVideo) throwNoVideo(actor)
}

const throwNoVideo = ({ tier }: Actor): never => forbidden('canUploadVideo', tier)

/** Receives the file of a request, and deletes it again unless `use` has moved it. */
async function withReceivedFile<T>(
  receive: () => Promise<Upload>,
  actor: Actor,
  use: (arrived: ReceivedFile) => Promise<T>,
): Promise<T> {
  const { stream, length, filename, allFields } = await receive()
  const file = storage.incoming(`${newId()}.part`)
  try {
    const received = await writeTo(file, stream, {
      maxBytes: maxUploadBytes(actor),
      length,
      tooLarge: () => throwTooLarge(actor),
    })
    const { isPublic = true } = parse(UploadForm, withoutEmpty(await allFields()))
    return await use({ ...received, file, filename, isPublic })
  } finally {
    await rm(file, { force: true })
  }
}

/** Stores a file under a generated key, then writes the row that refers to it. */
function storeThen(
  file: string,
  kind: FileKind,
  write: (tx: Transaction, key: string) => Promise<unknown>,
): Promise<void> {
  const key = `${newId()}.${kind.extension}`
  const place = { key, as: kind.type === 'IMAGE' ? originalKey(key) : key, soon: true }
  return storeFile(file, place, (tx) => write(tx, key))
}
