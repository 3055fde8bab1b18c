import type { Character } from '@mokuroku/contract/characters'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useLanguage } from '#i18n/messages.ts'
import { screenOf } from '#lib/areas.ts'
import { columnTexts } from '#parts/area/columnTexts.ts'
import { Cover } from '#parts/Cover.tsx'
import { LanguageMarks } from '#parts/marks/LanguageMarks.tsx'
import { TagChip } from '#parts/TagChip.tsx'
import { original } from '#parts/titles.ts'
import { Muted, Stack, Truncate } from '#ui/layout.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import shared from '#parts/area/card.module.css'
import table from '#ui/Table.module.css'
import css from './CharacterCard.module.css'
import { nameOf } from './nameOf.ts'
import { characterTexts } from './texts.ts'

/** Tags shown before '+N more'. */
const TAGS = 3

interface Props {
  row: Character
  /** Its action buttons. */
  actions: ReactNode
  /** Its selection checkbox. */
  box: ReactNode
}

/** A character in the grid. The whole card links to its detail screen; the action buttons are above the link. */
export function CharacterCard({ row: character, actions, box }: Props) {
  const texts = characterTexts.use()
  const { moreTags } = columnTexts.use()
  const name = nameOf(character, useLanguage())
  const published = original(character.originalName, name)
  const { _id, cover, tags, mediaCount } = character
  return (
    <Stack as="li" gap={2} className={`${shared.card} ${css.card}`} data-list-row>
      <Cover cover={cover} entity={character} size="tile" says />
      {box && <span className={css.box}>{box}</span>}
      <Stack className={css.names}>
        <Link
          to={screenOf('Character', _id)}
          className={`line-clamp stretched-link ${shared.name}`}
          lang={name.lang}
          title={name.text}
        >
          {name.text}
        </Link>
        {published && (
          <Truncate className={css.original} lang={published.lang}>
            {published.text}
          </Truncate>
        )}
      </Stack>
      <div className={css.tags}>
        {tags.slice(0, TAGS).map((tag) => (
          <TagChip key={tag._id} tag={tag} short />
        ))}
        {tags.length > TAGS && (
          <Muted small className={css.more}>
            {moreTags(tags.length - TAGS)}
          </Muted>
        )}
      </div>
      <div className={css.foot}>
        <span className={css.languages}>
          <LanguageMarks kind="Character" row={character} />
        </span>
        <span className={css.count}>{texts.inMedia(mediaCount)}</span>
        <span className={`${css.actions} ${table.dimmed}`}>{actions}</span>
      </div>
    </Stack>
  )
}

export function CharacterCardSkeleton() {
  return (
    <Stack gap={2} className={`${shared.card} ${css.card}`}>
      <span className={css.portraitSkeleton}>
        <Skeleton height="100%" />
      </span>
      <Stack className={css.names}>
        <Skeleton width="70%" height={16} />
        <Skeleton width="45%" height={12} />
      </Stack>
      <div className={css.tags}>
        <Skeleton width={64} height={20} />
        <Skeleton width={72} height={20} />
      </div>
      <div className={css.foot}>
        <Skeleton width={56} height={12} />
      </div>
    </Stack>
  )
}
