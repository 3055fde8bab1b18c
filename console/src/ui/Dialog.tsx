import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react'
import { useMessages } from '#i18n/messages.ts'
import { IconButton } from './Button.tsx'
import css from './Dialog.module.css'
import { Toaster } from './Toaster.tsx'
import { useClosedByBack } from './useClosedByBack.ts'

interface Props {
  title: string
  onClose: () => void
  /** `drawer`: on the left, full height. `palette`: near the top, without a visible title. */
  kind?: 'window' | 'drawer' | 'palette'
  wide?: boolean
  /** It asks about a navigation, so Back is not for it alone. */
  isOfNavigation?: boolean
  /** Buttons at the bottom. */
  footer?: ReactNode
  children: ReactNode
}

/** What has the focus first: what a dialog says, such as the safe answer to a question, or else its first field. */
const BEGINNING = '[data-autofocus], input:not([hidden]), select, textarea'

/** Render it to open it. The native dialog traps the focus, closes on Escape and Back, and restores the focus. */
export function Dialog({ title, onClose, kind = 'window', wide, isOfNavigation, footer, children }: Props) {
  const { shell } = useMessages()
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  /** What the browser has focused, until there is something that should begin with the focus, which may load later. */
  const focused = useRef<Element>(null)
  // A layout effect, because `close()` restores the focus only while the element is still in the document.
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    focused.current = document.activeElement
    return () => element?.close()
  }, [])
  useLayoutEffect(() => {
    const first = dialog.current?.querySelector<HTMLElement>(BEGINNING)
    if (!first || !focused.current) return
    if (document.activeElement === focused.current) first.focus()
    focused.current = null
  })
  useScrollLock()
  useClosedByBack(onClose, isOfNavigation)
  return (
    <dialog
      ref={dialog}
      className={`${css.dialog} ${css[kind]} ${wide ? css.wide : ''}`}
      aria-labelledby={id}
      onCancel={(event) => {
        // That of a file input bubbles: its file dialog was cancelled, not this one.
        if (event.target !== dialog.current) return
        event.preventDefault()
        onClose()
      }}
      onPointerDown={(event) => event.target === dialog.current && onClose()}
    >
      <div className={css.inside}>
        <header className={kind === 'palette' ? 'sr-only' : css.header}>
          <h2 id={id} className={css.title}>
            {title}
          </h2>
          {kind !== 'palette' && <IconButton label={shell.close} icon={X} onClick={onClose} />}
        </header>
        <div ref={reachable} className={css.body}>
          {children}
        </div>
        {footer && <footer className={css.footer}>{footer}</footer>}
      </div>
      <Toaster />
    </dialog>
  )
}

/** Makes a long dialog without focusable elements focusable itself, so that it can be scrolled with the keyboard. */
function reachable(body: HTMLDivElement | null) {
  if (!body) return
  const measure = () => {
    const isLong = body.scrollHeight > body.clientHeight && !body.querySelector('a, button, input, select, textarea')
    if (isLong) body.setAttribute('tabindex', '0')
    else body.removeAttribute('tabindex')
  }
  const observer = new ResizeObserver(measure)
  for (const part of [body, ...body.children]) observer.observe(part)
  return () => observer.disconnect()
}

function useScrollLock() {
  useEffect(() => {
    const { overflow } = document.documentElement.style
    document.documentElement.style.overflow = 'hidden'
    return () => void (document.documentElement.style.overflow = overflow)
  }, [])
}
