import { guessLanguage } from '#lib/text.ts'
import { ConflictNotice } from '#parts/ConflictNotice.tsx'
import css from './RatingConflict.module.css'
import { ratingTexts } from './texts.ts'

interface Props {
  theirs: { score: number; comment: string }
  /** The comment that the edit started from. */
  before: string
}

/** What somebody else has saved in the meantime, shown beside the unsaved change. */
export function RatingConflict({ theirs: { score, comment }, before }: Props) {
  const texts = ratingTexts.use()
  return (
    <ConflictNotice>
      <p>{texts.stale(score.toFixed(1))}</p>
      {comment !== before && (
        <blockquote className={css.comment} lang={guessLanguage(comment)}>
          {comment || '—'}
        </blockquote>
      )}
    </ConflictNotice>
  )
}
