import { normalize } from '@mokuroku/contract/normalize'
import { TextField } from '#ui/Field.tsx'
import { type FieldProps, useForm, useLabelOf, useMarks } from './form.ts'
import { emptied } from './shape.ts'
import { useTyped } from './useTyped.ts'

/** Field for a number. Text that is no number is stored as typed, and is an error there. */
export function Numeric({ place, schema, value, isRequired, hideLabel }: FieldProps) {
  const { set, isReadOnly } = useForm()
  const parse = (text: string) => numberIn(text) ?? emptied(schema, isRequired)
  const typed = useTyped(value, written, parse, (next) => set(place, next, 'typing'))
  return (
    <TextField
      {...typed}
      {...useMarks(place)}
      label={useLabelOf()(place)}
      hideLabel={hideLabel ?? false}
      inputMode="decimal"
      autoComplete="off"
      readOnly={isReadOnly}
    />
  )
}

const written = (value: unknown) => (typeof value === 'number' || typeof value === 'string' ? `${value}` : '')

/**
 * Parses a number, also with thousands separators; returns the text if it is no number, and undefined if it is empty.
 */
function numberIn(text: string): number | string | undefined {
  const word = normalize(text, 'NFKC').trim()
  if (word === '') return undefined
  const number = Number(word.replaceAll(/(?<=\d)[,\s](?=\d{3}(?:\D|$))/g, ''))
  return Number.isFinite(number) ? number : text
}
