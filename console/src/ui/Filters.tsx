import { Search } from 'lucide-react'
import { type ComponentProps, Fragment, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useMessages } from '#i18n/messages.ts'
import { useDebounced } from '#lib/useDebounced.ts'
import { Button } from './Button.tsx'
import { SelectField, TextField } from './Field.tsx'
import css from './Filters.module.css'

interface FiltersProps {
  /** What they filter, for who cannot see. */
  label: string
  onReset?: () => void
  /** Whether what is listed below comes in the order of the match. */
  byMatch?: boolean
  children: ReactNode
}

/** The line of filters above a list, with Reset at its end. */
export function Filters({ label, onReset, byMatch, children }: FiltersProps) {
  const { common } = useMessages()
  const [round, setRound] = useState(0)
  const reset = () => {
    setRound(round + 1)
    onReset?.()
  }
  return (
    <search aria-label={label} className={css.filters}>
      {/* Begun anew by Reset: what is typed and has not been applied yet goes too. */}
      <Fragment key={round}>{children}</Fragment>
      {onReset && (
        <Button variant="quiet" onClick={reset}>
          {common.reset}
        </Button>
      )}
      {byMatch && <p className={css.order}>{common.bestMatch}</p>}
    </search>
  )
}

interface SearchProps {
  label: string
  placeholder: string
  /** What the address says; '' for nothing. */
  applied: string
  /** Called with the trimmed text after the search debounce (docs/behaviour.md#limits). */
  onApply: (text: string) => void
}

/** Words to look for. Escape empties the box; it follows the address when that changes: by Back, by Reset. */
export function SearchFilter({ label, placeholder, applied, onApply }: SearchProps) {
  const [text, setText] = useSearchText(applied, onApply)
  return (
    <TextField
      type="search"
      hideLabel
      icon={Search}
      className={css.search}
      label={label}
      placeholder={placeholder}
      value={text}
      maxLength={200}
      autoComplete="off"
      enterKeyHint="search"
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || text === '') return
        event.preventDefault()
        setText('')
      }}
    />
  )
}

interface ChoiceProps<Value extends string> extends Omit<
  ComponentProps<typeof SelectField>,
  'value' | 'options' | 'onChange' | 'hideLabel'
> {
  /** What the address says. */
  value: Value | undefined
  /** The label of no choice at all: 'All Types'. */
  all: string
  options: readonly { value: Value; label: string }[]
  onChange: (value: Value | undefined) => void
}

/** One of several, or all of them; it applies at once. */
export function ChoiceFilter<Value extends string>({ value, all, options, onChange, ...select }: ChoiceProps<Value>) {
  return (
    <SelectField
      {...select}
      hideLabel
      className={css.choice}
      value={value ?? ''}
      options={[{ value: '', label: all }, ...options]}
      onChange={(chosen) => onChange(options.find((option) => option.value === chosen)?.value)}
    />
  )
}

function useSearchText(applied: string, apply: (text: string) => void) {
  const [seen, setSeen] = useState(applied)
  const [text, setText] = useState(applied)
  if (seen !== applied) {
    setSeen(applied)
    if (text.trim() !== applied) setText(applied)
  }
  const rested = useDebounced(text.trim())
  const onRest = useEffectEvent((wanted: string) => {
    if (wanted !== applied && wanted === text.trim()) apply(wanted)
  })
  useEffect(() => onRest(rested), [rested])
  return [text, setText] as const
}
