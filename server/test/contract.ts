// Every route of the contract.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Api, Route } from '@mokuroku/contract/route'

const folder = join(import.meta.dirname, '../../contract/src')
const modules = await Promise.all(
  readdirSync(folder)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => import(join(folder, name)) as Promise<Record<string, unknown>>),
)
const isApi = (value: unknown): value is Api =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).length > 0 &&
  Object.values(value).every((each: unknown) => typeof each === 'object' && each !== null && 'method' in each)

/** For example `PUT /api/media/:id`. */
export const nameOf = ({ method, path }: Pick<Route, 'method' | 'path'>): string => `${method} ${path}`

/** The routes of the contract, by name. */
export const routes: ReadonlyMap<string, Route> = new Map(
  modules
    .flatMap((each) => Object.values(each).filter(isApi))
    .flatMap((api) => Object.values(api))
    .map((route) => [nameOf(route), route]),
)

/** The names of the fields of a schema; none if it is not that of an object. */
export const fieldsOf = (schema: Route['body']): string[] =>
  Object.keys((schema as { shape?: object } | undefined)?.shape ?? {})
