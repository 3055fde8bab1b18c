import type { ReactNode } from 'react'
import css from './Sides.module.css'

interface Props {
  name: ReactNode
  /** How many there are beside each other. */
  columns: 2 | 3
  children: ReactNode
}

/** Versions of one thing beside each other, of which one is chosen; on a phone below each other. */
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

/** A version that can be chosen: `children` hold the radio button. */
export function Side({ children }: { children: ReactNode }) {
  return (
    <label className={css.side} data-choice>
      {children}
    </label>
  )
}

/** A version to compare the others with. */
export const SideBefore = ({ children }: { children: ReactNode }) => <div className={css.side}>{children}</div>
