import type { Rating } from '@mokuroku/contract/ratings'
import { Link } from '@tanstack/react-router'
import { Eye, Trash2 } from 'lucide-react'
import type { ComponentProps } from 'react'
import { useMessages } from '#i18n/messages.ts'
import { guessLanguage } from '#lib/text.ts'
import { Avatar } from '#parts/Avatar.tsx'
import { Day } from '#parts/Day.tsx'
import { ScoreBadge } from '#parts/MediaBadges.tsx'
import { MediaLink } from '#parts/MediaLink.tsx'
import { mediaTypes } from '#parts/mediaTypes.ts'
import { mediaOf, raterOf, useRatingRights } from '#parts/rating/rights.ts'
import { buttonClass, IconButton } from '#ui/Button.tsx'
import { Muted, Row, Stack } from '#ui/layout.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import type { Column } from '#ui/Table.tsx'
import { useRatingNames } from './useRatingNames.ts'
import css from './RatingList.module.css'
import { texts as area } from './texts.ts'

/** The columns of /ratings. */
export function useRatingColumns(onDelete: (rating: Rating) => void) {
  const { common } = useMessages()
  const { columns } = area.use()
  return [
    {
      key: 'user',
      head: columns.user,
      width: 'clamp(7.75rem, 13.6vw, 12.25rem)',
      cell: (rating) => <UserCell rating={rating} />,
      skeleton: (
        <Row as="span" gap={3}>
          <Skeleton width={32} height={32} round />
          <Skeleton width="55%" />
        </Row>
      ),
    },
    { key: 'media', head: columns.media, cell: (rating) => <MediaCell rating={rating} /> },
    { key: 'score', head: columns.score, width: '5rem', cell: ({ score }) => <ScoreBadge score={score} /> },
    { key: 'comment', head: columns.comment, width: '27%', spare: 2, cell: (rating) => <Comment {...rating} /> },
    {
      key: 'date',
      head: columns.date,
      width: '9.5rem',
      spare: 1,
      cell: ({ createdAt }) => <Day moment={createdAt} />,
    },
    {
      key: 'actions',
      head: common.actions,
      width: '7rem',
      actions: true,
      cell: (rating) => <Actions rating={rating} onDelete={onDelete} />,
    },
  ] satisfies Column<Rating>[]
}

function UserCell({ rating }: { rating: Rating }) {
  const texts = area.use()
  const { name, title } = useRatingNames()(rating)
  return (
    <Row gap={3}>
      <Avatar name={name} url={raterOf(rating)?.avatar} />
      <RatingLink
        id={rating._id}
        className={css.name}
        lang={guessLanguage(raterOf(rating)?.username ?? '')}
        aria-label={texts.of(name, title.text)}
        title={name}
      >
        {name}
      </RatingLink>
    </Row>
  )
}

function MediaCell({ rating }: { rating: Rating }) {
  const { title } = useRatingNames()(rating)
  const types = mediaTypes.use()
  const media = mediaOf(rating)
  if (!media) return <Muted inline>{title.text}</Muted>
  return (
    <Stack>
      <MediaLink id={media._id} className={css.title} lang={title.lang} title={title.text}>
        {title.text}
      </MediaLink>
      <Muted small>{types[media.mediaType]}</Muted>
    </Stack>
  )
}

function Comment({ comment }: Pick<Rating, 'comment'>) {
  const { noComment } = area.use()
  if (!comment) return <Muted inline>{noComment}</Muted>
  return (
    <span className={`line-clamp ${css.comment}`} lang={guessLanguage(comment)} title={comment}>
      {comment}
    </span>
  )
}

function Actions({ rating, onDelete }: { rating: Rating; onDelete: (rating: Rating) => void }) {
  const texts = area.use()
  const { noDelete } = useRatingRights()
  const { name, title } = useRatingNames()(rating)
  const view = texts.view(name, title.text)
  const className = `${buttonClass({ variant: 'quiet', icon: true })} ${css.action}`
  return (
    <>
      <RatingLink id={rating._id} className={className} aria-label={view} title={view}>
        <Eye size={16} aria-hidden />
      </RatingLink>
      <IconButton
        icon={Trash2}
        destructive
        label={texts.delete(name, title.text)}
        reason={noDelete(rating)}
        className={css.action}
        onClick={() => onDelete(rating)}
      />
    </>
  )
}

function RatingLink({ id, ...props }: Omit<ComponentProps<'a'>, 'href' | 'ref'> & { id: string }) {
  return <Link to={`/ratings/${id}`} {...props} />
}
