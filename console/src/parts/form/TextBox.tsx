import { guessLanguage } from '#lib/text.ts'
import { PasswordField, TextArea, TextField } from '#ui/Field.tsx'
import { type FieldProps, TRANSLATIONS, useForm, useLabelOf, useMarks } from './form.ts'
import css from './Form.module.css'
import { emptied, written } from './shape.ts'

/** Field for a text: single-line or multi-line, a password, or a colour. */
export function TextBox({ place, schema, value, isRequired, isLong, hideLabel }: FieldProps & { isLong: boolean }) {
  const { set, secrets, isReadOnly } = useForm()
  const marks = useMarks(place)
  const text = typeof value === 'string' ? value : ''
  const { format, pattern } = written(schema)
  const placeholder = useLabelOf()(place.slice(-1))
  const change = (next: string) => set(place, next || emptied(schema, isRequired), 'typing')
  const box = {
    ...marks,
    label: useLabelOf()(place),
    hideLabel,
    value: text,
    lang: place[0] === TRANSLATIONS ? String(place[1]) : guessLanguage(text),
    // With a hidden label, because phones do not show the column headers either.
    placeholder: hideLabel ? placeholder : undefined,
    readOnly: isReadOnly,
    autoComplete: 'off',
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => change(currentTarget.value),
  }
  if (secrets.includes(String(place[0]))) return <PasswordField {...box} autoComplete="new-password" />
  // A single-line input would remove line breaks.
  if (isLong || text.includes('\n')) return <TextArea {...box} className={css.long} />
  if (pattern && isColor(pattern))
    return (
      <TextField
        {...box}
        className={css.color}
        end={
          <input
            type="color"
            tabIndex={-1}
            aria-hidden
            disabled={isReadOnly}
            value={new RegExp(pattern, 'i').test(text) ? text : '#000000'}
            onChange={({ currentTarget }) => change(currentTarget.value)}
          />
        }
      />
    )
  return <TextField {...box} type={format === 'email' ? 'email' : 'text'} />
}

/** Whether a pattern matches the format of `<input type="color">`. */
const isColor = (pattern: string) => new RegExp(pattern).test('#c0ffee') && !new RegExp(pattern).test('c0ffee')
