import { CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { useMessages } from '#i18n/messages.ts'
import { createStore } from '#lib/createStore.ts'
import { Button, IconButton } from './Button.tsx'
import { dismiss, type Toast, toasts } from './toast.ts'
import css from './Toaster.module.css'
import { formatShortcut } from './useShortcut.ts'

const ICONS = { success: CircleCheck, error: CircleAlert, info: Info }
const [DURATION_MS, UNDO_MS] = [6000, 10_000]
/** A screen reader has noticed a toast that has stayed for this long. */
const NOTICED_MS = 500

/** Ids of the toasts that screen readers have announced. */
const announced = new Set<number>()

/** The mounted toasters: that of the page, and those of open dialogs. */
const mounted = createStore<readonly string[]>([])

/**
 * Toasts, over the top bar. Errors are alerts; a toast stays while it is hovered, and one with a request id, which is
 * to be copied, until it is dismissed. A screen reader announces reliably only what is added to a live region that
 * exists already, and a modal dialog makes everything outside it inert: so the region is rendered while it is empty, and
 * each dialog has one. The last one shows the toasts, and announces only those that no other has announced before.
 */
export function Toaster() {
  const id = useId()
  const shown = toasts.use()
  const isLast = mounted.use().at(-1) === id
  const stack = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // After the dialog has been shown, to be above it.
    stack.current?.showPopover?.()
    mounted.set([...mounted.get(), id])
    return () => mounted.set(mounted.get().filter((each) => each !== id))
  }, [id])
  return (
    <div ref={stack} popover="manual" role="log" className={css.stack}>
      {isLast && shown.map((toast) => <Message key={toast.id} {...toast} />)}
    </div>
  )
}

function Message({ id, tone, message, detail, requestId, undo }: Toast) {
  const { common } = useMessages()
  const [held, setHeld] = useState(false)
  const [isAnnounced] = useState(() => announced.has(id))
  useEffect(() => {
    const timer = setTimeout(() => announced.add(id), NOTICED_MS)
    return () => clearTimeout(timer)
  }, [id])
  const isKept = held || Boolean(requestId)
  useEffect(() => {
    if (isKept) return
    const timer = setTimeout(() => dismiss(id), undo ? UNDO_MS : DURATION_MS)
    return () => clearTimeout(timer)
  }, [id, undo, isKept])
  const Icon = ICONS[tone]
  const hold = () => setHeld(true)
  const release = () => setHeld(false)
  return (
    <div
      className={css.toast}
      data-tone={tone}
      role={tone === 'error' && !isAnnounced ? 'alert' : undefined}
      aria-live={isAnnounced ? 'off' : undefined}
      onFocus={hold}
      onBlur={release}
      onPointerEnter={hold}
      onPointerLeave={release}
    >
      <Icon size={16} aria-hidden />
      <div className={css.text}>
        <p className={css.message}>{message}</p>
        {detail && <p className={css.detail}>{detail}</p>}
      </div>
      {undo && (
        <Button
          size="small"
          title={formatShortcut('Z')}
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
