import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { schemasApart } from '../console/schemasApart.ts'

const contract = path.resolve(import.meta.dirname, '../contract/src')
const sources = path.resolve(import.meta.dirname, '../console/src')

/** The output of the plugin for a module of the contract; undefined if it does not change it. */
const built = async (file: string, folder = contract) => {
  const { load } = schemasApart()
  if (typeof load !== 'object') throw new Error('It has no hook that loads')
  return (load.handler as (id: string) => Promise<string | undefined>)(path.join(folder, file))
}

test('a module with schemas keeps its routes and constants, and re-exports the rest from a separate file', async () => {
  const media = await built('media.ts')
  expect(media).toContain('export const MEDIA_TYPES = ["ANIME","MANGA","NOVEL"]')
  expect(media).toContain('"list":{"counted":true,"method":"GET","path":"/api/media"}')
  expect(media).toMatch(/export \{ MediaInput, .*newMedia \} from ".*media\.ts\?whole"/)
})

test('a checkout can be in a folder whose name has characters that URLs and strings escape', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'mokuroku-it’s "100%20" '))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(path.join(folder, 'contract'))
  symlinkSync(contract, path.join(folder, 'contract/src'))
  const media = await built('media.ts', path.join(folder, 'contract/src'))
  expect(media).toMatch(/ from ".*\/mokuroku-it’s \\"100%20\\" \w+\/contract\/src\/media\.ts\?whole"/)
})

test('a module without schemas is unchanged', async () => {
  expect(await built('languageTags.ts')).toBeUndefined()
  expect(await built('kinds.ts')).toBeUndefined()
})

test('the console reads no schema from a route, because built routes have none', () => {
  const readers = globSync('**/*.{ts,tsx}', { cwd: sources }).filter((file) =>
    /\bApi\.\w+\.(query|body|response)\b/.test(readFileSync(path.join(sources, file), 'utf8')),
  )
  expect(readers).toEqual([])
})
