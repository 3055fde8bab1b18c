import type { Rating } from '@mokuroku/contract/ratings'
import { SquarePen } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useKeptState } from '#parts/useKeptState.ts'
import { sentenceOf } from '#i18n/errors.ts'
import { useMessages } from '#i18n/messages.ts'
import { ScoreBadge } from '#parts/MediaBadges.tsx'
import { useRatingRights } from '#parts/rating/rights.ts'
import { ScoreField, scoreOf } from '#parts/rating/ScoreField.tsx'
import { ratingTexts } from '#parts/rating/texts.ts'
import { RatingConflict } from '#parts/rating/RatingConflict.tsx'
import { useSaveRating } from '#parts/rating/useSaveRating.ts'
import { Button } from '#ui/Button.tsx'
import { KeyHint } from '#ui/KeyHint.tsx'
import { Muted, Row, Stack } from '#ui/layout.tsx'
import { onEscape } from '#ui/onEscape.ts'
import css from './RatingDetail.module.css'
import { texts as area } from './texts.ts'

/** The score, which can be edited in place. */
export function RatingScore({ rating }: { rating: Rating }) {
  const { detail: texts } = area.use()
  const words = ratingTexts.use()
  const { noEdit } = useRatingRights()
  /** The rating that the edit starts from, if its form is open. */
  const [edited, setEdited] = useKeptState<Rating | undefined>(`rating ${rating._id}`, undefined)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    flushSync(() => setEdited(undefined))
    button.current?.focus()
  }
  if (edited) return <ScoreForm rating={edited} onClose={close} />
  return (
    <Row gap={4}>
      <span className={css.badge}>
        <span className="sr-only">{words.score} </span>
        <ScoreBadge score={rating.score} />
      </span>
      <Button ref={button} icon={SquarePen} reason={noEdit(rating)} onClick={() => setEdited(rating)}>
        {texts.edit}
      </Button>
    </Row>
  )
}

/** Saves the score together with the existing comment. */
function ScoreForm({ rating, onClose }: { rating: Rating; onClose: () => void }) {
  const { detail: texts } = area.use()
  const words = ratingTexts.use()
  const { common } = useMessages()
  const [text, setText] = useKeptState(`score ${rating._id}`, String(rating.score))
  const [tried, setTried] = useState(false)
  const { save, isPending, theirs, fault } = useSaveRating(rating, onClose)
  const score = scoreOf(text)
  const keys = onEscape(onClose)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (score === undefined) return
    if (score === (theirs ?? rating).score) onClose()
    else save({ score })
  }
  return (
    <Stack as="form" noValidate gap={3} className={css.form} onSubmit={submit}>
      <ScoreField
        {...keys}
        text={text}
        onText={setText}
        ref={selected}
        className={css.field}
        error={tried && score === undefined ? words.scoreInvalid : fault && sentenceOf(fault)}
      />
      <Row gap={2} wrap>
        <Button {...keys} type="submit" variant="primary" busy={isPending}>
          {isPending ? words.saving : common.save}
        </Button>
        <Button {...keys} onClick={onClose}>
          {common.cancel}
        </Button>
        <KeyHint>
          <Muted small>{texts.keys}</Muted>
        </KeyHint>
      </Row>
      {theirs && <RatingConflict theirs={theirs} before={rating.comment} />}
    </Stack>
  )
}

/** The field replaces the button that was pressed: focus it, and select the score so that typing replaces it. */
function selected(input: HTMLInputElement | null) {
  input?.focus()
  input?.select()
}
