import { Link } from '@tanstack/react-router'
import { History } from 'lucide-react'
import { buttonClass } from '#ui/Button.tsx'
import { historyTexts } from './texts.ts'

/** To the history of a thing, from its editor. */
export function HistoryLink({ to }: { to: string }) {
  const { history } = historyTexts.use()
  return (
    <Link to={to} state={(before) => before} className={buttonClass({ variant: 'quiet' })}>
      <History size={16} aria-hidden />
      {history}
    </Link>
  )
}
