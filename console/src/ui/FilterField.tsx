import { Search } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useDebounced } from '#lib/useDebounced.ts'
import { SelectField, TextField } from './Field.tsx'
import css from './Filters.module.css'

interface SearchBoxProps {
  label: string
  placeholder: string
  text: string
  onText: (text: string) => void
  className: string | undefined
}

/** A search text. `Box` replaces the plain input, for example by one with suggestions. */
export interface SearchFilter {
  label: string
  placeholder: string
  Box?: (props: SearchBoxProps) => ReactNode
}

/** One of several values, or all. */
export interface ChoiceFilter<Value> {
  label: string
  /** Label of the option for no choice: 'All Types'. */
  all: string
  options: readonly { value: Value; label: string }[]
  /** Applies immediately, while others wait for the Filter button: for the sort order. */
  appliesAtOnce?: boolean
}

interface FilterFieldProps {
  field: SearchFilter | ChoiceFilter<unknown>
  value: unknown
  /** Debounces a search text (docs/behaviour.md#limits). */
  isDebounced: boolean
  onChange: (value: unknown) => void
}

/** One filter of a bar. No choice, or no text, is `undefined`. */
export function FilterField({ field, value, isDebounced, onChange }: FilterFieldProps) {
  if ('options' in field) return <Choice field={field} value={value} onChange={onChange} />
  const { Box = SearchBox, ...texts } = field
  const text = typeof value === 'string' ? value : ''
  const box = (shown: string, onText: (text: string) => void) => (
    <Box {...texts} className={css.search} text={shown} onText={onText} />
  )
  if (!isDebounced) return box(text, onChange)
  return <DebouncedText applied={text} onApply={(next) => onChange(next || undefined)} box={box} />
}

function Choice({
  field,
  value,
  onChange,
}: Pick<FilterFieldProps, 'value' | 'onChange'> & { field: ChoiceFilter<unknown> }) {
  const { label, all, options, appliesAtOnce } = field
  const chosen = options.some((option) => option.value === value)
  return (
    <SelectField
      hideLabel
      className={appliesAtOnce ? css.order : css.choice}
      label={label}
      value={chosen ? String(value) : ''}
      options={[{ value: '', label: all }, ...options.map((option) => ({ ...option, value: String(option.value) }))]}
      onChange={(name) => onChange(options.find((option) => String(option.value) === name)?.value)}
    />
  )
}

/** Escape moves the focus to the rows, and keeps the text (`escapeToRows`). */
function SearchBox({ label, placeholder, text, onText, className }: SearchBoxProps) {
  return (
    <TextField
      type="search"
      hideLabel
      icon={Search}
      className={className}
      label={label}
      placeholder={placeholder}
      value={text}
      maxLength={200}
      autoComplete="off"
      enterKeyHint="search"
      onChange={(event) => onText(event.currentTarget.value)}
    />
  )
}

interface DebouncedProps {
  /** The value in the URL; '' for none. */
  applied: string
  /** Called with the trimmed text after the debounce. */
  onApply: (text: string) => void
  box: (text: string, onText: (text: string) => void) => ReactNode
}

/** A debounced text field. It follows the URL when that changes, by Back or Reset. */
function DebouncedText({ applied, onApply, box }: DebouncedProps) {
  const [text, setText] = useState(applied)
  const rested = useDebounced(text.trim())
  /** The last values of the URL and of the field, and `value`, the one that came later. */
  const [last, setLast] = useState({ applied, rested, value: applied })
  if (last.rested !== rested) setLast({ ...last, rested, value: rested })
  else if (last.applied !== applied) {
    // If it was applied here, the user may have typed on while the page navigated.
    if (applied !== last.value) setText(applied)
    setLast({ ...last, applied, value: applied })
  }
  const onRest = useEffectEvent((wanted: string) => {
    if (wanted !== applied && wanted === text.trim()) onApply(wanted)
  })
  useEffect(() => onRest(rested), [rested])
  return box(text, setText)
}
