import { type ReactNode, useId } from 'react'
import { Row } from './layout.tsx'
import css from './Card.module.css'

interface Props {
  title?: ReactNode
  /** A count beside the title, with separators that are the same in both languages. */
  count?: number | undefined
  /** A button or link at the end of the title's line. */
  action?: ReactNode
  /** Without padding: the content reaches the card's edges, as a table does. */
  flush?: boolean
  children: ReactNode
}

export function Card({ title, count, action, flush, children }: Props) {
  const id = useId()
  return (
    <section className={css.card} aria-labelledby={title ? id : undefined}>
      {title && (
        <header className={css.header}>
          <Row as="h2" id={id} gap={2} align="baseline" className={css.title}>
            {title}
            {count !== undefined && <span className={css.count}>{count.toLocaleString('en')}</span>}
          </Row>
          {action}
        </header>
      )}
      <div className={flush ? css.flush : css.body}>{children}</div>
    </section>
  )
}
