import { type Character, charactersApi } from '@mokuroku/contract/characters'
import { useQuery } from '@tanstack/react-query'
import { Clapperboard } from 'lucide-react'
import { useState } from 'react'
import { qList } from '#api/query.ts'
import { MediaCard } from '#parts/MediaCard.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Stack } from '#ui/layout.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { Pager } from '#ui/Pager.tsx'
import { SkeletonLines } from '#ui/Skeleton.tsx'
import css from './CharacterDetail.module.css'
import { characterTexts } from './texts.ts'

const LIMIT = 20

/** The media in which a character appears, as cards. */
export function CharacterMedia({ character: { _id: id, mediaCount: total } }: { character: Character }) {
  const { detail: texts } = characterTexts.use()
  const [page, setPage] = useState(1)
  const media = useQuery(qList(charactersApi.media, { id, query: { page, limit: LIMIT } }))
  return (
    <Card title={texts.media} count={total} flush>
      <Loaded
        query={media}
        failed={texts.mediaFailed}
        skeleton={
          <div className={css.mediaSkeleton}>
            <SkeletonLines lines={Math.min(3, Math.max(1, total))} height={78} />
          </div>
        }
      >
        {(found) =>
          found.length === 0 && page === 1 ? (
            <EmptyState icon={Clapperboard} title={texts.mediaEmpty} />
          ) : (
            <Stack gap={1} className={css.media}>
              {found.map((each) => (
                <MediaCard key={each._id} media={each} />
              ))}
            </Stack>
          )
        }
      </Loaded>
      {(total > LIMIT || page > 1) && (
        <Pager page={page} hasNext={page * LIMIT < total} last={Math.ceil(total / LIMIT)} onPage={setPage} />
      )}
    </Card>
  )
}
