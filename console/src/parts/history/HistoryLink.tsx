import { Link } from '@tanstack/react-router'
import { History } from 'lucide-react'
import { buttonClass } from '#ui/Button.tsx'
import { historyTexts } from './texts.ts'

/** Link from an entity's editor to its history. */
export function HistoryLink({ to }: { to: string }) {
  const { history } = historyTexts.use()
  return (
    <Link to={to} state={(before) => before} className={buttonClass({ variant: 'quiet' })}>
      <History size={16} aria-hidden />
      {history}
    </Link>
  )
}
