import type { ReactNode } from 'react'
import css from './CheckList.module.css'
import { Row } from './layout.tsx'

interface Props {
  label: string
  items: readonly { key: string; label: ReactNode; isChecked: boolean }[]
  onToggle: (key: string) => void
}

/** A list of checkboxes. */
export function CheckList({ label, items, onToggle }: Props) {
  return (
    <ul className={css.list} aria-label={label}>
      {items.map(({ key, label: name, isChecked }) => (
        <li key={key}>
          <Row as="label" gap={3} className={css.item}>
            <input type="checkbox" checked={isChecked} onChange={() => onToggle(key)} />
            {name}
          </Row>
        </li>
      ))}
    </ul>
  )
}
