import { changedPaths, type Document, getPath, isBlank } from '@mokuroku/contract/merge'
import type { MergeSide } from '@mokuroku/contract/merges'
import type * as z from 'zod/mini'

/** An entity as the input of its schema, with images by id. */
export function documentOf(schema: z.ZodMiniObject, entity: object): Document {
  const fields = Object.keys(schema.shape).flatMap((name): [string, unknown][] => {
    const value: unknown = entity[name as keyof typeof entity]
    if (value === undefined || value === null) return []
    const isThing = typeof value === 'object' && '_id' in value
    return [[name, isThing ? value._id : value]]
  })
  return Object.fromEntries(fields)
}

/** Paths at which two documents differ, except lists, which a merge unites. */
export const differing = (survivor: Document, from: Document): string[] =>
  changedPaths(survivor, from)
    .filter((path) => ![survivor, from].some((each) => Array.isArray(getPath(each, path))))
    .filter((path) => !isBlank(getPath(survivor, path)) || !isBlank(getPath(from, path)))

/** The default side for a path: the survivor, unless its value is empty. */
export const sideOf = (survivor: Document, path: string): MergeSide =>
  isBlank(getPath(survivor, path)) ? 'from' : 'survivor'
