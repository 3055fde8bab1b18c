import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { guessLanguage } from '#lib/text.ts'
import { Row } from '#ui/layout.tsx'
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

/** Alert about a concurrent change. */
export function ConflictNotice({ children }: { children: ReactNode }) {
  return (
    <Row role="alert" gap={3} align="stretch" className={css.meanwhile}>
      <TriangleAlert size={16} aria-hidden />
      <div>{children}</div>
    </Row>
  )
}
