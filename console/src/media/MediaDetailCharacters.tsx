import { charactersApi } from '@mokuroku/contract/characters'
import type { Media } from '@mokuroku/contract/media'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { UsersRound } from 'lucide-react'
import { q } from '#api/query.ts'
import { Cover } from '#parts/Cover.tsx'
import { original } from '#parts/titles.ts'
import { Translated } from '#parts/Translated.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Stack } from '#ui/layout.tsx'
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
                {found.map(({ _id, cover, translations, originalName }) => (
                  <li key={_id} className={css.character}>
                    <Cover cover={cover} entity={{ _id, translations, originalName }} size="card" />
                    <Stack className={css.names}>
                      <Link to={`/characters/${_id}`} className={css.name}>
                        <Translated translations={translations} field="name" otherwise={originalName} />
                      </Link>
                      {originalName && (
                        <span className={css.quiet} lang={original(originalName)?.lang}>
                          {originalName}
                        </span>
                      )}
                    </Stack>
                  </li>
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
