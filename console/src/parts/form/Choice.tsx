import { humanize } from '#lib/text.ts'
import { SelectField } from '#ui/Field.tsx'
import { capital, useLabels, type Words } from '../labels.ts'
import { type FieldProps, useForm, useLabelOf, useMarks } from './form.ts'
import { emptied } from './shape.ts'
import { formTexts } from './texts.ts'

/** Select field for a value from the schema's enum. A current value that is not in it is offered, too. */
export function Choice({
  place,
  schema,
  value,
  isRequired,
  values,
  hideLabel,
}: FieldProps & { values: readonly unknown[] }) {
  const texts = formTexts.use()
  const { kind, set, isReadOnly } = useForm()
  const { values: words = {} }: Words = useLabels()[kind]
  const named: Readonly<Record<string, string>> = words[String(place.at(-1))] ?? {}
  const isNone = value === undefined || value === null
  const all = [...new Set([...values, ...(isNone ? [] : [value])])]
  const options = all.map((each) => ({
    value: String(each),
    label: named[String(each)] ?? capital(humanize(String(each))),
  }))
  return (
    <SelectField
      {...useMarks(place)}
      label={useLabelOf()(place)}
      hideLabel={hideLabel ?? false}
      disabled={isReadOnly}
      value={isNone ? '' : `${value as string | number}`}
      options={isNone || !isRequired ? [{ value: '', label: texts.nothing }, ...options] : options}
      onChange={(next) =>
        set(place, next === '' ? emptied(schema, isRequired) : all.find((each) => String(each) === next))
      }
    />
  )
}
