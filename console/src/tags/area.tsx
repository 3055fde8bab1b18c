import { page } from '@mokuroku/contract/common'
import type { Response } from '@mokuroku/contract/route'
import { newTag, type Tag, TagInput, TagQuery, tagsApi } from '@mokuroku/contract/tags'
import * as z from 'zod/mini'
import { withSiteLanguages } from '#lib/site.ts'
import type { Area } from '#parts/area/area.ts'
import { catalogueRefusals } from '#parts/area/catalogueRefusals.ts'
import { nameOf } from './nameOf.ts'
import { TagCard, TagCardSkeleton } from './TagCard.tsx'
import css from './TagList.module.css'
import { tagColumns } from './TagListColumns.tsx'
import { TagListFilters } from './TagListFilters.tsx'
import { tagTexts } from './texts.ts'
import { DeletingTag } from './DeletingTag.tsx'

const LIMIT = 20

/** Query parameters in the URL of the list; the API itself uses offsets. */
const ListQuery = z.extend(z.omit(TagQuery, { userId: true, limit: true, skip: true }), { page: page(LIMIT).page })

/** The simplest area; copy this one. */
export const area: Area<Tag, typeof ListQuery> = {
  kind: 'Tag',
  api: tagsApi,
  texts: tagTexts.in,
  nameOf,
  refusals: (me) => catalogueRefusals(me, 'Tag'),
  Deleting: DeletingTag,
  written: ['icon'],
  list: {
    query: ListQuery,
    limit: LIMIT,
    ask: ({ page: at, ...query }) => ({ ...query, limit: LIMIT, skip: (at - 1) * LIMIT }),
    rowsOf: ({ tags: rows, total }: Response<typeof tagsApi.list>) => ({ rows, total }),
    Filters: TagListFilters,
    pagerAbove: LIMIT,
    table: { columns: tagColumns, actionsWidth: '6.5rem' },
    cards: { Card: TagCard, Skeleton: TagCardSkeleton, className: css.grid },
  },
  editor: {
    schema: TagInput,
    start: () => withSiteLanguages(newTag()),
    links: { parentTag: 'tags' },
  },
}
