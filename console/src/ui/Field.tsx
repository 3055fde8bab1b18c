import { Eye, EyeOff, type LucideIcon } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import { useMessages } from '#i18n/messages.ts'
import { Muted, Row } from './layout.tsx'
import css from './Field.module.css'

interface Labelled {
  label: string
  /** The label is only used as accessible name. */
  hideLabel?: boolean
  error?: string | undefined
  /** A problem that does not prevent submitting. */
  warning?: string | undefined
  hint?: ReactNode
}

interface TextProps extends Labelled, ComponentProps<'input'> {
  icon?: LucideIcon
  /** Shown at the end of the input. */
  end?: ReactNode
}

export function TextField({ label, hideLabel, error, warning, hint, icon: Icon, end, className, ...input }: TextProps) {
  const id = useId()
  return (
    <Labels {...{ id, label, hideLabel, error, warning, hint, className }}>
      <Row className={css.box}>
        {Icon && <Icon size={16} className={css.icon} aria-hidden />}
        <input
          {...input}
          {...described(id, error, hint, warning)}
          className={css.input}
          data-icon={Icon ? true : undefined}
        />
        {end}
      </Row>
    </Labels>
  )
}

export function PasswordField(props: Omit<TextProps, 'type' | 'end'>) {
  const { login } = useMessages()
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  const toggle = (
    <button
      type="button"
      className={css.toggle}
      aria-label={shown ? login.hide : login.show}
      onClick={() => setShown(!shown)}
    >
      <Icon size={16} aria-hidden />
    </button>
  )
  return <TextField {...props} type={shown ? 'text' : 'password'} end={toggle} />
}

/** Multi-line text field. Browsers without `field-sizing` show `rows` lines, 3 by default, even if it has `content`. */
export function TextArea({
  label,
  hideLabel,
  error,
  warning,
  hint,
  className,
  ...area
}: Labelled & ComponentProps<'textarea'>) {
  const id = useId()
  return (
    <Labels {...{ id, label, hideLabel, error, warning, hint, className }}>
      <textarea rows={3} {...area} {...described(id, error, hint, warning)} className={css.area} />
    </Labels>
  )
}

interface SelectProps extends Labelled, Omit<ComponentProps<'select'>, 'onChange'> {
  options: readonly { value: string; label: string }[]
  /** Renders only the chosen option until the select gets the focus: for tables with many selects of many options. */
  isLazy?: boolean
  onChange: (value: string) => void
}

/** A native select: it works best on phones and with the keyboard. */
export function SelectField({
  label,
  hideLabel,
  error,
  warning,
  hint,
  options,
  isLazy,
  onChange,
  className,
  ...select
}: SelectProps) {
  const id = useId()
  const [isUsed, setUsed] = useState(!isLazy)
  const shown = isUsed ? options : options.filter(({ value }) => value === select.value)
  return (
    <Labels {...{ id, label, hideLabel, error, warning, hint, className }}>
      <select
        {...select}
        {...described(id, error, hint, warning)}
        className={css.select}
        // A press opens it before it has the focus.
        {...(!isUsed && { onFocus: () => setUsed(true), onPointerDown: () => setUsed(true) })}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {shown.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </Labels>
  )
}

interface LabelsProps extends Labelled {
  id: string
  className?: string | undefined
  children: ReactNode
}

function Labels({ id, label, hideLabel, error, warning, hint, className, children }: LabelsProps) {
  return (
    <div className={`${css.field} ${className ?? ''}`}>
      <label htmlFor={id} className={hideLabel ? 'sr-only' : css.label}>
        {label}
      </label>
      {children}
      {hint && (
        <Muted as="p" id={`${id}-hint`} small>
          {hint}
        </Muted>
      )}
      {error && (
        <p id={`${id}-error`} className={css.error}>
          {error}
        </p>
      )}
      {warning && (
        <p id={`${id}-warning`} className={css.warning}>
          {warning}
        </p>
      )}
    </div>
  )
}

const described = (id: string, error: string | undefined, hint: ReactNode, warning?: string) => ({
  id,
  'aria-invalid': error ? true : undefined,
  'aria-describedby':
    [hint && `${id}-hint`, error && `${id}-error`, warning && `${id}-warning`].filter(Boolean).join(' ') || undefined,
})
