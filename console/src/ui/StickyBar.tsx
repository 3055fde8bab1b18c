import type { ComponentProps } from 'react'
import { Stack } from './layout.tsx'
import css from './StickyBar.module.css'

/** What can be done with what is selected: it stays in sight at the foot of the window. */
export function StickyBar({ className = '', ...props }: ComponentProps<'section'>) {
  return <Stack as="section" gap={2} className={`${css.bar} ${className}`} {...props} />
}
