import { type ComponentProps, useEffect } from 'react'
import { Stack } from './layout.tsx'
import css from './StickyBar.module.css'

/** Toolbar for a selection or a form, which sticks to the bottom of the window. */
export function StickyBar({ className = '', ...props }: ComponentProps<'section'>) {
  // It may appear over the field or row that the user has reached with the keyboard.
  useEffect(() => {
    // Browsers return a promise, which an effect must not.
    document.querySelector(':focus-visible')?.scrollIntoView({ block: 'nearest' })
  }, [])
  return <Stack as="section" data-selection gap={2} className={`${css.bar} ${className}`} {...props} />
}
