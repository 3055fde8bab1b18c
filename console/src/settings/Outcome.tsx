import { CircleAlert, CircleCheck } from 'lucide-react'
import { Row } from '#ui/layout.tsx'
import css from './Settings.module.css'

interface Result {
  success: boolean
  title: string
  hint?: string | undefined
}

/** Result of a test, shown in place because the user is waiting for it. Always rendered, so that it is announced. */
export function Outcome({ result }: { result: Result | undefined }) {
  const Icon = result?.success ? CircleCheck : CircleAlert
  return (
    <div role="status" className={css.announcer}>
      {result && (
        <Row gap={2} align="stretch" className={css.outcome} data-success={result.success || undefined}>
          <Icon size={16} aria-hidden />
          <div>
            <p>{result.title}</p>
            {result.hint && <p className={css.detail}>{result.hint}</p>}
          </div>
        </Row>
      )}
    </div>
  )
}
