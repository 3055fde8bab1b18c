import { Button } from '#ui/Button.tsx'
import { Row } from '#ui/layout.tsx'
import { StickyBar } from '#ui/StickyBar.tsx'
import { formatShortcut, useShortcut } from '#ui/useShortcut.ts'
import { importTexts } from './texts.ts'

interface Props {
  /** Accessible label. */
  label: string
  /** What has been changed. */
  status: string
  /** Label of the button that has the rows checked again. */
  action: string
  busy: boolean
  onAction: () => void
  onDiscard: () => void
}

/** Changes to an import that take effect when its rows are checked again. */
export function ChangesBar({ label, status, action, busy, onAction, onDiscard }: Props) {
  const texts = importTexts.use()
  useShortcut('mod+s', () => void (busy || onAction()))
  return (
    <StickyBar aria-label={label}>
      <Row gap={2} wrap justify="between">
        <span role="status">{status}</span>
        <Row gap={2}>
          <Button disabled={busy} onClick={onDiscard}>
            {texts.discard}
          </Button>
          <Button variant="primary" data-cell title={formatShortcut('S')} busy={busy} onClick={onAction}>
            {action}
          </Button>
        </Row>
      </Row>
    </StickyBar>
  )
}
