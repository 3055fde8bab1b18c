import { isObject } from '@mokuroku/contract/merge'
import { Plus, X } from 'lucide-react'
import { useId, useState } from 'react'
import { Button, IconButton } from '#ui/Button.tsx'
import { isComposing } from '#ui/composing.ts'
import { TextField } from '#ui/Field.tsx'
import { Row } from '#ui/layout.tsx'
import type { JsonSchema } from '../jsonEditor/schema.ts'
import { type FieldProps, useForm, useLabelOf, useMarks } from './form.ts'
import css from './Form.module.css'
import { Messages } from './Messages.tsx'
import { startOf } from './shape.ts'
import { formTexts } from './texts.ts'

/** A record: values by freely chosen names. */
export function Entries({ place, value, entry }: FieldProps & { entry: JsonSchema }) {
  const id = useId()
  const texts = formTexts.use()
  const { Field, set, isReadOnly } = useForm()
  const label = useLabelOf()(place)
  const [name, setName] = useState('')
  const values = isObject(value) ? value : {}
  const add = () => {
    const key = name.trim()
    if (!key || Object.hasOwn(values, key)) return
    set([...place, key], startOf(entry) === false ? true : startOf(entry))
    setName('')
  }
  return (
    <fieldset className={css.set} aria-describedby={id}>
      <legend className={css.legend}>{label}</legend>
      <ul className={css.items}>
        {Object.entries(values).map(([key, each]) => (
          <Row as="li" key={key} gap={2}>
            <Field place={[...place, key]} schema={entry} value={each} isRequired />
            {!isReadOnly && (
              <IconButton
                icon={X}
                size="small"
                label={texts.remove(key)}
                onClick={() => set([...place, key], undefined)}
              />
            )}
          </Row>
        ))}
      </ul>
      {!isReadOnly && (
        <Row gap={2} data-own-undo>
          <TextField
            hideLabel
            label={texts.add(label)}
            placeholder={texts.add(label)}
            value={name}
            autoComplete="off"
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            onKeyDown={(event) => event.key === 'Enter' && !isComposing(event.nativeEvent) && add()}
          />
          <Button icon={Plus} onClick={add}>
            {texts.addOne}
          </Button>
        </Row>
      )}
      <Messages id={id} {...useMarks(place, 'only')} />
    </fieldset>
  )
}
