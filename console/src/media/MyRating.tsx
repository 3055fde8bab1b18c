import { ApiError } from '@mokuroku/contract/call'
import { type NewRating, type Rating, ratingsApi } from '@mokuroku/contract/ratings'
import { useMutation, useQuery } from '@tanstack/react-query'
import { SquarePen, Star, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { call } from '#api/call.ts'
import { changed, q } from '#api/query.ts'
import { useMe } from '#api/session.ts'
import { ScoreBadge } from '#parts/MediaBadges.tsx'
import { useDeleteRating } from '#parts/rating/deleteRating.tsx'
import { useRatingRights } from '#parts/rating/rights.ts'
import { Theirs } from '#parts/rating/Theirs.tsx'
import { useSaveRating } from '#parts/rating/useSaveRating.ts'
import { SHOWN_BY } from '#parts/shownBy.ts'
import { Button, IconButton } from '#ui/Button.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { toast } from '#ui/toast.ts'
import css from './MyRating.module.css'
import { RatingForm } from './RatingForm.tsx'
import { ratingTexts } from './ratingTexts.ts'

/** What the signed-in person has given this media, to be given or changed where it stands. */
export function MyRating({ mediaId }: { mediaId: string }) {
  const texts = ratingTexts.use()
  const { _id } = useMe()
  const own = useQuery(q(ratingsApi.ofMedia, { id: mediaId, query: { userId: _id, limit: 1 } }))
  const [open, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const close = () => {
    flushSync(() => setOpen(false))
    box.current?.querySelector('button')?.focus()
  }
  return (
    <div ref={box} className={css.mine} role="group" aria-label={texts.mine}>
      <Loaded query={own} skeleton={<Skeleton height={34} />} failed={texts.mineFailed}>
        {([rating]) => {
          if (open && rating) return <ChangeForm key={rating._id} rating={rating} onClose={close} />
          if (open) return <NewForm mediaId={mediaId} onClose={close} />
          return rating ? (
            <Given rating={rating} onEdit={() => setOpen(true)} />
          ) : (
            <NotGiven onRate={() => setOpen(true)} />
          )
        }}
      </Loaded>
    </div>
  )
}

function NotGiven({ onRate }: { onRate: () => void }) {
  const texts = ratingTexts.use()
  const { noRate } = useRatingRights()
  return (
    <>
      <Button icon={Star} reason={noRate} onClick={onRate}>
        {texts.rate}
      </Button>
      {noRate && <p className={css.quiet}>{noRate}</p>}
    </>
  )
}

function Given({ rating, onEdit }: { rating: Rating; onEdit: () => void }) {
  const texts = ratingTexts.use()
  const { noEdit, noDelete } = useRatingRights()
  const { ask, question } = useDeleteRating()
  return (
    <div className={css.given}>
      <span className={css.label}>{texts.mine}</span>
      <ScoreBadge score={rating.score} />
      <span className={css.actions}>
        <IconButton icon={SquarePen} label={texts.edit} reason={noEdit(rating)} onClick={onEdit} />
        <IconButton icon={Trash2} toDelete label={texts.delete} reason={noDelete(rating)} onClick={() => ask(rating)} />
      </span>
      {question}
    </div>
  )
}

function NewForm({ mediaId, onClose }: { mediaId: string; onClose: () => void }) {
  const texts = ratingTexts.use()
  const give = useMutation({
    mutationFn: (body: NewRating) => call(ratingsApi.create, { body }),
    meta: { failure: texts.giveFailed },
    onSuccess: async () => {
      toast.success(ratingTexts.now().given)
      await changed(...SHOWN_BY.Rating)
      onClose()
    },
    // Given meanwhile in another window: it is shown, and can be changed.
    onError: (error) => error instanceof ApiError && error.code === 'duplicate' && changed(...SHOWN_BY.Rating),
  })
  return (
    <RatingForm
      score={undefined}
      comment=""
      busy={give.isPending}
      fault={give.error instanceof ApiError ? give.error.errors?.[0] : undefined}
      onSave={(change) => give.mutate({ mediaId, ...change })}
      onCancel={onClose}
    />
  )
}

function ChangeForm({ rating, onClose }: { rating: Rating; onClose: () => void }) {
  const { save, isPending, fault, theirs, giveUp } = useSaveRating(rating, onClose)
  const cancel = () => {
    giveUp()
    onClose()
  }
  return (
    <RatingForm
      {...{ score: rating.score, comment: rating.comment, busy: isPending, fault }}
      onSave={({ score, comment }) => {
        const change = { ...(score !== rating.score && { score }), ...(comment !== rating.comment && { comment }) }
        if (Object.keys(change).length === 0) cancel()
        else save(change)
      }}
      onCancel={cancel}
    >
      {theirs && <Theirs theirs={theirs} before={rating.comment} />}
    </RatingForm>
  )
}
