import { CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useMessages } from '#i18n/messages.ts'
import { Button, IconButton } from './Button.tsx'
import { dismiss, type Toast, useToasts } from './toast.ts'
import css from './Toaster.module.css'

const ICONS = { success: CircleCheck, error: CircleAlert, info: Info }
const DURATION_MS = { plain: 6000, undo: 10_000 }

/** Toasts, at the top right. Errors are alerts; a toast stays while it is hovered. */
export function Toaster() {
  const toasts = useToasts()
  const stack = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = stack.current
    if (!element || toasts.length === 0) return
    // Shown again for each message, to move it above a dialog that has been opened since.
    element.hidePopover?.()
    element.showPopover?.()
  }, [toasts])
  return (
    <div ref={stack} popover="manual" className={css.stack} hidden={toasts.length === 0}>
      {toasts.map((toast) => (
        <Message key={toast.id} {...toast} />
      ))}
    </div>
  )
}

function Message({ id, tone, message, detail, undo }: Toast) {
  const { common } = useMessages()
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (held) return
    const timer = setTimeout(() => dismiss(id), undo ? DURATION_MS.undo : DURATION_MS.plain)
    return () => clearTimeout(timer)
  }, [id, undo, held])
  const Icon = ICONS[tone]
  const hold = { onPointerEnter: () => setHeld(true), onPointerLeave: () => setHeld(false) }
  return (
    <div
      className={`${css.toast} ${css[tone]}`}
      role={tone === 'error' ? 'alert' : 'status'}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      {...hold}
    >
      <Icon size={16} aria-hidden />
      <div className={css.text}>
        <p className={css.message}>{message}</p>
        {detail && <p className={css.detail}>{detail}</p>}
      </div>
      {undo && (
        <Button
          size="small"
          onClick={() => {
            dismiss(id)
            undo()
          }}
        >
          {common.undo}
        </Button>
      )}
      <IconButton size="small" label={common.dismiss} icon={X} onClick={() => dismiss(id)} />
    </div>
  )
}
