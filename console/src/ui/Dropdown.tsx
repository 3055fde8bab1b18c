import { type ButtonHTMLAttributes, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import css from './Dropdown.module.css'

type ButtonProps = Pick<
  ButtonHTMLAttributes<HTMLButtonElement>,
  'aria-expanded' | 'onClick' | 'onPointerEnter' | 'onFocus'
>

interface Props {
  /** The button that opens it, with what makes it that. */
  renderButton: (props: ButtonProps) => ReactNode
  opened: boolean
  onOpened: (opened: boolean) => void
  /** Fetches the code of what floats: once the button is pointed at or has the focus. */
  load: () => Promise<unknown>
  /** What floats below the button, a `lazyOverlay` of a `FloatingPanel` or a menu. It is there once it was opened. */
  children: ReactNode
}

/** A button and what floats below it, whose code no screen waits for. It closes with a press outside. */
export function Dropdown({ renderButton, opened, onOpened, load, children }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const [wasOpened, setWasOpened] = useState(opened)
  if (opened && !wasOpened) setWasOpened(true)
  useEffect(() => {
    if (!opened) return
    const leaving = new AbortController()
    const close = (event: Event) => {
      if (box.current && !event.composedPath().includes(box.current)) onOpened(false)
    }
    for (const name of ['mousedown', 'touchstart'])
      document.addEventListener(name, close, { passive: true, signal: leaving.signal })
    return () => leaving.abort()
  }, [opened, onOpened])
  // What cannot be fetched now is asked for again when it is opened.
  const fetchSoon = () => void load().catch(() => undefined)
  return (
    <div ref={box} className={css.box}>
      {renderButton({
        'aria-expanded': opened,
        onClick: () => onOpened(!opened),
        onPointerEnter: fetchSoon,
        onFocus: fetchSoon,
      })}
      {wasOpened && <Suspense fallback={null}>{children}</Suspense>}
    </div>
  )
}
