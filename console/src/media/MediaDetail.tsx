import type { Media } from '@mokuroku/contract/media'
import type { Detail } from '#parts/area/area.ts'
import { DetailColumns } from '#parts/DetailFrame.tsx'
import { MediaCard } from '#parts/MediaCard.tsx'
import { Card } from '#ui/Card.tsx'
import { Stack } from '#ui/layout.tsx'
import css from './MediaDetail.module.css'
import { MediaDetailAssets } from './MediaDetailAssets.tsx'
import { MediaDetailCharacters } from './MediaDetailCharacters.tsx'
import { MediaDetailFacts } from './MediaDetailFacts.tsx'
import { MediaDetailHero, MediaDetailSkeleton } from './MediaDetailHero.tsx'
import { MediaDetailRatings } from './MediaDetailRatings.tsx'
import { mediaDetailTexts } from './detailTexts.ts'

export const detail: Detail<Media> = { Hero: MediaDetailHero, Body, Skeleton: MediaDetailSkeleton }

function Body({ entity: media }: { entity: Media }) {
  const texts = mediaDetailTexts.use()
  return (
    <DetailColumns>
      <Stack gap={4}>
        <MediaDetailFacts media={media} />
        <MediaDetailCharacters media={media} />
        <MediaDetailAssets media={media} />
      </Stack>
      <Stack gap={4}>
        <MediaDetailRatings media={media} />
        {media.relatedMedia.length > 0 && (
          <Card title={texts.related} count={media.relatedMedia.length}>
            <Stack gap={1} className={css.related}>
              {media.relatedMedia.map((related) => (
                <MediaCard key={related._id} media={related} />
              ))}
            </Stack>
          </Card>
        )}
      </Stack>
    </DetailColumns>
  )
}
