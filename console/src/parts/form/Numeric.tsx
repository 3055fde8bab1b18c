import { TextField } from '#ui/Field.tsx'
import { type FieldProps, useForm, useLabelOf, useMarks } from './form.ts'
import { emptied } from './shape.ts'
import { useTyped } from './useTyped.ts'

/** A number. What is none stands in the document as it was typed, and is a fault there. */
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

/** The number that a text says, also with commas between thousands; the text where it says none; undefined for nothing. */
function numberIn(text: string): number | string | undefined {
  const word = text.normalize('NFKC').trim()
  if (word === '') return undefined
  const number = Number(word.replaceAll(/(?<=\d)[,\s](?=\d{3}(?:\D|$))/g, ''))
  return Number.isFinite(number) ? number : text
}
