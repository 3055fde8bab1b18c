import type { Document } from '@mokuroku/contract/merge'
import type { Input } from './definition.ts'
import type { Kind } from '@mokuroku/contract/kinds'
import { isClearable } from '#database/columns.ts'
import { TABLES } from '#database/tables.ts'

/** `input` laid over `fields`: what is undefined stays, what is null goes. */
export function overlay<Fields extends Document>(kind: Kind, fields: Fields, input: Input<Fields>): Fields {
  const given = Object.entries(input).filter(([, value]) => value !== undefined)
  const merged = { ...fields, ...Object.fromEntries(given) }
  return Object.fromEntries(
    Object.entries(merged).filter(([name, value]) => value !== null || !isClearable(TABLES[kind], name)),
  ) as Fields
}

/** Fields as an input: what is to be absent is named, since what an input leaves out stays. */
export function inputOf(kind: Kind, before: Document, after: Document): Document {
  const absent = Object.keys(before).filter((name) => !(name in after) && isClearable(TABLES[kind], name))
  return { ...Object.fromEntries(absent.map((name) => [name, null])), ...after }
}

/** The columns that a change of these paths sets: null for a field that is gone. */
export const columnsOf = (after: Document, paths: string[]): Document =>
  Object.fromEntries(paths.map((path) => path.split('.', 1)[0] ?? '').map((name) => [name, after[name] ?? null]))

/** The ids that a field holds: a list, one, or none. */
export function idsIn(fields: Document, field: string): string[] {
  const value = fields[field]
  if (Array.isArray(value)) return value as string[]
  return typeof value === 'string' && value !== '' ? [value] : []
}

/** Where in the document an id stands, as the editor names it. */
export const pathOf = (fields: Document, field: string, id: string): string =>
  Array.isArray(fields[field]) ? `${field}.${(fields[field] as string[]).indexOf(id)}` : field

/** The fields that point at others, with the kind that each points at. */
export const linkFields = (definition: { links?: object }) => Object.entries(definition.links ?? {}) as [string, Kind][]
