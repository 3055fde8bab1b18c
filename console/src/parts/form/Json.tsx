import { useState } from 'react'
import { TextArea } from '#ui/Field.tsx'
import { type FieldProps, useForm, useLabelOf, useMarks } from './form.ts'
import css from './Form.module.css'
import { formTexts } from './texts.ts'

/** Field for a value as JSON, if no other field can show it. */
export function Json({ place, value }: FieldProps) {
  const texts = formTexts.use()
  const { set, isReadOnly } = useForm()
  const { error, warning } = useMarks(place)
  const written = JSON.stringify(value, null, 2) ?? ''
  const [typed, setTyped] = useState<{ text: string; written: string }>()
  // Invalid text is discarded if the value is changed elsewhere.
  const text = typed?.written === written ? typed.text : written
  const change = (next: string) => {
    const parsed = parse(next)
    setTyped({ text: next, written: parsed ? JSON.stringify(parsed.value, null, 2) : written })
    if (parsed) set(place, parsed.value)
  }
  return (
    <TextArea
      className={css.json}
      label={useLabelOf()(place)}
      hint={texts.asJson}
      error={parse(text) || text === '' ? error : texts.jsonFault}
      warning={warning}
      spellCheck={false}
      value={text}
      readOnly={isReadOnly}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  )
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}
