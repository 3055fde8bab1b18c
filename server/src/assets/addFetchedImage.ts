import { createHash } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { newId } from '#lib/ids.ts'
import type { Actor } from '#access/permissions.ts'
import { countFile } from './quota.ts'
import { storage } from './storage.ts'
import { addAsset } from './upload.ts'

/** Fetches an image and turns it into an asset, by the same rules as an upload by the actor. Returns its id. */
export async function addFetchedImage(
  fetchImage: () => Promise<Buffer>,
  filename: string,
  actor: Actor,
): Promise<string> {
  await countFile(actor)
  const bytes = await fetchImage()
  const file = storage.incoming(`${newId()}.part`)
  const contentHash = createHash('sha256').update(bytes).digest('hex')
  try {
    await writeFile(file, bytes, { mode: 0o600, flush: true })
    return await addAsset({ file, filename, isPublic: true, size: bytes.length, contentHash }, actor, { only: 'IMAGE' })
  } finally {
    await rm(file, { force: true })
  }
}
