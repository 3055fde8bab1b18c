import type { FormEvent, KeyboardEvent, ReactNode } from 'react'
import { Button } from '#ui/Button.tsx'
import { isComposing } from '#ui/composing.ts'
import { KeyHint } from '#ui/KeyHint.tsx'
import { Row, Stack } from '#ui/layout.tsx'
import { formatShortcut } from '#ui/useShortcut.ts'
import { MentionField } from './MentionField.tsx'
import { texts as area } from './texts.ts'

interface Props {
  label: string
  text: string
  onText: (text: string) => void
  busy: boolean
  onSend: () => void
  /** Label of the button. */
  send: string
  /** Maximum length in characters. */
  max: number
  /** Shown beside the button. */
  children?: ReactNode
}

/** Form for a comment. Ctrl+Enter or ⌘Enter sends it. */
export function CommentForm({ label, text, onText, busy, onSend, send, max, children }: Props) {
  const texts = area.use()
  const isEmpty = text.trim() === ''
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (!isEmpty && !busy) onSend()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || isComposing(event.nativeEvent)) return
    event.preventDefault()
    submit()
  }
  return (
    <Stack as="form" gap={2} onSubmit={submit}>
      <MentionField
        label={label}
        hint={
          <>
            {texts.writeHint}
            <KeyHint>{texts.writeKeys(formatShortcut('Enter'))}</KeyHint>
          </>
        }
        value={text}
        readOnly={busy}
        maxLength={max}
        onKeyDown={onKeyDown}
        onText={onText}
      />
      <Row gap={2} wrap>
        <Button type="submit" variant="primary" busy={busy} reason={isEmpty ? texts.nothing : undefined}>
          {send}
        </Button>
        {children}
      </Row>
    </Stack>
  )
}
