import { memo, Suspense } from 'react'
import { Choice } from './Choice.tsx'
import { Entries } from './Entries.tsx'
import { type FieldProps, placeAttribute, useForm } from './form.ts'
import css from './Form.module.css'
import { Group } from './Group.tsx'
import { ImageLink } from './ImageLink.tsx'
import { Json } from './Json.tsx'
import { LinkList } from './LinkList.tsx'
import { List } from './List.tsx'
import { Moment } from './Moment.tsx'
import { Numeric } from './Numeric.tsx'
import { fits, shapeOf } from './shape.ts'
import { Table } from './Table.tsx'
import { TextList } from './TextList.tsx'
import { TextBox } from './TextBox.tsx'
import { YesNo } from './YesNo.tsx'

/** The form field for a value, chosen by its schema. */
export const Field = memo(function Field(props: FieldProps) {
  const { links, beneath, isReadOnly, set } = useForm()
  const { place, schema, value } = props
  const shape = shapeOf(schema)
  const index = place.length === 1 ? links[String(place[0])] : undefined
  const Beneath = place.length === 1 ? beneath[String(place[0])] : undefined
  const isList = shape.is === 'texts' || shape.is === 'list'
  const isWide = (index && isList) || !NARROW.has(shape.is) || (shape.is === 'text' && shape.isLong)
  return (
    <div
      className={css.field}
      data-place={placeAttribute(place)}
      data-wide={isWide || undefined}
      data-is={index && !isList ? 'link' : shape.is}
    >
      {render()}
      {Beneath && (
        <Suspense>
          <Beneath value={value} isReadOnly={isReadOnly} onValue={(next) => set(place, next)} />
        </Suspense>
      )}
    </div>
  )

  function render() {
    if (index && fitsLink(value, isList)) {
      if (index === 'assets' && !isList) return <ImageLink {...props} />
      return <LinkList {...props} index={index} isList={isList} />
    }
    if (!fits(shape, value)) return <Json {...props} />
    switch (shape.is) {
      case 'text':
        return <TextBox {...props} isLong={shape.isLong} />
      case 'number':
        return <Numeric {...props} />
      case 'boolean':
        return <YesNo {...props} />
      case 'choice':
        return <Choice {...props} values={shape.values} />
      case 'moment':
        return <Moment {...props} />
      case 'texts':
        return <TextList {...props} />
      case 'list':
        return <List {...props} item={shape.item} />
      case 'group':
        return <Group {...props} fields={shape.fields} />
      case 'table':
        return <Table {...props} row={shape.row} columns={shape.columns} />
      case 'entries':
        return <Entries {...props} entry={shape.value} />
      case 'json':
        return <Json {...props} />
    }
  }
})

/** Fields that share a line with others. */
const NARROW = new Set<string>(['text', 'number', 'boolean', 'choice', 'moment'])

const isId = (value: unknown) =>
  typeof value === 'string' || (typeof value === 'object' && value !== null && '_id' in value)

const fitsLink = (value: unknown, isList: boolean) =>
  value === undefined || value === null || (isList ? Array.isArray(value) && value.every(isId) : isId(value))
