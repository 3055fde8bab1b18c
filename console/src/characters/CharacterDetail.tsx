import type { Character } from '@mokuroku/contract/characters'
import { useLanguage } from '#i18n/messages.ts'
import type { Detail } from '#parts/area/area.ts'
import { DetailColumns } from '#parts/DetailFrame.tsx'
import { Cover } from '#parts/Cover.tsx'
import { original } from '#parts/titles.ts'
import { Muted, Row, Stack } from '#ui/layout.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import css from './CharacterDetail.module.css'
import { CharacterFacts } from './CharacterFacts.tsx'
import { CharacterMedia } from './CharacterMedia.tsx'
import { nameOf } from './nameOf.ts'

export const detail: Detail<Character> = { Hero, Body, Skeleton: DetailSkeleton }

function Hero({ entity: character }: { entity: Character }) {
  const name = nameOf(character, useLanguage())
  const published = original(character.originalName, name)
  return (
    <Row gap={6} align="end" className={css.hero}>
      <span className={css.portrait}>
        <Cover cover={character.cover} entity={character} size="tile" />
      </span>
      <Stack gap={2} className={css.names}>
        <h1 className={css.name} lang={name.lang}>
          {name.text}
        </h1>
        {published && (
          <p className={css.original} lang={published.lang}>
            {published.text}
          </p>
        )}
      </Stack>
    </Row>
  )
}

function Body({ entity: character }: { entity: Character }) {
  return (
    <DetailColumns>
      <CharacterFacts character={character} />
      <CharacterMedia character={character} />
    </DetailColumns>
  )
}

function DetailSkeleton({ loading }: { loading: string }) {
  return (
    <Stack gap={4} aria-busy="true">
      <Row gap={6} align="end" className={css.hero}>
        <span className={css.portrait}>
          <Skeleton height="100%" />
        </span>
        <Stack gap={2} className={css.names}>
          <Skeleton width="min(320px, 100%)" height={32} />
          <Muted as="p" inline role="status">
            {loading}
          </Muted>
        </Stack>
      </Row>
      <DetailColumns aria-hidden>
        <Skeleton height={320} />
        <Skeleton height={240} />
      </DetailColumns>
    </Stack>
  )
}
