import {
  type Character,
  CharacterInput,
  CharacterQuery,
  charactersApi,
  newCharacter,
} from '@mokuroku/contract/characters'
import type { Response } from '@mokuroku/contract/route'
import * as z from 'zod/mini'
import { withSiteLanguages } from '#lib/site.ts'
import type { Area } from '#parts/area/area.ts'
import { catalogueRefusals } from '#parts/area/catalogueRefusals.ts'
import { CharacterCard, CharacterCardSkeleton } from './CharacterCard.tsx'
import css from './CharacterList.module.css'
import { characterColumns } from './CharacterListColumns.tsx'
import { CharacterListFilters } from './CharacterListFilters.tsx'
import { nameOf } from './nameOf.ts'
import { characterTexts } from './texts.ts'

/** Query parameters in the URL of the list. */
const ListQuery = z.omit(CharacterQuery, { userId: true })

export const area: Area<Character, typeof ListQuery> = {
  kind: 'Character',
  api: charactersApi,
  texts: characterTexts.in,
  nameOf,
  refusals: (me) => catalogueRefusals(me, 'Character'),
  written: ['originalName'],
  list: {
    query: ListQuery,
    rowsOf: ({ characters: rows, pagination: { total } }: Response<typeof charactersApi.list>) => ({ rows, total }),
    Filters: CharacterListFilters,
    pagerAbove: 0,
    table: { columns: characterColumns, actionsWidth: '9.25rem' },
    cards: { Card: CharacterCard, Skeleton: CharacterCardSkeleton, className: css.grid },
  },
  editor: {
    schema: CharacterInput,
    start: () => withSiteLanguages(newCharacter()),
    links: { tags: 'tags', assets: 'assets', cover: 'assets', mediaRefs: 'media' },
  },
  detail: async () => (await import('./CharacterDetail.tsx')).detail,
}
