import type { Media } from '@mokuroku/contract/media'
import { type Rating, ratingsApi } from '@mokuroku/contract/ratings'
import { useQuery } from '@tanstack/react-query'
import { Star } from 'lucide-react'
import { useState } from 'react'
import { q } from '#api/query.ts'
import { useLanguage } from '#i18n/messages.ts'
import { longDate } from '#lib/dates.ts'
import { guessLanguage } from '#lib/text.ts'
import { Avatar } from '#parts/Avatar.tsx'
import { ScoreBadge } from '#parts/MediaBadges.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Row, Stack } from '#ui/layout.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { SkeletonLines } from '#ui/Skeleton.tsx'
import css from './MediaDetail.module.css'
import { MyRating } from './MyRating.tsx'
import { RatingHistogram } from './RatingHistogram.tsx'
import { mediaDetailTexts } from './detailTexts.ts'

/** How many ratings fit beside the details; the rest can be expanded. */
const SHOWN = 6

interface Props {
  media: Pick<Media, '_id' | 'ratingCount' | 'ratingHistogram'>
}

export function MediaDetailRatings({ media: { _id, ratingCount, ratingHistogram } }: Props) {
  const texts = mediaDetailTexts.use()
  const ratings = useQuery(q(ratingsApi.ofMedia, { id: _id }))
  const [all, setAll] = useState(false)
  return (
    <Card title={texts.reviews} count={ratingCount}>
      {ratingCount > 0 && <RatingHistogram ratingHistogram={ratingHistogram} />}
      <MyRating mediaId={_id} />
      <Loaded query={ratings} skeleton={<SkeletonLines lines={3} height={56} />} failed={texts.reviewsFailed}>
        {(found) =>
          found.length === 0 ? (
            <EmptyState icon={Star} title={texts.reviewsEmpty} />
          ) : (
            <>
              <Stack as="ul" gap={4}>
                {found.slice(0, all ? undefined : SHOWN).map((rating) => (
                  <Review key={rating._id} rating={rating} />
                ))}
              </Stack>
              {!all && found.length > SHOWN && (
                <Button variant="quiet" className={css.more} onClick={() => setAll(true)}>
                  {texts.allReviews(found.length)}
                </Button>
              )}
              {all && ratingCount > found.length && (
                <p className={css.more}>{texts.firstOf(found.length, ratingCount)}</p>
              )}
            </>
          )
        }
      </Loaded>
    </Card>
  )
}

function Review({ rating: { userId, score, comment, createdAt } }: { rating: Rating }) {
  const texts = mediaDetailTexts.use()
  const language = useLanguage()
  const rater = typeof userId === 'string' ? undefined : userId
  const name = rater?.username || texts.anonymous
  return (
    <Row as="li" gap={3} align="stretch">
      <Avatar name={name} url={rater?.avatar} />
      <div className={css.body}>
        <Row gap={2} align="start" justify="between">
          <span className={css.name} lang={rater?.username ? guessLanguage(rater.username) : undefined}>
            {name}
          </span>
          <span className="sr-only">{texts.score}</span>
          <ScoreBadge score={score} />
        </Row>
        <time className={css.quiet} dateTime={createdAt}>
          {longDate(createdAt, language)}
        </time>
        {comment && (
          <p className={css.comment} lang={guessLanguage(comment)}>
            {comment}
          </p>
        )}
      </div>
    </Row>
  )
}
