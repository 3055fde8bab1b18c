import type { Asset } from '@mokuroku/contract/assets'
import type { Choice } from '../Suggestion.tsx'

/** The id that a link holds: a text, or an object as a read returns it. */
export function idOf(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null && '_id' in value ? String(value._id) : ''
}

/** A file, as a search finds it. */
export const choiceOf = ({ _id, filename, type, url, thumbnail }: Asset): Choice => ({
  _id,
  translations: {},
  originalTitle: filename,
  cover: type === 'IMAGE' ? { _id, url, ...(thumbnail && { thumbnail }) } : '',
})
