import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Row } from '#ui/layout.tsx'
import css from './Notice.module.css'

interface Props {
  icon: LucideIcon
  title: string
  hint?: string | undefined
  /** A live region of its own says it already. */
  isSaid?: boolean
  /** What can be done about it. */
  children?: ReactNode
}

/** A line above the editor that says something about it. */
export function Notice({ icon: Icon, title, hint, isSaid, children }: Props) {
  return (
    <Row align="start" wrap className={css.notice} role={isSaid ? undefined : 'status'}>
      <Icon size={16} aria-hidden />
      <div className={css.text}>
        <p className={css.title}>{title}</p>
        {hint && <p className={css.hint}>{hint}</p>}
      </div>
      {children && <div className={css.actions}>{children}</div>}
    </Row>
  )
}
