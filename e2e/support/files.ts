import { readFileSync } from 'node:fs'
const PIXEL =
  '89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c4944415408d763f8ffff3f0005fe02fedccc59e70000000049454e44ae426082'

/** A PNG of one pixel. */
export const aPixel = (): Buffer => Buffer.from(PIXEL, 'hex')

/** The path of the built chunk of a source file of the console, such as `src/shell/Palette.tsx`. */
export function builtFile(source: string): string {
  const manifest = readFileSync(new URL('../../console/dist/.vite/manifest.json', import.meta.url), 'utf8')
  const { [source]: chunk } = JSON.parse(manifest) as Record<string, { file: string }>
  if (!chunk) throw new Error(`${source} has no chunk of its own`)
  return chunk.file
}
