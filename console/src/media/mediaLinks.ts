import type { Links } from '#parts/jsonEditor/idNames.ts'

/** Which fields of a media hold ids, and of what. */
export const MEDIA_LINKS = {
  characters: 'characters',
  tags: 'tags',
  cover: 'assets',
  assets: 'assets',
  relatedMedia: 'media',
} as const satisfies Links
