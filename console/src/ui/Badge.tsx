import type { ReactNode } from 'react'
import css from './Badge.module.css'

export type Tone = 'neutral' | 'accent' | 'plum' | 'success' | 'warning' | 'danger'

/** A short label, such as a type or status. The text says it; the colour only supports it. */
export function Badge({ tone = 'neutral', dot, children }: { tone?: Tone; dot?: boolean; children: ReactNode }) {
  return (
    <span className={`${css.badge} ${css[tone] ?? ''}`} data-tone={tone}>
      {dot && <span className={css.dot} />}
      {children}
    </span>
  )
}
