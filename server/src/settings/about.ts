import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { About } from '@mokuroku/contract/settings'
import * as z from 'zod/mini'

const ROOT = join(import.meta.dirname, '../../..')
const PACKAGES = ['', 'contract', 'server', 'console']

const Package = z.object({
  name: z.string(),
  version: z.string(),
  license: z._default(z.string(), ''),
  dependencies: z._default(z.record(z.string(), z.string()), {}),
})

let read: Promise<About> | undefined

/** The version, and what is shipped with it: as installed here. */
export const about = (): Promise<About> => (read ??= readAll())

async function readAll(): Promise<About> {
  const own = await Promise.all(PACKAGES.map((folder) => packageIn(join(ROOT, folder))))
  const used = own.flatMap(({ dependencies }, at) =>
    Object.keys(dependencies)
      .filter((name) => !name.startsWith('@mokuroku/'))
      .map((name) => ({ name, near: PACKAGES[at] ?? '' })),
  )
  const found = await Promise.all(used.map(({ name, near }) => packageIn(placeOf(name, near))))
  const parts = new Map(found.map(({ name, version, license }) => [name, { name, version, licence: license }]))
  return {
    version: own[0]?.version ?? '',
    parts: [...parts.values()].toSorted((one, two) => one.name.localeCompare(two.name)),
  }
}

/** Where npm put a package: beside the one that asked for it, or at the root. */
function placeOf(name: string, near: string): string {
  const nested = join(ROOT, near, 'node_modules', name)
  return existsSync(nested) ? nested : join(ROOT, 'node_modules', name)
}

const packageIn = async (folder: string) =>
  Package.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')))
