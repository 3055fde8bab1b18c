import type { FieldError } from '@mokuroku/contract/call'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useKeptState } from '#parts/useKeptState.ts'
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

interface Props {
  /** Identifies the form, for what is entered in it when the session ends. */
  name: string
  /** The current score; undefined for a new rating. */
  score: number | undefined
  comment: string
  busy: boolean
  /** The field error from the server. */
  fault: FieldError | undefined
  onSave: (rating: { score: number; comment: string }) => void
  onCancel: () => void
  children?: ReactNode
}

/** A score and a comment. Enter in the score field saves, Escape cancels. */
export function RatingForm({ name, busy, fault, onSave, onCancel, children, ...given }: Props) {
  const texts = ratingTexts.use()
  const { scoreInvalid, saving } = words.use()
  const { common } = useMessages()
  const { plainComments, longestComment } = useRatingRights()
  const [text, setText] = useKeptState(`score ${name}`, given.score === undefined ? '' : String(given.score))
  const [comment, setComment] = useKeptState(`comment ${name}`, given.comment)
  const [tried, setTried] = useState(false)
  const score = scoreOf(text)
  const keys = onEscape(onCancel)
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
        onText={setText}
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
        onChange={(event) => setComment(event.currentTarget.value)}
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
