import { type Character, charactersApi } from '@mokuroku/contract/characters'
import type { Media } from '@mokuroku/contract/media'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { UsersRound } from 'lucide-react'
import { q } from '#api/query.ts'
import { useLanguage } from '#i18n/messages.ts'
import { Cover } from '#parts/Cover.tsx'
import { NAMELESS, nameOfEntity, original } from '#parts/titles.ts'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Row, Stack } from '#ui/layout.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { SkeletonLines } from '#ui/Skeleton.tsx'
import css from './MediaDetail.module.css'
import { mediaDetailTexts } from './detailTexts.ts'

/** Number of characters shown on the detail screen. */
const SHOWN = 20

export function MediaDetailCharacters({ media }: { media: Pick<Media, '_id' | 'characterCount'> }) {
  const texts = mediaDetailTexts.use()
  const characters = useQuery(q(charactersApi.ofMedia, { id: media._id, query: { page: 1, limit: SHOWN } }))
  const shown = characters.data?.length ?? 0
  const all = media.characterCount
  return (
    <Card title={texts.characters} count={all}>
      <Loaded query={characters} skeleton={<SkeletonLines lines={2} height={78} />} failed={texts.charactersFailed}>
        {(found) =>
          found.length === 0 ? (
            <EmptyState icon={UsersRound} title={texts.charactersEmpty} />
          ) : (
            <>
              <ul className={css.characters}>
                {found.map((character) => (
                  <Appearing key={character._id} character={character} />
                ))}
              </ul>
              {all > shown && <p className={css.more}>{texts.firstOf(shown, all)}</p>}
            </>
          )
        }
      </Loaded>
    </Card>
  )
}

function Appearing({ character }: { character: Character }) {
  const { _id, cover, translations, originalName } = character
  const name = nameOfEntity({ title: originalName ?? '', translations }, useLanguage()) ?? NAMELESS
  const published = original(originalName, name)
  return (
    <Row as="li" gap={3} align="stretch">
      <Cover cover={cover} entity={character} size="card" />
      <Stack className={css.names}>
        <Link to={`/characters/${_id}`} className={css.name} lang={name.lang}>
          {name.text}
        </Link>
        {published && (
          <span className={css.quiet} lang={published.lang}>
            {published.text}
          </span>
        )}
      </Stack>
    </Row>
  )
}
