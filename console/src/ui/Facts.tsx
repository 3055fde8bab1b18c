import type { ReactNode } from 'react'
import { Row } from './layout.tsx'
import css from './Facts.module.css'

/** Description list: names with values. `apart` draws a line above it. */
export function Facts({ apart, children }: { apart?: boolean; children: ReactNode }) {
  return <dl className={apart ? `${css.facts} ${css.apart}` : css.facts}>{children}</dl>
}

/** One name with its value; `wide` takes a whole line. */
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
