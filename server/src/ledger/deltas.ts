// The delta between two JSON documents, so that the second one need not be stored completely.
import { isObject } from '@mokuroku/contract/merge'

type Json = null | boolean | number | string | Json[] | JsonObject
interface JsonObject {
  [key: string]: Json
}

/**
 * The delta of an object: removed keys, new or replaced values, nested deltas, and the order of the keys if it changed.
 */
interface ObjectDelta {
  cut?: string[]
  set?: JsonObject
  in?: Record<string, Delta>
  keys?: string[]
}
/** The delta of a list: at index `at`, `cut` items are replaced by those of `put`. */
interface ListDelta {
  at: number
  cut: number
  put: Json[]
}
type Delta = ObjectDelta | ListDelta

/** The delta from `before` to `after`: `{}` if they are equal, with their keys in the same order. */
export function deltaOf(before: JsonObject, after: JsonObject): ObjectDelta {
  const cut = Object.keys(before).filter((key) => !Object.hasOwn(after, key))
  const [set, within]: [[string, Json][], [string, Delta][]] = [[], []]
  for (const [key, value] of Object.entries(after)) {
    const old = Object.hasOwn(before, key) ? before[key] : undefined
    if (isSame(old, value)) continue
    if (isObject(old) && isObject(value)) within.push([key, deltaOf(old, value)])
    else if (Array.isArray(old) && Array.isArray(value)) within.push([key, listDelta(old, value)])
    else set.push([key, value])
  }
  const delta: ObjectDelta = {
    ...(cut.length > 0 && { cut }),
    ...(set.length > 0 && { set: Object.fromEntries(set) }),
    ...(within.length > 0 && { in: Object.fromEntries(within) }),
  }
  const keys = Object.keys(after)
  return isSame(keysAfter(before, delta), keys) ? delta : { ...delta, keys }
}

/** Applies a delta: returns what `deltaOf` was given as `after`. */
export function withDelta(before: JsonObject, delta: ObjectDelta): JsonObject {
  const { set = {}, in: within = {}, keys = keysAfter(before, delta) } = delta
  const valueOf = (key: string): Json => {
    if (Object.hasOwn(set, key)) return set[key] as Json
    const old = before[key] as Json
    if (!Object.hasOwn(within, key)) return old
    const inner = within[key] as Delta
    return Array.isArray(old)
      ? withListDelta(old, inner as ListDelta)
      : withDelta(old as JsonObject, inner as ObjectDelta)
  }
  return Object.fromEntries(keys.map((key) => [key, valueOf(key)]))
}

/** The order of the keys unless the delta says otherwise: the remaining ones, then the new ones. */
const keysAfter = (before: JsonObject, { cut = [], set = {} }: ObjectDelta): string[] => [
  ...Object.keys(before).filter((key) => !cut.includes(key)),
  ...Object.keys(set).filter((key) => !Object.hasOwn(before, key)),
]

function listDelta(before: Json[], after: Json[]): ListDelta {
  const minLength = Math.min(before.length, after.length)
  let at = 0
  while (at < minLength && isSame(before[at], after[at])) at += 1
  let end = 0
  while (end < minLength - at && isSame(before.at(-1 - end), after.at(-1 - end))) end += 1
  return { at, cut: before.length - at - end, put: after.slice(at, after.length - end) }
}

const withListDelta = (before: Json[], { at, cut, put }: ListDelta): Json[] => before.toSpliced(at, cut, ...put)

/** Exact equality, including the order of keys. */
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
