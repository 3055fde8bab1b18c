import sharp from 'sharp'

/** Which letters of a picture can be shown: those of the original title, Latin ones only, or none at all. */
export type Letters = 'original' | 'english' | 'none'

let known: Promise<Letters> | undefined

/**
 * What the fonts of this machine can draw; found out once. A server in a slim container may have none, and would draw
 * each letter as a box with its code point.
 */
export const lettersHere = (): Promise<Letters> => (known ??= look())

async function look(): Promise<Letters> {
  if (await isDrawn('一')) return 'original'
  return (await isDrawn('-')) ? 'english' : 'none'
}

/** True when `sign`, which must be one flat stroke, comes out wider than tall, and not as a box or as nothing. */
async function isDrawn(sign: string): Promise<boolean> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><rect width="100" height="100" fill="#fff"/><text x="50" y="80" font-size="80" text-anchor="middle" font-family="serif">${sign}</text></svg>`
  const pixels = await sharp(Buffer.from(svg)).flatten().greyscale().raw().toBuffer()
  const inked = [...pixels.keys()].filter((at) => (pixels[at] ?? 255) < 128)
  const tall = new Set(inked.map((at) => Math.floor(at / 100))).size
  const wide = new Set(inked.map((at) => at % 100)).size
  return wide > tall * 1.5
}
