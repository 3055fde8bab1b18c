import type { Asset } from '@mokuroku/contract/assets'
import type { Choice } from '../Suggestion.tsx'

/** The id in a link: a string, or an object as in a response. */
export function idOf(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null && '_id' in value ? String(value._id) : ''
}

/** An asset as a search result. */
export const choiceOf = ({ _id, filename, type, url, thumbnail }: Asset): Choice => ({
  _id,
  translations: {},
  originalTitle: filename,
  cover: type === 'IMAGE' ? { _id, url, ...(thumbnail && { thumbnail }) } : '',
})
