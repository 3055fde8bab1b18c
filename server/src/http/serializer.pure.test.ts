import fc from 'fast-check'
import * as z from 'zod/mini'
import { expect, test } from 'vitest'
import { routes } from '#test/contract.ts'
import { strip } from './read.ts'
import { serializer, writerOf } from './serializer.ts'

/** The result of zod and JSON.stringify, or the error that they throw. */
const parsed = (schema: z.ZodMiniType, answer: unknown) => said(() => JSON.stringify(strip(schema, answer)))

function said(write: () => string): string {
  try {
    return write()
  } catch (error) {
    return `throws ${String(error)}`
  }
}

const ODD_NAMES = ['__proto__', 'constructor', 'toJSON', 'passwordHash', 'version', '7', '', '"', '\u2028', '\ud800']
// Created once: creating a string arbitrary costs more than its values.
const anyText = fc.string({ unit: 'binary' })
const anyName = fc.oneof(fc.constantFrom('en', 'zh-Hans', ...ODD_NAMES), fc.string())
const odd = fc.oneof(
  fc.constantFrom(undefined, null, Number.NaN, Infinity, -0, 1e21, 2 ** 53, 5e-324, 10n, Symbol('secret')),
  fc.constantFrom('', '"', '\\', '\0', '\u001f', '\u2028', '\ud800', '\udc00x', '😀', 'secret', '</script>'),
  fc.constantFrom(
    {},
    [],
    [undefined],
    Object.create(null),
    new Date(0),
    new Date(Number.NaN),
    new Map([['secret', 1]]),
  ),
  fc.constantFrom({ toJSON: () => 'secret' }, () => 'secret', { toJSON: (key: string) => key }, { toJSON: 'secret' }),
  anyText,
  fc.double(),
  fc.anything({ withNullPrototype: true, withDate: true, withSparseArray: true, withBigInt: true }),
)

/** Values of a schema. With `mayBeOdd`, some do not fit it, or have unknown fields. */
function valuesOf(schema: z.core.$ZodType, mayBeOdd: boolean): fc.Arbitrary<unknown> {
  const values = fittingOf(schema, mayBeOdd)
  return mayBeOdd ? fc.oneof({ weight: 60, arbitrary: values }, { weight: 1, arbitrary: odd }) : values
}

function fittingOf(schema: z.core.$ZodType, mayBeOdd: boolean): fc.Arbitrary<unknown> {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'string':
      return fc.oneof(anyText, fc.constantFrom('', '鋼', '"\\\n', '2026-01-01T00:00:00.000Z'))
    case 'number':
      return fc.oneof(fc.nat(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(-0, 1e21, 1e-7))
    case 'boolean':
      return fc.boolean()
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries))
    case 'literal':
      return fc.constantFrom(...def.values)
    case 'unknown':
      return fc.oneof(fc.jsonValue(), odd)
    case 'optional':
      return fc.oneof(valuesOf(def.innerType, mayBeOdd), fc.constant(undefined))
    case 'nullable':
      return fc.oneof(valuesOf(def.innerType, mayBeOdd), fc.constant(null))
    case 'default':
      return fittingOf(def.innerType, mayBeOdd)
    case 'pipe':
      return fittingOf(def.in._zod.def.type === 'transform' ? def.out : def.in, mayBeOdd)
    case 'union':
      return fc.oneof(...def.options.map((option) => valuesOf(option, mayBeOdd)))
    case 'array':
      return fc.array(valuesOf(def.element, mayBeOdd), { maxLength: 3 })
    case 'record':
      return entriesOf(valuesOf(def.valueType, mayBeOdd))
    case 'object':
      return objectOf(def.shape, mayBeOdd)
    default:
      return fc.anything()
  }
}

const entriesOf = (value: fc.Arbitrary<unknown>) =>
  fc.array(fc.tuple(anyName, value), { maxLength: 3 }).map((entries) => Object.fromEntries(entries))

/** Objects as handlers return them: fields in any order, some absent, and some that must not be sent. */
function objectOf(shape: z.core.$ZodShape, mayBeOdd: boolean): fc.Arbitrary<unknown> {
  const fields = Object.entries(shape)
  const required = fields.filter(([, field]) => field._zod.optin === undefined).map(([name]) => name)
  const named = fc.record(Object.fromEntries(fields.map(([name, field]) => [name, valuesOf(field, mayBeOdd)])), {
    requiredKeys: required,
    noNullPrototype: !mayBeOdd,
  })
  if (!mayBeOdd) return named
  const unknown = entriesOf(fc.oneof(odd, fc.constant('secret')))
  return fc
    .tuple(named, unknown, fc.boolean())
    .map(([known, others, isFirst]) =>
      isFirst ? Object.assign(Object.create(null), others, known) : { ...known, ...keyed(others, shape) },
    )
}

/** Without the keys that the schema names. */
const keyed = (others: object, shape: object) =>
  Object.fromEntries(Object.entries(others).filter(([name]) => !Object.hasOwn(shape, name)))

const schemas = [...new Map([...routes].map(([name, { response }]) => [response, name]))]

test.each(schemas.map(([schema, name]) => [name, schema] as const))(
  '%s is serialized like with zod and JSON.stringify, whatever the answer',
  (_, schema) => {
    const write = serializer(schema)
    fc.assert(
      fc.property(fc.oneof(valuesOf(schema, true), valuesOf(schema, false), odd), (answer) => {
        expect(said(() => write(answer))).toBe(parsed(schema, answer))
      }),
      { numRuns: 150 },
    )
  },
)

test('no answer contains a field that is not in the contract, at any depth', () => {
  let [sent, refused] = [0, 0]
  for (const [schema] of schemas)
    fc.assert(
      fc.property(valuesOf(schema, false), (answer) => {
        const text = said(() => serializer(schema)(withSecrets(answer, schema)))
        expect(text).not.toContain('do not tell')
        if (text.startsWith('throws')) refused++
        else sent++
      }),
      { numRuns: 30 },
    )
  expect(sent).toBeGreaterThan(2 * refused)
})

/** Adds a field that must not be sent to each object, except those that may contain anything. */
function withSecrets(value: unknown, schema: z.core.$ZodType): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (value === null || typeof value !== 'object') return value
  if (def.type === 'optional' || def.type === 'nullable') return withSecrets(value, def.innerType)
  if (def.type === 'array' && Array.isArray(value)) return value.map((each) => withSecrets(each, def.element))
  if (def.type === 'record')
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withSecrets(each, def.valueType)]))
  if (def.type === 'union') {
    const fitting = def.options.find((option) => z.safeParse(option, value).success)
    return fitting ? withSecrets(value, fitting) : value
  }
  if (def.type !== 'object') return value
  const fields = Object.entries(value).map(([name, each]) => {
    const field = def.shape[name]
    return [name, field ? withSecrets(each, field) : each]
  })
  return { ...Object.fromEntries(fields), passwordHash: 'do not tell' }
}

test('refuses an answer that breaks the contract, and the error names the path', () => {
  const write = serializer(z.object({ media: z.array(z.object({ title: z.string() })) }))
  expect(() => write({ media: [{ title: 'Kino' }, { title: 7 }] })).toThrow('contract: media.1.title')
  expect(() => write(undefined)).toThrow('contract')
})

test('only answers with checks, transformations or strict objects are not compiled', () => {
  const uncompiled = [...routes].filter(([, { response }]) => !writerOf(response)).map(([name]) => name)
  expect(uncompiled.toSorted()).toEqual([
    'GET /api/ai/process',
    'GET /api/ai/process-media2',
    'GET /api/auth/verify',
    'GET /api/languages/fold',
    'GET /api/score-permissions',
    'GET /api/score-permissions/:id',
    'POST /api/ai/process',
    'POST /api/ai/process-standard',
    'POST /api/auth/login',
    'POST /api/languages/fold',
    'POST /api/score-permissions',
    'POST /api/score-permissions/:id/restore',
    'POST /api/search',
    'PUT /api/auth/preferences',
    'PUT /api/score-permissions/:id',
  ])
})
