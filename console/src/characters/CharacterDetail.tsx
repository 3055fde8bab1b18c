import type { Character } from '@mokuroku/contract/characters'
import { useLanguage } from '#i18n/messages.ts'
import type { Detail } from '#parts/area/area.ts'
import { Cover } from '#parts/Cover.tsx'
import { original } from '#parts/titles.ts'
import { Skeleton } from '#ui/Skeleton.tsx'
import css from './CharacterDetail.module.css'
import { CharacterFacts } from './CharacterFacts.tsx'
import { CharacterMedia } from './CharacterMedia.tsx'
import { nameOf } from './nameOf.ts'

export const detail: Detail<Character> = { Hero, Body, Skeleton: DetailSkeleton }

function Hero({ entity: character }: { entity: Character }) {
  const name = nameOf(character, useLanguage())
  const published = original(character.originalName)
  return (
    <div className={css.hero}>
      <span className={css.portrait}>
        <Cover cover={character.cover} of={character} size="tile" />
      </span>
      <div className={css.names}>
        <h1 className={css.name} lang={name.lang}>
          {name.text}
        </h1>
        {published && published.text !== name.text && (
          <p className={css.original} lang={published.lang}>
            {published.text}
          </p>
        )}
      </div>
    </div>
  )
}

function Body({ entity: character }: { entity: Character }) {
  return (
    <div className={css.columns}>
      <CharacterFacts character={character} />
      <CharacterMedia character={character} />
    </div>
  )
}

function DetailSkeleton({ loading }: { loading: string }) {
  return (
    <div className={css.skeleton} aria-busy="true">
      <div className={css.hero}>
        <span className={css.portrait}>
          <Skeleton height="100%" />
        </span>
        <div className={css.names}>
          <Skeleton width="min(320px, 100%)" height={32} />
          <p role="status" className={css.quiet}>
            {loading}
          </p>
        </div>
      </div>
      <div className={css.columns} aria-hidden>
        <Skeleton height={320} />
        <Skeleton height={240} />
      </div>
    </div>
  )
}
