import { TriangleAlert } from 'lucide-react'
import css from './Theirs.module.css'
import { ratingTexts } from './texts.ts'

interface Props {
  theirs: { score: number; comment: string }
  /** The comment that the change was begun from. */
  before: string
}

/** What somebody else has saved meanwhile, beside a change that is not saved yet. */
export function Theirs({ theirs: { score, comment }, before }: Props) {
  const texts = ratingTexts.use()
  return (
    <div role="alert" className={css.theirs}>
      <TriangleAlert size={16} aria-hidden />
      <div>
        <p>{texts.stale(score.toFixed(1))}</p>
        {comment !== before && <blockquote className={css.comment}>{comment || '—'}</blockquote>}
      </div>
    </div>
  )
}
