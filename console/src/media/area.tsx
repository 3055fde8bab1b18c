import { type Media, mediaApi, MediaInput, MediaQuery, type MediaRow, newMedia } from '@mokuroku/contract/media'
import type { Response } from '@mokuroku/contract/route'
import * as z from 'zod/mini'
import { withSiteLanguages } from '#lib/site.ts'
import type { Area } from '#parts/area/area.ts'
import { catalogueRefusals } from '#parts/area/catalogueRefusals.ts'
import { MediaLink } from '#parts/MediaLink.tsx'
import { titleOf } from '#parts/titles.ts'
import { lazyPart } from '#ui/lazyPart.tsx'
import { MediaListActions } from './MediaListActions.tsx'
import { mediaColumns } from './MediaListColumns.tsx'
import { MediaListFilters } from './MediaListFilters.tsx'
import { MEDIA_LINKS } from './mediaLinks.ts'
import { mediaTexts } from './texts.ts'

/** Query parameters in the URL of the list. */
const ListQuery = z.omit(MediaQuery, { userId: true })

export const area: Area<Media, typeof ListQuery, MediaRow> = {
  kind: 'Media',
  api: mediaApi,
  texts: mediaTexts.in,
  nameOf: titleOf,
  refusals: (me) => catalogueRefusals(me, 'Media'),
  Link: MediaLink,
  written: ['originalTitle'],
  list: {
    query: ListQuery,
    isUncounted: true,
    rowsOf: (rows: Response<typeof mediaApi.list>) => ({ rows }),
    Filters: MediaListFilters,
    Actions: MediaListActions,
    Selected: lazyPart(() => import('./StandardizeSelected.tsx'), 'StandardizeSelected'),
    table: {
      columns: mediaColumns,
      actionsWidth: '9.25rem',
      isDense: true,
    },
  },
  editor: {
    schema: MediaInput,
    start: () => withSiteLanguages({ ...newMedia(new Date().toISOString()), relatedMedia: [] }),
    links: MEDIA_LINKS,
  },
  detail: async () => (await import('./MediaDetail.tsx')).detail,
}
