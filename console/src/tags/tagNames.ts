import type { Links } from '#parts/jsonEditor/idNames.ts'
import { createIdNames } from '#parts/jsonEditor/idNames.ts'
import { tagNames } from '#parts/jsonEditor/tagNames.ts'

export const TAG_LINKS: Links = { parentTag: 'tags' }

/** The name of the tag above a tag, in the console's language. */
export const parentNames = (language: string) => createIdNames(new Map(), { tags: tagNames(language) })
