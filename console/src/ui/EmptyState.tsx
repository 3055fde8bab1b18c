import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Row } from './layout.tsx'
import css from './EmptyState.module.css'

interface Props {
  icon?: LucideIcon
  title: string
  hint?: ReactNode
  /** Actions. */
  children?: ReactNode
  alert?: boolean
}

/** Empty state with suggested actions. With `alert`, an error state. */
export function EmptyState({ icon: Icon, title, hint, children, alert }: Props) {
  return (
    <div className={`${css.empty} ${alert ? css.alert : ''}`} role={alert ? 'alert' : undefined}>
      {Icon && (
        <span className={css.icon}>
          <Icon size={20} strokeWidth={1.75} aria-hidden />
        </span>
      )}
      <p className={css.title}>{title}</p>
      {hint && <p className={css.hint}>{hint}</p>}
      {children && (
        <Row gap={2} align="stretch" justify="center" wrap className={css.next}>
          {children}
        </Row>
      )}
    </div>
  )
}
