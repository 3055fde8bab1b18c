import * as z from 'zod/mini'

/** The parts of JSON Schema that are used here. */
export interface JsonSchema {
  type?: string
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  required?: string[]
  enum?: unknown[]
  properties?: Record<string, JsonSchema>
  additionalProperties?: JsonSchema | boolean
  items?: JsonSchema
  anyOf?: JsonSchema[]
}

/** A schema of the contract as JSON Schema, for its input. */
export const jsonSchemaOf = (schema: z.ZodMiniType) =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema

/** A text to insert, and the cursor's position in it. */
export interface Insert {
  text: string
  caret: number
}

/** The schema of the value at `place`. */
export function schemaAt(root: JsonSchema, place: readonly (string | number)[]): JsonSchema | undefined {
  return place.reduce<JsonSchema | undefined>((schema, step) => {
    const options = [schema, ...(schema?.anyOf ?? [])]
    if (typeof step === 'number') return options.find((each) => each?.items)?.items
    const named = options.find((each) => each?.properties && Object.hasOwn(each.properties, step))?.properties?.[step]
    const open = options.find((each) => typeof each?.additionalProperties === 'object')?.additionalProperties
    return named ?? (typeof open === 'object' ? open : undefined)
  }, root)
}

/** The allowed values, if the schema lists them. */
export function choicesOf(schema: JsonSchema | undefined): unknown[] {
  if (!schema) return []
  if (schema.enum) return schema.enum
  if (schema.type === 'boolean') return [true, false]
  if (schema.type === 'null') return [null]
  return schema.anyOf?.flatMap(choicesOf) ?? []
}

/** The type of a value, shown beside a suggested name. */
export const typeOf = ({ type, enum: choices, anyOf }: JsonSchema): string =>
  choices ? 'choice' : (type ?? anyOf?.map(({ type: each }) => each).join(' | ') ?? '')

/** A property with an initial value. The cursor goes into its first value if that is empty, otherwise after it. */
export function propertyOf(name: string, schema: JsonSchema): Insert {
  const head = `${JSON.stringify(name)}: `
  const { text, caret } = placeholder(schema)
  return { text: head + text, caret: head.length + caret }
}

function placeholder(schema: JsonSchema): Insert {
  if (schema.enum) return scalar(JSON.stringify(schema.enum[0]))
  const first = schema.type ? schema : (schema.anyOf?.[0] ?? {})
  if (first.type === 'object') return object(Object.entries(first.properties ?? {}))
  return scalar({ number: '0', integer: '0', boolean: 'false', array: '[]', null: 'null' }[first.type ?? ''] ?? '""')
}

function object(properties: [string, JsonSchema][]): Insert {
  const all = properties.map(([name, schema]) => propertyOf(name, schema))
  const [first] = all
  return first ? { text: `{ ${all.map(({ text }) => text).join(', ')} }`, caret: first.caret + 2 } : scalar('{}')
}

const scalar = (text: string): Insert => ({ text, caret: /^(""|\[\]|\{\})$/.test(text) ? 1 : text.length })
