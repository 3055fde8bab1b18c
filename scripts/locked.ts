// Reads the packages from package-lock.json.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

export const root = path.resolve(import.meta.dirname, '..')

export interface Locked {
  /** Its path: node_modules/…, possibly inside another package. */
  at: string
  name: string
  version: string
  licence: string
  integrity: string | undefined
  /** Whether it is needed only to build and test. */
  isForWork: boolean
  /** Whether it is platform-specific, and so installed only on some machines. */
  isOptional: boolean
  hasInstallScript: boolean
  dependencies: string[]
}

interface Entry {
  version?: string
  license?: string
  integrity?: string
  dev?: boolean
  devOptional?: boolean
  optional?: boolean
  link?: boolean
  hasInstallScript?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

/** All third-party packages, sorted by name. */
export function lockedPackages(): Locked[] {
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Entry>
  }
  return Object.entries(lock.packages)
    .filter(([at, entry]) => at.includes('node_modules/') && !entry.link)
    .map(([at, entry]) => ({
      at,
      name: at.split('node_modules/').at(-1) ?? at,
      version: entry.version ?? '',
      licence: entry.license ?? 'none named',
      integrity: entry.integrity,
      isForWork: Boolean(entry.dev ?? entry.devOptional),
      isOptional: Boolean(entry.optional),
      hasInstallScript: Boolean(entry.hasInstallScript),
      dependencies: Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }),
    }))
    .toSorted((one, two) => (one.at === two.at ? 0 : one.name + one.at < two.name + two.at ? -1 : 1))
}

/** The direct dependencies of this repository: those to build and test (`isForWork`), or those that are shipped. */
export function namedPackages(isForWork: boolean): string[] {
  const named = ['', 'contract', 'server', 'console'].flatMap((folder) => {
    const text = readFileSync(path.join(root, folder, 'package.json'), 'utf8')
    const { dependencies, devDependencies } = JSON.parse(text) as Record<string, Record<string, string> | undefined>
    return Object.keys((isForWork ? devDependencies : dependencies) ?? {})
  })
  return [...new Set(named)].filter((name) => !name.startsWith('@mokuroku/')).toSorted()
}

/** The URL of an installed package's source; '' if its manifest names none. */
export function addressOf(at: string): string {
  const file = path.join(root, at, 'package.json')
  if (!existsSync(file)) return ''
  const { repository, homepage } = JSON.parse(readFileSync(file, 'utf8')) as {
    repository?: string | { url?: string }
    homepage?: string
  }
  const given = typeof repository === 'string' ? repository : repository?.url
  return (given && urlOf(given)) || homepage || ''
}

function urlOf(repository: string): string {
  const short = /^(?:github:)?([\w.-]+\/[\w.-]+)$/.exec(repository)?.[1]
  if (short) return `https://github.com/${short}`
  return repository
    .replace(/^git\+/, '')
    .replace(/^(git|ssh):\/\/(git@)?/, 'https://')
    .replace(/^git@([^:]+):/, 'https://$1/')
    .replace(/\.git$/, '')
}
