import { useId } from 'react'
import { Row } from './layout.tsx'
import css from './Segments.module.css'

interface Props<Value extends string> {
  name: string
  /** The name is only used as accessible name. */
  hideName?: boolean
  options: readonly { value: Value; label: string; lang?: string; title?: string }[]
  /** undefined if none is chosen. */
  value: Value | undefined
  disabled?: boolean
  describedBy?: string | undefined
  onChange: (value: Value) => void
}

/** Segmented control: radio buttons for a few options. */
export function Segments<Value extends string>(props: Props<Value>) {
  const { name, hideName, options, value, disabled, describedBy, onChange } = props
  const group = useId()
  return (
    <fieldset className={css.choice} disabled={disabled} aria-describedby={describedBy}>
      <legend className={hideName ? 'sr-only' : css.name}>{name}</legend>
      <div className={css.options}>
        {options.map((option) => (
          <Row as="label" key={option.value} className={css.option} lang={option.lang} title={option.title}>
            <input
              type="radio"
              name={group}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {option.label}
          </Row>
        ))}
      </div>
    </fieldset>
  )
}
