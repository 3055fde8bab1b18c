import type { ReactNode } from 'react'
import css from './Sides.module.css'

interface Props {
  name: ReactNode
  /** Number of columns. */
  columns: 2 | 3
  children: ReactNode
}

/** Versions side by side, of which one is chosen; stacked on phones. */
export function Sides({ name, columns, children }: Props) {
  return (
    <fieldset className={css.sides}>
      <legend className={css.name}>{name}</legend>
      <div className={css.grid} data-columns={columns}>
        {children}
      </div>
    </fieldset>
  )
}

/** A version that can be chosen; `children` include the radio button. */
export function Side({ children }: { children: ReactNode }) {
  return (
    <label className={css.side} data-choice>
      {children}
    </label>
  )
}

/** A version for comparison, which cannot be chosen. */
export const SideBefore = ({ children }: { children: ReactNode }) => <div className={css.side}>{children}</div>
