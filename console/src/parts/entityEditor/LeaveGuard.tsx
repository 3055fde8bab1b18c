import { useBlocker } from '@tanstack/react-router'
import { session } from '#api/session.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { editorTexts } from './texts.ts'

interface Props {
  /** Asked at the moment of leaving. */
  unsaved: () => boolean
  /** What is lost, where no draft of it is kept. */
  question?: string
}

/** Asks before unsaved changes are left: by a link, back, reload or closing. */
export function LeaveGuard({ unsaved, question }: Props) {
  const editor = editorTexts.use()
  // The end of a session is no choice; the draft waits until the next one.
  const asks = () => unsaved() && session.get().state === 'in'
  const leaving = useBlocker({ shouldBlockFn: asks, enableBeforeUnload: asks, withResolver: true })
  if (leaving.status !== 'blocked') return null
  return (
    <Dialog
      title={editor.leave.title}
      onClose={leaving.reset}
      footer={
        <>
          <Button onClick={leaving.proceed}>{editor.leave.leave}</Button>
          <Button variant="primary" data-autofocus onClick={leaving.reset}>
            {editor.leave.stay}
          </Button>
        </>
      }
    >
      <p>{question ?? editor.leave.question}</p>
    </Dialog>
  )
}
