import { anilist } from './anilist.ts'
import { kitsu } from './kitsu.ts'
import type { PublicCatalogue } from './source.ts'

/** The public catalogues to query, in order of precedence. */
export const CATALOGUES: PublicCatalogue[] = [anilist, kitsu]
