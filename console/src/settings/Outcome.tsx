import { CircleAlert, CircleCheck } from 'lucide-react'
import { Row } from '#ui/layout.tsx'
import css from './Settings.module.css'

interface Props {
  success: boolean
  title: string
  hint?: string | undefined
}

/** Result of a test, shown in place because the user is waiting for it. */
export function Outcome({ success, title, hint }: Props) {
  const Icon = success ? CircleCheck : CircleAlert
  return (
    <Row role="status" gap={2} align="stretch" className={css.outcome} data-success={success || undefined}>
      <Icon size={16} aria-hidden />
      <div>
        <p>{title}</p>
        {hint && <p className={css.detail}>{hint}</p>}
      </div>
    </Row>
  )
}
