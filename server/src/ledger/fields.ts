import type { Document } from '@mokuroku/contract/merge'
import type { Input } from './definition.ts'
import type { Kind } from '@mokuroku/contract/kinds'
import { isClearable } from '#database/columns.ts'
import { TABLES } from '#database/tables.ts'

/** `fields` overwritten with `input`: undefined keeps a value, null clears it. */
export function overlay<Fields extends Document>(kind: Kind, fields: Fields, input: Input<Fields>): Fields {
  const given = Object.entries(input).filter(([, value]) => value !== undefined)
  const merged = { ...fields, ...Object.fromEntries(given) }
  return Object.fromEntries(
    Object.entries(merged).filter(([name, value]) => value !== null || !isClearable(TABLES[kind], name)),
  ) as Fields
}

/** `after` as an input. Fields that it no longer has are set to null, since an input keeps what it leaves out. */
export function inputOf(kind: Kind, before: Document, after: Document): Document {
  const absent = Object.keys(before).filter((name) => !(name in after) && isClearable(TABLES[kind], name))
  return { ...Object.fromEntries(absent.map((name) => [name, null])), ...after }
}

/** The columns to set when these paths changed: null for a field that is gone. */
export const columnsOf = (after: Document, paths: string[]): Document =>
  Object.fromEntries(paths.map((path) => path.split('.', 1)[0] ?? '').map((name) => [name, after[name] ?? null]))

/** The ids that a field holds, whether it is a list, one id, or empty. */
export function idsIn(fields: Document, field: string): string[] {
  const value = fields[field]
  if (Array.isArray(value)) return value as string[]
  return typeof value === 'string' && value !== '' ? [value] : []
}

/** The path of an id in the document, as the editor names it. */
export const pathOf = (fields: Document, field: string, id: string): string =>
  Array.isArray(fields[field]) ? `${field}.${(fields[field] as string[]).indexOf(id)}` : field

/** The link fields, with the kind that each links to. */
export const linkFields = (definition: { links?: object }) => Object.entries(definition.links ?? {}) as [string, Kind][]
