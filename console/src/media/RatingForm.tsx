import type { FieldError } from '@mokuroku/contract/call'
import type { Rating } from '@mokuroku/contract/ratings'
import { type FormEvent, type ReactNode, useState } from 'react'
import { sentenceOf } from '#i18n/errors.ts'
import { useMessages } from '#i18n/messages.ts'
import { useRatingRights } from '#parts/rating/rights.ts'
import { ScoreField, scoreOf } from '#parts/rating/ScoreField.tsx'
import { ratingTexts as words } from '#parts/rating/texts.ts'
import { Button } from '#ui/Button.tsx'
import { TextArea } from '#ui/Field.tsx'
import { Row, Stack } from '#ui/layout.tsx'
import { onEscape } from '#ui/onEscape.ts'
import css from './MyRating.module.css'
import { ratingTexts } from './ratingTexts.ts'

/** What was typed into the form, and the rating that it changes, as it was when the form was opened. */
export interface TypedRating {
  rating?: Rating | undefined
  score: string
  comment: string
}

interface Props {
  typed: TypedRating | undefined
  onTyped: (typed: Omit<TypedRating, 'rating'>) => void
  /** The current score; undefined for a new rating. */
  score: number | undefined
  comment: string
  busy: boolean
  /** The field error from the server. */
  fault: FieldError | undefined
  onSave: (rating: { score: number; comment: string }) => void
  onCancel: () => void
  /** Escape: what was typed is kept. */
  onClose: () => void
  children?: ReactNode
}

/** A score and a comment. Enter in the score field saves, Escape closes the form. */
export function RatingForm({ typed, onTyped, busy, fault, onSave, onCancel, onClose, children, ...given }: Props) {
  const texts = ratingTexts.use()
  const { scoreInvalid, saving } = words.use()
  const { common } = useMessages()
  const { plainComments, longestComment } = useRatingRights()
  const text = typed?.score ?? (given.score === undefined ? '' : String(given.score))
  const comment = typed?.comment ?? given.comment
  const [tried, setTried] = useState(false)
  const score = scoreOf(text)
  const keys = onEscape(onClose)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (score !== undefined && !busy) onSave({ score, comment })
  }
  const toFieldMessage = (path: string) => (fault?.path === path ? sentenceOf(fault) : undefined)
  return (
    <Stack as="form" noValidate gap={3} aria-label={texts.mine} onSubmit={submit}>
      <ScoreField
        {...keys}
        text={text}
        onText={(next) => onTyped({ score: next, comment })}
        ref={focused}
        className={css.score}
        error={tried && score === undefined ? scoreInvalid : toFieldMessage('score')}
      />
      <TextArea
        {...keys}
        label={texts.comment}
        hint={plainComments ? texts.plainHint(longestComment) : texts.commentHint(longestComment)}
        value={comment}
        maxLength={longestComment}
        error={toFieldMessage('comment')}
        onChange={(event) => onTyped({ score: text, comment: event.currentTarget.value })}
      />
      {children}
      <Row gap={2} align="stretch">
        <Button {...keys} type="submit" variant="primary" busy={busy}>
          {busy ? saving : common.save}
        </Button>
        <Button {...keys} onClick={onCancel}>
          {common.cancel}
        </Button>
      </Row>
    </Stack>
  )
}

/** The form replaces the button that was pressed, so its first field takes the focus. */
const focused = (input: HTMLInputElement | null) => input?.focus()
