import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { About } from '@mokuroku/contract/settings'
import * as z from 'zod/mini'
import { lazy } from '#lib/lazy.ts'

const ROOT = join(import.meta.dirname, '../../..')
const PACKAGES = ['', 'contract', 'server', 'console']

const Package = z.object({
  name: z.string(),
  version: z.string(),
  license: z._default(z.string(), ''),
  dependencies: z._default(z.record(z.string(), z.string()), {}),
})

/** What is installed: it does not change while the server runs. */
type Installed = Omit<About, 'instances'>

/** The version of the server. */
export const ownVersion = async (): Promise<string> => (await packageIn(ROOT)).version

/** The version, and the versions and licences of the installed dependencies. */
export const about = lazy(readAll)

async function readAll(): Promise<Installed> {
  const own = await Promise.all(PACKAGES.map((folder) => packageIn(join(ROOT, folder))))
  const used = own.flatMap(({ dependencies }, at) =>
    Object.keys(dependencies)
      .filter((name) => !name.startsWith('@mokuroku/'))
      .map((name) => ({ name, near: PACKAGES[at] ?? '' })),
  )
  const found = await Promise.all(used.map(({ name, near }) => partIn(name, near)))
  const parts = new Map(found.map(({ name, version, license }) => [name, { name, version, licence: license }]))
  return {
    version: own[0]?.version ?? '',
    parts: [...parts.values()].toSorted((one, two) => one.name.localeCompare(two.name)),
  }
}

/**
 * Version and licence of a package. In the npm package of the server, most dependencies are bundled rather than
 * installed: they are then looked up in the list of licences.
 */
async function partIn(name: string, near: string): Promise<z.output<typeof Package>> {
  try {
    return await packageIn(placeOf(name, near))
  } catch {
    const listed = await readFile(join(ROOT, 'docs/licences.md'), 'utf8').catch(() => '')
    const row = listed.split('\n').find((line) => line.startsWith(`| ${name} | `))
    const [, , version = '', license = ''] = row?.split('|').map((cell) => cell.trim()) ?? []
    return { name, version, license, dependencies: {} }
  }
}

/** Where npm installed a package: beside the package that depends on it, or at the root. */
function placeOf(name: string, near: string): string {
  const nested = join(ROOT, near, 'node_modules', name)
  return existsSync(nested) ? nested : join(ROOT, 'node_modules', name)
}

const packageIn = async (folder: string) =>
  Package.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')))
