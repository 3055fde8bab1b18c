import type { ReactNode } from 'react'
import { Row } from './layout.tsx'
import css from './Facts.module.css'

/** What is known of one thing: names with values. `apart` draws a line above, where something else stands before. */
export function Facts({ apart, children }: { apart?: boolean; children: ReactNode }) {
  return <dl className={apart ? `${css.facts} ${css.apart}` : css.facts}>{children}</dl>
}

/** One of the facts; a `wide` one has the line to itself. */
export function Fact({ name, wide, children }: { name: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={wide ? css.wide : undefined}>
      <dt className={css.name}>{name}</dt>
      <Row as="dd" wrap className={css.value}>
        {children}
      </Row>
    </div>
  )
}
