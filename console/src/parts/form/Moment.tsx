import { parseMoment } from '@mokuroku/contract/moments'
import { useLanguage } from '#i18n/messages.ts'
import { hasTime, longMoment } from '#lib/dates.ts'
import { TextField } from '#ui/Field.tsx'
import { type FieldProps, useForm, useLabelOf, useMarks } from './form.ts'
import { emptied } from './shape.ts'
import { formTexts } from './texts.ts'
import { useTyped } from './useTyped.ts'

/** Field for a date, in the formats that people use. Text that is no date is stored as typed, and is an error there. */
export function Moment({ place, schema, value, isRequired, hideLabel }: FieldProps) {
  const texts = formTexts.use()
  const language = useLanguage()
  const { set, isReadOnly } = useForm()
  const { error, warning } = useMarks(place)
  const parse = (text: string) => (text.trim() ? (parseMoment(text) ?? text) : emptied(schema, isRequired))
  const typed = useTyped(value, written, parse, (next) => set(place, next, 'typing'))
  const moment = isMoment(value) ? value : undefined
  return (
    <TextField
      {...typed}
      label={useLabelOf()(place)}
      hideLabel={hideLabel ?? false}
      hint={moment ? longMoment(moment, language) : texts.momentHint}
      error={error && (moment ? error : texts.day)}
      warning={warning}
      autoComplete="off"
      readOnly={isReadOnly}
    />
  )
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d/
const isMoment = (value: unknown): value is string =>
  typeof value === 'string' && ISO.test(value) && !Number.isNaN(Date.parse(value))

/** A moment in UTC as it would be typed: a date, with the time if it has one. */
function written(value: unknown): string {
  if (!isMoment(value)) return typeof value === 'string' ? value : ''
  const text = new Date(value).toISOString()
  return hasTime(value) ? text.slice(0, 16).replace('T', ' ') : text.slice(0, 10)
}
