import { useId } from 'react'
import { Segments } from '#ui/Segments.tsx'
import { useLabels, type Words } from '../labels.ts'
import { type FieldProps, useForm, useLabelOf, useMarks } from './form.ts'
import css from './Form.module.css'
import { Messages } from './Messages.tsx'

/** Field for a boolean: two radio buttons if its values have names, otherwise a checkbox. */
export function YesNo({ place, value }: FieldProps) {
  const id = useId()
  const { kind, set, isReadOnly } = useForm()
  const { flags = {} }: Words = useLabels()[kind]
  const label = useLabelOf()(place)
  const marks = useMarks(place)
  const words = place.length === 1 ? flags[String(place[0])] : undefined
  const messages = <Messages id={id} {...marks} />
  if (words)
    return (
      <>
        <Segments
          name={label}
          options={words.map((word, at) => ({ value: String(at === 1), label: word }))}
          value={typeof value === 'boolean' ? String(value) : undefined}
          disabled={isReadOnly}
          describedBy={id}
          onChange={(next) => set(place, next === 'true')}
        />
        {messages}
      </>
    )
  return (
    <>
      <label className={css.tick}>
        <input
          type="checkbox"
          checked={value === true}
          disabled={isReadOnly}
          aria-invalid={marks.error ? true : undefined}
          aria-describedby={id}
          onChange={({ currentTarget }) => set(place, currentTarget.checked)}
        />
        {label}
      </label>
      {messages}
    </>
  )
}
