import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Row } from '#ui/layout.tsx'
import css from './RatingConflict.module.css'
import { ratingTexts } from './texts.ts'

interface Props {
  theirs: { score: number; comment: string }
  /** The comment that the change was begun from. */
  before: string
}

/** What somebody else has saved meanwhile, beside a change that is not saved yet. */
export function RatingConflict({ theirs: { score, comment }, before }: Props) {
  const texts = ratingTexts.use()
  return (
    <ConflictNotice>
      <p>{texts.stale(score.toFixed(1))}</p>
      {comment !== before && <blockquote className={css.comment}>{comment || '—'}</blockquote>}
    </ConflictNotice>
  )
}

/** Something happened meanwhile that the change has to reckon with. */
export function ConflictNotice({ children }: { children: ReactNode }) {
  return (
    <Row role="alert" gap={3} align="stretch" className={css.meanwhile}>
      <TriangleAlert size={16} aria-hidden />
      <div>{children}</div>
    </Row>
  )
}
