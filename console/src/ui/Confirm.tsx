import { type ReactNode, useState } from 'react'
import { useMessages } from '#i18n/messages.ts'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'

interface Props {
  title: string
  /** The verb on the button that does it. */
  confirm: string
  /** What it does; while its promise runs the button spins. The question closes when it is done, failed or not. */
  onConfirm: () => unknown
  onClose: () => void
  /** Not a loss: the button is not red. */
  harmless?: boolean
  children: ReactNode
}

/** A question before something is done. Render it to ask it. */
export function Confirm({ title, confirm, onConfirm, onClose, harmless, children }: Props) {
  const { common } = useMessages()
  const [busy, setBusy] = useState(false)
  const act = async () => {
    setBusy(true)
    try {
      await onConfirm()
    } catch {
      // Told by the mutation's toast.
    } finally {
      onClose()
    }
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button data-autofocus onClick={onClose}>
            {common.cancel}
          </Button>
          <Button variant={harmless ? 'primary' : 'danger'} busy={busy} onClick={() => void act()}>
            {confirm}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
