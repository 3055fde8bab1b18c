import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useMessages } from '#i18n/messages.ts'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'

interface Props {
  title: string
  /** Label of the confirm button: a verb. */
  confirm: string
  /** The action. The button is busy while its promise is pending; then the dialog closes, even if it failed. */
  onConfirm: () => unknown
  onClose: () => void
  /** It cannot be undone: the button is red. */
  irreversible?: boolean
  children: ReactNode
}

/** Confirmation dialog. Render it to open it. */
export function Confirm({ title, confirm, onConfirm, onClose, irreversible, children }: Props) {
  const { common } = useMessages()
  const [busy, setBusy] = useState(false)
  const isOpen = useRef(true)
  useEffect(() => {
    isOpen.current = true
    return () => void (isOpen.current = false)
  }, [])
  const act = async () => {
    setBusy(true)
    try {
      await onConfirm()
    } catch {
      // The mutation shows an error toast.
    } finally {
      // The user may have closed it, and opened another dialog in its place.
      if (isOpen.current) onClose()
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
          <Button variant={irreversible ? 'danger' : 'primary'} busy={busy} onClick={() => void act()}>
            {confirm}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
