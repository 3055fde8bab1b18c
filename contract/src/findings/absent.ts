import { type Check, type Checked, isFilled, whole } from './check.ts'

/** Nothing shows what it looks like. Kinds without covers have no such finding; likewise below. */
export const noCover: Check = ({ document }) => ('cover' in document && !document.cover ? [whole('cover')] : [])

/** It carries no tag. */
export const noTags: Check = ({ document }) => (isEmptyList(document.tags) ? [whole('tags')] : [])

/** Nobody is in it. */
export const noCharacters: Check = ({ document }) => (isEmptyList(document.characters) ? [whole('characters')] : [])

/** It is described in no language. */
export const noDescription: Check = ({ document, texts }: Checked) =>
  'translations' in document && !Object.values(texts).some(({ description }) => isFilled(description))
    ? [whole('description')]
    : []

/** It is said to be complete, and its release is still to come. As time passes, it is right by itself. */
export const futureCompleted: Check = ({ document: { releaseDate, isOngoing }, now }) =>
  typeof releaseDate === 'string' && isOngoing === false && Date.parse(releaseDate) > Date.parse(now)
    ? [whole('releaseDate', releaseDate)]
    : []

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0
