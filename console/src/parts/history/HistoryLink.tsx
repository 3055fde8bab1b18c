import type { Kind } from '@mokuroku/contract/kinds'
import { Link } from '@tanstack/react-router'
import { History } from 'lucide-react'
import { Button, buttonClass } from '#ui/Button.tsx'
import { historyTexts } from './texts.ts'
import { useHistoryRefusal } from './useHistoryRefusal.ts'

/** Link from the editor of an entity of this kind to its history. */
export function HistoryLink({ kind, to }: { kind: Kind; to: string }) {
  const { history } = historyTexts.use()
  const refusal = useHistoryRefusal(kind)
  if (refusal) {
    return (
      <Button variant="quiet" icon={History} reason={refusal}>
        {history}
      </Button>
    )
  }
  return (
    <Link to={to} state={(before) => before} className={buttonClass({ variant: 'quiet' })}>
      <History size={16} aria-hidden />
      {history}
    </Link>
  )
}
