// Inputs generated from the contract: valid ones, and the same with something wrong in them.
import fc from 'fast-check'
import { KEYS, NUMBERS, OTHERS, STRINGS } from './hostileValues.ts'

interface Schema {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  maxItems?: number
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
}

const text = fc.constantFrom('A title', 'Ein Titel', '目録', 'もくろく', 'a', 'Pokémon', 'zz')
const LANGUAGES = ['en', 'zh', 'ja', 'zh-Hans', 'xx-private']
const MOMENTS = ['2020-04-01T00:00:00.000Z', '1999-12-31T23:59:59+02:00', '2030-01-01T00:00:00Z']

/** Anything: wrong types, sizes, keys and nesting, and texts with a special meaning. */
export const nasty: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...STRINGS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 300 }) },
  { weight: 2, arbitrary: fc.constantFrom(...NUMBERS) },
  { weight: 2, arbitrary: fc.constantFrom(...OTHERS) },
)

/** A valid value for a schema. For an id, mostly one of `ids`. */
export function fitting(schema: Schema, ids: string[]): fc.Arbitrary<unknown> {
  const { type, anyOf = schema.oneOf } = schema
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (anyOf) return fc.oneof(...anyOf.map((each) => fitting(each, ids)))
  if (schema.allOf) return fitting(Object.assign({}, ...schema.allOf) as Schema, ids)
  if (type === 'object') return objects(schema, ids)
  if (type === 'array')
    return fc.array(fitting(schema.items ?? {}, ids), { maxLength: Math.min(3, schema.maxItems ?? 3) })
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  if (type === 'integer') return fc.oneof(ends(schema), fc.integer(boundsOf(schema)))
  if (type === 'number')
    return fc.oneof(ends(schema), fc.double({ ...boundsOf(schema), noNaN: true, noDefaultInfinity: true }))
  if (type === 'string') return strings(schema, ids)
  return fc.oneof(text, fc.constantFrom(...ids), fc.boolean(), fc.integer(), fc.constant(null))
}

const boundsOf = ({ minimum = -1000, maximum = 100_000 }: Schema) => ({
  min: minimum,
  max: Math.max(minimum, Math.min(maximum, 2 ** 31 - 1)),
})

/** The minimum and the maximum of a schema. */
const ends = ({ minimum = -1000, maximum = 1e308 }: Schema) => fc.constantFrom(minimum, maximum)

function objects(schema: Schema, ids: string[]): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema
  const named = Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, fitting(each, ids)]))
  const known = fc.record(named, { requiredKeys: required.filter((name) => name in named) })
  if (typeof additionalProperties !== 'object' || Object.keys(properties).length > 0) return known
  return fc.dictionary(fc.constantFrom(...LANGUAGES), fitting(additionalProperties, ids), { maxKeys: 3 })
}

function strings({ format, pattern, minLength = 0, maxLength = 100 }: Schema, ids: string[]): fc.Arbitrary<string> {
  if (format === 'date-time') return fc.constantFrom(...MOMENTS)
  if (format === 'email') return fc.constantFrom('nobody@example.org', 'a.b+c@example.org')
  if (pattern?.startsWith('^#')) return fc.constantFrom('#a34a12', '#FFFFFF')
  const fits = (value: string) => value.length >= minLength && value.length <= maxLength
  const longest = fc.constantFrom('x'.repeat(maxLength), 'x'.repeat(Math.max(1, minLength)))
  return fc
    .oneof(
      { weight: 3, arbitrary: fc.constantFrom(...ids) },
      { weight: 3, arbitrary: fc.oneof(text, fc.constantFrom(...LANGUAGES, ...MOMENTS)) },
      { weight: 1, arbitrary: longest },
    )
    .map((value) => (fits(value) ? value : 'x'.repeat(Math.max(1, minLength))))
}

interface Fault {
  at: number
  how: 'replace' | 'add' | 'drop' | 'wrap'
  key: string
  what: unknown
}
const fault: fc.Arbitrary<Fault> = fc.record({
  at: fc.nat(60),
  how: fc.constantFrom('replace', 'replace', 'add', 'drop', 'wrap'),
  key: fc.constantFrom(...KEYS),
  what: nasty,
})

/** A value for a schema, with up to three faults. */
export const spoilt = (schema: Schema, ids: string[]): fc.Arbitrary<unknown> =>
  fc
    .tuple(fitting(schema, ids), fc.array(fault, { maxLength: 3 }))
    .map(([value, faults]) => faults.reduce(spoil, value))

/** Puts a fault at position `at`, counted in reading order. */
function spoil(value: unknown, { at, how, key, what }: Fault): unknown {
  let left = at % (1 + placesIn(value))
  const at_ = (inside: unknown): unknown => {
    if (left-- === 0) return changed(inside, how, key, what)
    if (Array.isArray(inside)) return inside.map(at_)
    if (typeof inside !== 'object' || inside === null) return inside
    return Object.fromEntries(Object.entries(inside).map(([name, each]) => [name, at_(each)]))
  }
  return at_(value)
}

function changed(value: unknown, how: Fault['how'], key: string, what: unknown): unknown {
  if (how === 'wrap') return [value]
  if (how === 'replace' || typeof value !== 'object' || value === null) return what
  const entries = Object.entries(value)
  return Object.fromEntries(how === 'drop' ? entries.slice(1) : [...entries, [key, what]])
}

function placesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((sum, each) => sum + 1 + placesIn(each), 0)
}

/** A value as a query string: with repeated keys, lists and objects. */
export function queryOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return encoded(value)
  const pairs = Object.entries(value).flatMap(([key, each]) =>
    (Array.isArray(each) && each.length < 20 ? each : [each]).map((one) => `${encoded(key)}=${encoded(one)}`),
  )
  return pairs.join('&')
}

/** URL-encodes a value: texts as they are, others as JSON, and lone surrogates as the bytes that some clients send. */
export function encoded(value: unknown): string {
  const plain = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return Array.from(plain, (sign) => (sign.isWellFormed() ? encodeURIComponent(sign) : '%ED%A0%80')).join('')
}
