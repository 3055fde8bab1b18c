import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Row } from '#ui/layout.tsx'
import css from './Notice.module.css'

interface Props {
  icon: LucideIcon
  title: string
  hint?: string | undefined
  /** Whether another live region already announces it. */
  isAnnounced?: boolean
  /** Actions. */
  children?: ReactNode
}

/** A notice above the editor. */
export function Notice({ icon: Icon, title, hint, isAnnounced, children }: Props) {
  return (
    <Row align="start" wrap className={css.notice} role={isAnnounced ? undefined : 'status'}>
      <Icon size={16} aria-hidden />
      <div className={css.text}>
        <p className={css.title}>{title}</p>
        {hint && <p className={css.hint}>{hint}</p>}
      </div>
      {children && <div className={css.actions}>{children}</div>}
    </Row>
  )
}
