import { type Check, type Checked, isFilled, whole } from './check.ts'

/** It has no cover. Kinds without this field never have the finding; the same holds for the checks below. */
export const noCover: Check = ({ document }) => ('cover' in document && !document.cover ? [whole('cover')] : [])

/** It has no tags. */
export const noTags: Check = ({ document }) => (isEmptyList(document.tags) ? [whole('tags')] : [])

/** It has no characters. */
export const noCharacters: Check = ({ document }) => (isEmptyList(document.characters) ? [whole('characters')] : [])

/** It has no description in any language. */
export const noDescription: Check = ({ document, texts }: Checked) =>
  'translations' in document && !Object.values(texts).some(({ description }) => isFilled(description))
    ? [whole('description')]
    : []

/** It is marked as completed before its release date. The finding disappears by itself once that date has passed. */
export const futureCompleted: Check = ({ document: { releaseDate, isOngoing }, now }) =>
  typeof releaseDate === 'string' && isOngoing === false && Date.parse(releaseDate) > Date.parse(now)
    ? [whole('releaseDate', releaseDate)]
    : []

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0
