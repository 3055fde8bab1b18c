import { RotateCw } from 'lucide-react'
import { joinSentences, messageOf } from '#i18n/errors.ts'
import { useMessages } from '#i18n/messages.ts'
import { Button } from './Button.tsx'
import css from './FailedLine.module.css'
import { Row } from './layout.tsx'
import { Retrying } from './Retrying.tsx'

interface Props {
  what: string
  /** Why. */
  failure: unknown
  query: { isFetching: boolean; refetch: () => unknown }
}

/** As `Failed`, in one line of small text, for what is only an addition to the screen. */
export function FailedLine({ what, failure, query: { isFetching: busy, refetch } }: Props) {
  const { common } = useMessages()
  return (
    <Row wrap className={css.line}>
      <span role="alert">{joinSentences(what, messageOf(failure))}</span>
      <Button size="small" icon={RotateCw} busy={busy} onClick={() => void refetch()}>
        {common.retry}
      </Button>
      <Retrying busy={busy} />
    </Row>
  )
}
