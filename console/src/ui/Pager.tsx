import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { useMessages } from '#i18n/messages.ts'
import { Button } from './Button.tsx'
import css from './Pager.module.css'

interface Props {
  page: number
  hasNext: boolean
  onPage: (page: number) => void
  /** Instead of 'Page N': 'Showing X to Y of Z results'. */
  children?: ReactNode
}

export function Pager({ page, hasNext, onPage, children }: Props) {
  const { common } = useMessages()
  return (
    <nav className={css.pager} aria-label={common.pages}>
      <Button size="small" icon={ChevronLeft} disabled={page <= 1} onClick={() => onPage(page - 1)}>
        {common.previous}
      </Button>
      <span className={css.where} aria-live="polite">
        {children ?? common.page(page)}
      </span>
      <Button size="small" disabled={!hasNext} onClick={() => onPage(page + 1)}>
        {common.next}
        <ChevronRight size={16} aria-hidden />
      </Button>
    </nav>
  )
}
