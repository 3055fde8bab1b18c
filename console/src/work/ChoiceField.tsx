import { useEffect, useId, useRef } from 'react'
import { type Words, useLabels } from '#parts/labels.ts'
import { Row } from '#ui/layout.tsx'
import type { Desk } from './desk.ts'
import { focusOnArrival } from './focusOnArrival.ts'
import type { Entry } from './queue.ts'
import css from './Work.module.css'

interface Props {
  desk: Desk
  entry: Entry
}

/** Two radio buttons, for fields such as the status; the one that would resolve the finding is preselected. */
export function ChoiceField({ desk, entry }: Props) {
  const { kind, property } = desk.task
  const { fields, flags = {} } = useLabels()[kind] as Words
  const name = useId()
  const place = useRef<HTMLFieldSetElement>(null)
  useEffect(() => focusOnArrival(place.current?.querySelector<HTMLElement>('input:checked')), [])
  const value = entry.chosen?.[property] ?? entry.entity?.[property]
  return (
    <fieldset ref={place} className={css.choice}>
      <legend>{fields[property] ?? property}</legend>
      <Row wrap gap={4}>
        {(flags[property] ?? []).map((label, at) => (
          <label key={label}>
            <input
              type="radio"
              name={name}
              checked={value === (at === 1)}
              onChange={() => desk.choose(entry.id, { [property]: at === 1 })}
            />
            {label}
          </label>
        ))}
      </Row>
    </fieldset>
  )
}
