import { Plus, X } from 'lucide-react'
import { useId } from 'react'
import { Button, IconButton } from '#ui/Button.tsx'
import { Row } from '#ui/layout.tsx'
import type { JsonSchema } from '../jsonEditor/schema.ts'
import { type FieldProps, useForm, useLabelOf, useMarks } from './form.ts'
import css from './Form.module.css'
import { Messages } from './Messages.tsx'
import { startOf } from './shape.ts'
import { formTexts } from './texts.ts'

/** A list of any values, with a field for each. */
export function List({ place, value, item }: FieldProps & { item: JsonSchema }) {
  const id = useId()
  const texts = formTexts.use()
  const { Field, set, isReadOnly } = useForm()
  const label = useLabelOf()(place)
  const items: readonly unknown[] = Array.isArray(value) ? value : []
  return (
    <fieldset className={css.set} aria-describedby={id}>
      <legend className={css.legend}>{label}</legend>
      <ul className={css.items}>
        {items.map((each, at) => (
          <Row as="li" key={at} gap={1} align="start">
            <div className={css.grow}>
              <Field place={[...place, at]} schema={item} value={each} isRequired hideLabel />
            </div>
            {!isReadOnly && (
              <IconButton
                icon={X}
                size="small"
                label={texts.remove(texts.item(label, at + 1))}
                onClick={() => set([...place, at], undefined)}
              />
            )}
          </Row>
        ))}
      </ul>
      {!isReadOnly && (
        <Button size="small" icon={Plus} onClick={() => set(place, [...items, startOf(item)])}>
          {texts.add(label)}
        </Button>
      )}
      <Messages id={id} {...useMarks(place, 'only')} />
    </fieldset>
  )
}
