import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Row } from '#ui/layout.tsx'
import css from './ConflictNotice.module.css'

/** Alert about a concurrent change, beside the unsaved one. */
export function ConflictNotice({ children }: { children: ReactNode }) {
  return (
    <Row role="alert" gap={3} align="stretch" className={css.notice}>
      <TriangleAlert size={16} aria-hidden />
      <div>{children}</div>
    </Row>
  )
}
