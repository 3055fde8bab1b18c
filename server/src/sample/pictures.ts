import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { transaction } from '#database/db.ts'
import { assets } from '#store/assets'
import { contextAt, existingIds, idsOf, type Keyed, registerIds } from './records.ts'

/** The pictures, drawn for this project, each with a thumbnail. Files are named by key. */
const FOLDER = join(import.meta.dirname, '../../sample/pictures')

export interface Picture extends Keyed {
  createdBy?: string | undefined
  /** In pixels. */
  width: number
  height: number
}

/** Adds the pictures that do not exist yet. The files are written before the asset that refers to them. */
export async function addImages(pictures: Picture[], signal: AbortSignal): Promise<void> {
  registerIds(pictures)
  const known = await existingIds('Asset', idsOf(pictures.map(({ key }) => key)))
  for (const picture of pictures) {
    if (signal.aborted) return
    const [id = ''] = idsOf([picture.key])
    if (!known.has(id)) await addPicture(id, picture)
  }
}

export const picture = (key: string): Promise<Buffer> => readFile(join(FOLDER, `${nameOf(key)}.webp`))
export const thumbnail = (key: string): Promise<Buffer> => readFile(join(FOLDER, `${nameOf(key)}.small.webp`))

const nameOf = (key: string): string => key.replace(/\W+/g, '-')

async function addPicture(id: string, { key, createdAt, createdBy, width, height }: Picture): Promise<void> {
  const storageKey = `${id}.webp`
  const [image, small] = await Promise.all([picture(key), thumbnail(key)])
  await assets.keepPicture(storageKey, image, small)
  const asset = {
    type: 'IMAGE' as const,
    filename: `${nameOf(key)}.webp`,
    mimeType: 'image/webp',
    size: image.length,
    isPublic: true,
    contentHash: createHash('sha256').update(image).digest('hex'),
    storageKey,
  }
  // Findings about a file are no edit, so they are not part of a revision.
  const found = { dimensions: { width, height }, status: 'READY' as const }
  await transaction((tx) => assets.createIn(tx, id, asset, { ...contextAt(createdAt, createdBy), quiet: true }, found))
}
