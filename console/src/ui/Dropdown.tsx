import { type ButtonHTMLAttributes, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import css from './Dropdown.module.css'

type ButtonProps = Pick<
  ButtonHTMLAttributes<HTMLButtonElement>,
  'aria-expanded' | 'onClick' | 'onPointerEnter' | 'onFocus'
>

interface Props {
  /** Renders the button that opens it; pass the props on to it. */
  renderButton: (props: ButtonProps) => ReactNode
  opened: boolean
  onOpened: (opened: boolean) => void
  /** Preloads the code of the content, on hover or focus of the button. */
  load: () => Promise<unknown>
  /** The content below the button: a `lazyOverlay` with a `FloatingPanel` or a menu. Mounted when first opened. */
  children: ReactNode
}

/** A button with lazily loaded content that floats below it. Pressing outside closes it. */
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
  // If loading fails now, opening it tries again.
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
