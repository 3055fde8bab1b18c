import { RotateCw } from 'lucide-react'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { Button } from './Button.tsx'
import css from './FailedLine.module.css'
import { Row } from './layout.tsx'
import { Retrying } from './Retrying.tsx'

interface Props {
  what: string
  hint: string
  busy: boolean
  retry: () => unknown
}

/** As `Failed`, in one line of small text, for what is only an addition to the screen. */
export function FailedLine({ what, hint, busy, retry }: Props) {
  const { common } = useMessages()
  // Chinese has no spaces between sentences.
  const space = useLanguage() === 'zh' ? '' : ' '
  return (
    <Row wrap className={css.line}>
      <span role="alert">{what + space + hint}</span>
      <Button size="small" icon={RotateCw} busy={busy} onClick={() => void retry()}>
        {common.retry}
      </Button>
      <Retrying busy={busy} />
    </Row>
  )
}
