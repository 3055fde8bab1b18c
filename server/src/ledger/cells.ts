import { listText } from '@mokuroku/contract/exports'
import type { Document } from '@mokuroku/contract/merge'

/** The value at a path of a document as the text of a table cell; the items of a list are separated by semicolons. */
export const cellOf = (document: Document, path: string): string => cellText(valueAt(document, path))

/** The value at a path of a document; undefined if there is none. */
export const valueAt = (document: Document, path: string): unknown =>
  path.split('.').reduce<unknown>((of, name) => (of as Document | undefined)?.[name], document)

/** A value as the text of a table cell; '' for none. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  return Array.isArray(value) ? listText(value) : JSON.stringify(value)
}
