import type { Tag } from '@mokuroku/contract/tags'
import { createIdNames } from '#parts/jsonEditor/idNames.ts'
import { tagNames } from '#parts/jsonEditor/tagNames.ts'

/** The names of the tags that a tag points at, in the console's language. */
export const ownTagNames = (_tag: Tag | undefined, language: string) =>
  createIdNames(new Map(), { tags: tagNames(language) })
