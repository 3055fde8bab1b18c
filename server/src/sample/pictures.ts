import { createHash } from 'node:crypto'
import { transaction } from '#lib/db.ts'
import { assets } from '#store/assets'
import { coverImage } from './covers.ts'
import { announce, happened, idsOf, type Keyed, there } from './records.ts'

export interface Picture extends Keyed {
  createdBy?: string | undefined
  width: number
  height: number
  svg: () => string
}

/** As many as are drawn at the same time. */
const AT_ONCE = 4

/** Draws those pictures that are not there yet. The files are written before the asset that names them. */
export async function drawPictures(pictures: Picture[], signal: AbortSignal): Promise<void> {
  announce(pictures)
  const known = await there('Asset', idsOf(pictures.map(({ key }) => key)))
  const missing = pictures.filter(({ key }) => !known.has(idsOf([key])[0] ?? ''))
  for (let at = 0; at < missing.length && !signal.aborted; at += AT_ONCE)
    await Promise.all(missing.slice(at, at + AT_ONCE).map((picture) => drawPicture(picture)))
}

async function drawPicture({ key, createdAt, createdBy, width, height, svg }: Picture): Promise<void> {
  const [id = ''] = idsOf([key])
  const storageKey = `${id}.webp`
  const { image, thumbnail } = await coverImage(svg())
  await assets.keepPicture(storageKey, image, thumbnail)
  const asset = {
    type: 'IMAGE' as const,
    filename: `${key.replace(/\W+/g, '-')}.webp`,
    mimeType: 'image/webp',
    size: image.length,
    isPublic: true,
    contentHash: createHash('sha256').update(image).digest('hex'),
    storageKey,
  }
  // What is found out about a file is no edit, and so in no revision.
  const found = { dimensions: { width, height }, status: 'READY' as const }
  await transaction((tx) => assets.createIn(tx, id, asset, { ...happened(createdAt, createdBy), quiet: true }, found))
}
