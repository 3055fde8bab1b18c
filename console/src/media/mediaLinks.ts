import type { Links } from '#parts/jsonEditor/idNames.ts'

/** The fields of media that hold ids, and what they refer to. */
export const MEDIA_LINKS = {
  characters: 'characters',
  tags: 'tags',
  cover: 'assets',
  assets: 'assets',
  relatedMedia: 'media',
} as const satisfies Links
