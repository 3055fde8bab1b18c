import { type RatedMedia as Rated, type Rating, ratingsApi } from '@mokuroku/contract/ratings'
import type { Response } from '@mokuroku/contract/route'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import type * as z from 'zod/mini'
import { q } from '#api/query.ts'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { longDateTime } from '#lib/dates.ts'
import { type Text, guessLanguage } from '#lib/text.ts'
import { Avatar } from '#parts/Avatar.tsx'
import { screenOf } from '#lib/areas.ts'
import { DetailColumns, DetailFrame } from '#parts/DetailFrame.tsx'
import { Neighbours, type PagedList, rowsFrom } from '#parts/Neighbours.tsx'
import { useBackTo } from '#parts/useBackTo.ts'
import { TypeBadge } from '#parts/MediaBadges.tsx'
import type { Revised } from '#parts/history/revised.ts'
import { WithHistory } from '#parts/history/WithHistory.tsx'
import { MediaLink } from '#parts/MediaLink.tsx'
import { useDeleteRating } from '#parts/rating/deleteRating.tsx'
import { mediaOf, raterOf, useRatingRights } from '#parts/rating/rights.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Fact, Facts } from '#ui/Facts.tsx'
import { Page } from '#ui/Page.tsx'
import { Skeleton, SkeletonLines } from '#ui/Skeleton.tsx'
import { ListQuery, ratingPage } from './ratingPage.ts'
import { useRatingNames } from './useRatingNames.ts'
import css from './RatingDetail.module.css'
import { RatingScore } from './RatingScore.tsx'
import { texts as area } from './texts.ts'

const REVISED: Revised = { kind: 'Rating', links: { mediaId: 'media' }, written: ['comment'] }

const LIST: PagedList<typeof ListQuery> = {
  query: ListQuery,
  pageOf: (state) => ({
    options: rowsFrom(ratingPage(state), ({ ratings }: Response<typeof ratingsApi.list>) => ratings),
    limit: state.limit,
  }),
}

export function RatingDetail({ id }: { id: string }) {
  const { detail: texts } = area.use()
  const back = useBackTo('/ratings', texts.back)
  const rating = useQuery({ ...q(ratingsApi.find, { id }), meta: { quiet: true } })
  return (
    <DetailFrame isRestorable query={rating} back={back} texts={texts} pending={<Pending />}>
      {(found) => <Found rating={found} />}
    </DetailFrame>
  )
}

function Found({ rating }: { rating: Rating }) {
  const { noComment, detail: texts } = area.use()
  const { common } = useMessages()
  const back = useBackTo('/ratings', texts.back)
  const navigate = useNavigate()
  const { noDelete, noEdit } = useRatingRights()
  const { ask, question } = useDeleteRating(() => navigate({ to: back.to, search: back.search }))
  const { title } = useRatingNames()(rating)
  const media = mediaOf(rating)
  const { comment } = rating
  return (
    <Page
      title={texts.title}
      back={back}
      actions={
        <>
          <Neighbours id={rating._id} list={LIST} to={(id) => screenOf('Rating', id)} />
          <Button icon={Trash2} reason={noDelete(rating)} onClick={() => ask(rating)}>
            {common.delete}
          </Button>
        </>
      }
    >
      <WithHistory revised={REVISED} id={rating._id} refusal={noEdit(rating)}>
        <DetailColumns>
          <Card title={media ? <RatedMedia {...media} title={title} /> : title.text}>
            <RatingScore rating={rating} />
            <h2 className={css.heading}>{texts.comment}</h2>
            <p className={comment ? css.comment : css.quiet} lang={comment ? guessLanguage(comment) : undefined}>
              {comment || noComment}
            </p>
          </Card>
          <RatingFacts rating={rating} />
        </DetailColumns>
      </WithHistory>
      {question}
    </Page>
  )
}

function RatedMedia({ _id, mediaType, title }: Pick<z.output<typeof Rated>, '_id' | 'mediaType'> & { title: Text }) {
  return (
    <span className={css.media}>
      <MediaLink id={_id} lang={title.lang}>
        {title.text}
      </MediaLink>
      <TypeBadge mediaType={mediaType} />
    </span>
  )
}

function RatingFacts({ rating }: { rating: Rating }) {
  const { detail: texts } = area.use()
  const language = useLanguage()
  const { name } = useRatingNames()(rating)
  return (
    <Card title={texts.details}>
      <Facts>
        <Fact name={texts.user} wide>
          <Avatar name={name} url={raterOf(rating)?.avatar} />
          <span lang={guessLanguage(raterOf(rating)?.username ?? '')}>{name}</span>
        </Fact>
        <Fact name={texts.created} wide>
          <time dateTime={rating.createdAt}>{longDateTime(rating.createdAt, language)}</time>
        </Fact>
        <Fact name={texts.updated} wide>
          <time dateTime={rating.updatedAt}>{longDateTime(rating.updatedAt, language)}</time>
        </Fact>
      </Facts>
    </Card>
  )
}

function Pending() {
  const { detail: texts } = area.use()
  return (
    <Page title={texts.title} back={useBackTo('/ratings', texts.back)}>
      <p role="status" className="sr-only">
        {texts.loading}
      </p>
      <DetailColumns aria-hidden>
        <Card title={<Skeleton width={180} />}>
          <Skeleton width={96} height={44} />
          <div className={css.heading}>
            <SkeletonLines lines={3} height={16} />
          </div>
        </Card>
        <Card title={texts.details}>
          <SkeletonLines lines={4} height={40} />
        </Card>
      </DetailColumns>
    </Page>
  )
}
