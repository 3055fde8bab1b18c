import { isObject } from '@mokuroku/contract/merge'
import { useId } from 'react'
import type { JsonSchema } from '../jsonEditor/schema.ts'
import { type FieldProps, useForm, useLabelOf, useMarks } from './form.ts'
import css from './Form.module.css'
import { Messages } from './Messages.tsx'
import { shapeOf, written } from './shape.ts'

/** Fieldset for the fields of an object. */
export function Group({ place, schema, value, fields }: FieldProps & { fields: readonly [string, JsonSchema][] }) {
  const id = useId()
  const { Field } = useForm()
  const values = isObject(value) ? value : {}
  const required = new Set(written(schema).required)
  return (
    <fieldset className={css.set} aria-describedby={id}>
      <legend className={css.legend}>{useLabelOf()(place)}</legend>
      <div className={`${css.form} ${css.group}`}>
        {fields.toSorted(ticksFirst).map(([name, each]) => (
          <Field
            key={name}
            place={[...place, name]}
            schema={each}
            value={values[name]}
            isRequired={required.has(name)}
          />
        ))}
      </div>
      <Messages id={id} {...useMarks(place, 'only')} />
    </fieldset>
  )
}

const ticksFirst = ([, one]: [string, JsonSchema], [, other]: [string, JsonSchema]) =>
  Number(shapeOf(other).is === 'boolean') - Number(shapeOf(one).is === 'boolean')
