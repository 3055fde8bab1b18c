import { ApiError } from '@mokuroku/contract/call'
import { type Rating, type RatingInput, ratingsApi } from '@mokuroku/contract/ratings'
import { useMutation, useQuery } from '@tanstack/react-query'
import { SquarePen, Star, Trash2 } from 'lucide-react'
import { type ComponentProps, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { call } from '#api/call.ts'
import { q } from '#api/query.ts'
import { refreshed, toastFailure } from '#api/queryClient.ts'
import { useMe } from '#api/session.ts'
import { ConflictNotice } from '#parts/ConflictNotice.tsx'
import { useKeptState } from '#parts/useKeptState.ts'
import { useStoredState } from '#parts/useStoredState.ts'
import { ScoreBadge } from '#parts/MediaBadges.tsx'
import { useDeleteRating } from '#parts/rating/deleteRating.tsx'
import { useRatingRights } from '#parts/rating/rights.ts'
import { RatingConflict } from '#parts/rating/RatingConflict.tsx'
import { useSaveRating } from '#parts/rating/useSaveRating.ts'
import { Button, IconButton } from '#ui/Button.tsx'
import { Row } from '#ui/layout.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { toast } from '#ui/toast.ts'
import css from './MyRating.module.css'
import { RatingForm, type TypedRating } from './RatingForm.tsx'
import { ratingTexts } from './ratingTexts.ts'

/** The signed-in user's rating of this media item, which can be given and changed in place. */
export function MyRating({ mediaId }: { mediaId: string }) {
  const texts = ratingTexts.use()
  const { _id } = useMe()
  const own = useQuery(q(ratingsApi.ofMedia, { id: mediaId, query: { userId: _id, limit: 1 } }))
  const { ask, question } = useDeleteRating()
  /** The rating that is being changed, as it was when the form was opened. */
  const [open, setOpen] = useKeptState<'new' | Rating | undefined>(`rating of ${mediaId}`, undefined)
  const [typed, setTyped] = useStoredState<TypedRating | undefined>(`my rating of ${mediaId}`, undefined)
  const box = useRef<HTMLDivElement>(null)
  const close = () => {
    flushSync(() => setOpen(undefined))
    box.current?.querySelector('button')?.focus()
  }
  return (
    <div ref={box} className={css.mine} role="group" aria-label={texts.mine}>
      <Loaded query={own} skeleton={<Skeleton height={34} />} failed={texts.mineFailed}>
        {([rating]) => {
          const form = {
            mediaId,
            typed,
            onTyped: (now: Omit<TypedRating, 'rating'>) =>
              setTyped({ ...now, rating: open === 'new' ? undefined : open }),
            onClose: close,
            onDone: () => {
              setTyped(undefined)
              close()
            },
          }
          if (open === 'new') return <NewForm {...form} given={rating} />
          if (open) return <ChangeForm {...form} rating={open} now={rating} />
          /** What was typed goes on from the rating that it changes. */
          const reopen = (stored: 'new' | Rating) => setOpen(typed ? (typed.rating ?? 'new') : stored)
          return rating ? (
            <Given rating={rating} onEdit={() => reopen(rating)} onDelete={() => ask(rating)} />
          ) : (
            <NotGiven onRate={() => reopen('new')} />
          )
        }}
      </Loaded>
      {question}
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

interface GivenProps {
  rating: Rating
  onEdit: () => void
  onDelete: () => void
}

function Given({ rating, onEdit, onDelete }: GivenProps) {
  const texts = ratingTexts.use()
  const { noEdit, noDelete } = useRatingRights()
  return (
    <Row gap={2}>
      <span className={css.label}>{texts.mine}</span>
      <ScoreBadge score={rating.score} />
      <span className={css.actions}>
        <IconButton icon={SquarePen} label={texts.edit} reason={noEdit(rating)} onClick={onEdit} />
        <IconButton icon={Trash2} destructive label={texts.delete} reason={noDelete(rating)} onClick={onDelete} />
      </span>
    </Row>
  )
}

interface FormProps extends Pick<ComponentProps<typeof RatingForm>, 'typed' | 'onTyped' | 'onClose'> {
  mediaId: string
  /** Called after saving and by Cancel: nothing that was typed is kept. */
  onDone: () => void
}

interface NewProps extends FormProps {
  /** The rating that was given in another window in the meantime. */
  given: Rating | undefined
}

function NewForm(props: NewProps) {
  const texts = ratingTexts.use()
  const { given, typed, onTyped, onDone, onClose } = props
  const { give, busy, fault, isTaken } = useGive(props)
  const [wasGiven] = useState(given !== undefined)
  return (
    <RatingForm
      score={undefined}
      comment=""
      {...{ typed, onTyped, busy, fault, onClose }}
      onSave={give}
      onCancel={onDone}
    >
      {given && (isTaken || wasGiven) && (
        <ConflictNotice>
          <p>{texts.meanwhile(given.score.toFixed(1))}</p>
        </ConflictNotice>
      )}
    </RatingForm>
  )
}

/** Gives a rating, or overwrites the one that was given in another window. */
function useGive({ mediaId, given, onDone }: Pick<NewProps, 'mediaId' | 'given' | 'onDone'>) {
  const texts = ratingTexts.use()
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: RatingInput) =>
      given
        ? call(ratingsApi.update, { id: given._id, body, base: given.version })
        : call(ratingsApi.create, { body: { mediaId, ...body } }),
    meta: { quiet: true },
    onError: (failure) => toastFailure(texts.giveFailed, failure, isMediaGone(failure) ? texts.mediaGone : undefined),
    onSuccess: async () => {
      toast.success(ratingTexts.get().given)
      await refreshed()
      onDone()
    },
  })
  return {
    give: (body: RatingInput) => mutate(body),
    busy: isPending,
    fault: error instanceof ApiError ? error.errors?.[0] : undefined,
    /** The rating was given or changed in another window. */
    isTaken: error instanceof ApiError && (error.status === 409 || error.status === 412),
  }
}

/** The media item does not exist any more. */
const isMediaGone = (error: unknown) =>
  error instanceof ApiError &&
  error.errors?.some(({ path, code }) => path === 'mediaId' && code === 'notThere') === true

interface ChangeProps extends FormProps {
  /** The rating that the edit starts from. */
  rating: Rating
  /** The rating as last fetched; undefined if it was deleted in the meantime. */
  now: Rating | undefined
}

function ChangeForm({ mediaId, rating, now, typed, onTyped, onDone, onClose }: ChangeProps) {
  const texts = ratingTexts.use()
  const { save, isPending, fault, theirs } = useSaveRating(rating, onDone)
  const again = useGive({ mediaId, given: now, onDone })
  const isGone = now?._id !== rating._id
  return (
    <RatingForm
      {...{ score: rating.score, comment: rating.comment, typed, onTyped, onClose }}
      busy={isPending || again.busy}
      fault={again.fault ?? fault}
      onSave={({ score, comment }) => {
        if (isGone) return again.give({ score, comment })
        const change = { ...(score !== rating.score && { score }), ...(comment !== rating.comment && { comment }) }
        if (Object.keys(change).length === 0) onDone()
        else save(change)
      }}
      onCancel={onDone}
    >
      {isGone && !again.busy && (
        <ConflictNotice>
          <p>{now ? texts.meanwhile(now.score.toFixed(1)) : texts.gone}</p>
        </ConflictNotice>
      )}
      {!isGone && theirs && <RatingConflict theirs={theirs} before={rating.comment} />}
    </RatingForm>
  )
}
