import { isObject } from '@mokuroku/contract/merge'
import { choicesOf, type JsonSchema } from '../jsonEditor/schema.ts'

/** The form component for a schema. */
export type Shape =
  | { is: 'text'; isLong: boolean }
  | { is: 'number' }
  | { is: 'boolean' }
  | { is: 'choice'; values: readonly unknown[] }
  | { is: 'moment' }
  | { is: 'texts' }
  | { is: 'list'; item: JsonSchema }
  | { is: 'group'; fields: readonly [name: string, schema: JsonSchema][] }
  /** Objects of one shape under open names, such as texts by language. */
  | { is: 'table'; row: JsonSchema; columns: readonly string[] }
  | { is: 'entries'; value: JsonSchema }
  | { is: 'json' }

/** Longer texts get a multi-line input. */
const MAX_LINE_CHARS = 1000

export function shapeOf(schema: JsonSchema): Shape {
  const { type, format, maxLength = 0, items, properties, additionalProperties: open } = written(schema)
  const choices = choicesOf(schema).filter((value) => value !== null)
  if (type === 'boolean') return { is: 'boolean' }
  if (choices.length > 0) return { is: 'choice', values: choices }
  if (type === 'number' || type === 'integer') return { is: 'number' }
  if (type === 'string')
    return format === 'date-time' ? { is: 'moment' } : { is: 'text', isLong: maxLength > MAX_LINE_CHARS }
  if (type === 'array' && items) return shapeOf(items).is === 'text' ? { is: 'texts' } : { is: 'list', item: items }
  if (type === 'object' && properties) return { is: 'group', fields: Object.entries(properties) }
  if (type !== 'object' || typeof open !== 'object') return { is: 'json' }
  const columns = Object.keys(written(open).properties ?? {})
  return columns.length > 0 ? { is: 'table', row: open, columns } : { is: 'entries', value: open }
}

/** The schema of an existing value, if several are allowed: not null, and an id rather than an object. */
export function written(schema: JsonSchema): JsonSchema {
  const options = schema.anyOf?.filter(({ type }) => type !== 'null')
  return options?.[0] ? written(options[0]) : schema
}

const isNullable = ({ type, anyOf }: JsonSchema): boolean => type === 'null' || anyOf?.some(isNullable) === true

/** The value of a field that the user empties, according to its schema; undefined removes the field. */
export function emptied(schema: JsonSchema, isRequired: boolean): unknown {
  const { type, format, pattern, minLength = 0 } = written(schema)
  if (type === 'array') return []
  if (type === 'string' && !format && !pattern && minLength === 0) return ''
  if (isNullable(schema)) return null
  return isRequired ? (type === 'string' ? '' : null) : undefined
}

/** Initial value. */
export function startOf(schema: JsonSchema): unknown {
  const shape = shapeOf(schema)
  switch (shape.is) {
    case 'boolean':
      return false
    case 'number':
      return 0
    case 'choice':
      return shape.values[0]
    case 'list':
    case 'texts':
      return []
    case 'group': {
      const required = new Set(written(schema).required)
      return Object.fromEntries(
        shape.fields.filter(([name]) => required.has(name)).map(([name, each]) => [name, startOf(each)]),
      )
    }
    case 'table':
    case 'entries':
      return {}
    case 'json':
      return null
    default:
      return ''
  }
}

/** Whether a component can show a value; otherwise it is shown as JSON. Missing values can always be shown. */
export function fits(shape: Shape, value: unknown): boolean {
  if (value === undefined || value === null) return true
  switch (shape.is) {
    case 'text':
    case 'moment':
      return typeof value === 'string'
    case 'number':
      // Text that is not a number yet is stored as typed.
      return typeof value === 'number' || typeof value === 'string'
    case 'boolean':
      return typeof value === 'boolean'
    case 'choice':
      return typeof value === 'string' || typeof value === 'number'
    case 'texts':
      return Array.isArray(value) && value.every((each) => typeof each === 'string')
    case 'list':
      return Array.isArray(value)
    case 'table':
      return isObject(value) && Object.values(value).every(isObject)
    case 'group':
    case 'entries':
      return isObject(value)
    case 'json':
      return false
  }
}
