import { type Check, type Checked, isFilled, whole } from './check.ts'

/** Nothing shows what it looks like. Kinds without covers have no such finding; likewise below. */
export const noCover: Check = ({ document }) => (document.cover === '' ? [whole('cover')] : [])

/** It carries no tag. */
export const noTags: Check = ({ document }) => (isEmptyList(document.tags) ? [whole('tags')] : [])

/** It is described in no language. */
export const noDescription: Check = ({ document, texts }: Checked) =>
  'translations' in document && !Object.values(texts).some(({ description }) => isFilled(description))
    ? [whole('description')]
    : []

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0
