import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'

const CONTRACT = /\/contract\/src\/[\w/]+\.ts$/
const WHOLE = '?whole'

/**
 * Splits each contract module that has schemas into two: its routes and constants as plain data, and the unchanged
 * original (`?whole`). A screen that only calls routes then loads neither schemas nor zod. The data of a route leaves
 * out what a call does not need: `query`, `body` and `response` are for types, and `cached` is for the server.
 */
export function schemasApart(): Plugin {
  return {
    name: 'schemas-apart',
    apply: 'build',
    load: {
      filter: { id: /\/contract\/src\/[\w/]+\.ts(\?whole)?$/ },
      async handler(id) {
        if (id.endsWith(WHOLE)) return readFile(id.slice(0, -WHOLE.length), 'utf8')
        const source = await readFile(id, 'utf8')
        if (!CONTRACT.test(id) || !source.includes("import * as z from 'zod/mini'")) return undefined
        const values = Object.entries((await import(pathToFileURL(id).href)) as Record<string, unknown>)
        const [data, rest] = [values.filter(([, value]) => isData(value)), values.filter(([, value]) => !isData(value))]
        return [
          ...data.map(([name, value]) => `export const ${name} = ${JSON.stringify(value, withoutLeftOut)}`),
          `export { ${rest.map(([name]) => name).join(', ')} } from ${JSON.stringify(id + WHOLE)}`,
        ].join('\n')
      },
    },
  }
}

const LEFT_OUT = new Set(['query', 'body', 'response', 'cached'])

function isData(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function' && value !== undefined
  if (Array.isArray(value)) return value.every(isData)
  if (Object.getPrototypeOf(value) !== Object.prototype) return false
  return Object.entries(value).every(([key, each]) => (LEFT_OUT.has(key) && isRoute(value)) || isData(each))
}

function withoutLeftOut(this: unknown, key: string, value: unknown): unknown {
  return LEFT_OUT.has(key) && isRoute(this) ? undefined : value
}

const isRoute = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value
