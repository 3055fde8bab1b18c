import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useMessages } from '#i18n/messages.ts'
import { Button } from './Button.tsx'
import { EmptyState } from './EmptyState.tsx'

interface Props {
  icon: LucideIcon
  title: string
  /** What to do if filters leave nothing, and if there is nothing at all. */
  hints: { filtered?: string; empty?: string }
  isLate: boolean
  isFiltered?: boolean
  onFirstPage: () => void
  onReset?: () => void
  /** Actions if there is nothing at all. */
  children?: ReactNode
}

/** What a list without rows shows: it is a page after the last (`isLate`), filters leave nothing, or there is nothing. */
export function EmptyList({ icon, title, hints, isLate, isFiltered, onFirstPage, onReset, children }: Props) {
  const { common } = useMessages()
  return (
    <EmptyState icon={icon} title={title} hint={isLate ? common.emptyPage : isFiltered ? hints.filtered : hints.empty}>
      {isLate && <Button onClick={onFirstPage}>{common.firstPage}</Button>}
      {isFiltered && <Button onClick={onReset}>{common.reset}</Button>}
      {!isLate && !isFiltered && children}
    </EmptyState>
  )
}
