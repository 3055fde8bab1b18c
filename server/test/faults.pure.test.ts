import type { FieldError } from '@mokuroku/contract/call'
import { SENTENCES } from '@mokuroku/contract/faults'
import { toFieldErrors } from '@mokuroku/contract/issues'
import { Login } from '@mokuroku/contract/auth'
import { MediaInput } from '@mokuroku/contract/media'
import { SelectedMedia } from '@mokuroku/contract/selection'
import { UserInput } from '@mokuroku/contract/users'
import { describe, expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { routes } from './contract.ts'

type Schema = z.core.$ZodType

/** Wording of the schema library; 'Invalid email address' and 'Invalid JSON format' are our own sentences. */
const LIBRARY =
  /Too (small|big)|Invalid (input|option|string|key|element|type)|Unrecognized|expected|received|undefined|NaN/

const LONG = 'x'.repeat(60_000)
const ANYTHING: unknown[] = [
  undefined,
  null,
  true,
  0,
  -1,
  0.123,
  1e13,
  Number.NaN,
  '',
  ' ',
  'x',
  '\u0001',
  LONG,
  [],
  [null],
  {},
  { nobody: 1 },
]

/** Wrong values for a schema: some of everything, and for composite schemas, wrong values inside. */
function wrongValues(schema: Schema, depth = 0): unknown[] {
  if (depth > 6) return []
  const inside = (inner: Schema) => wrongValues(inner, depth + 1)
  const def: Record<string, unknown> = { ...schema._zod.def }
  const [inner, element, valueType] = [def.innerType, def.element, def.valueType] as (Schema | undefined)[]
  switch (def.type) {
    case 'object': {
      const shape = Object.entries(def.shape as Record<string, Schema>)
      return [...ANYTHING, ...shape.flatMap(([name, each]) => inside(each).map((value) => ({ [name]: value })))]
    }
    case 'array':
      return [
        ...ANYTHING,
        Array.from({ length: 1001 }, () => 'x'),
        ...(element ? inside(element).map((value) => [value]) : []),
      ]
    case 'record': {
      const many = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`qaa-x-${at}`, {}]))
      const values = valueType ? inside(valueType).flatMap((value) => [{ en: value }, { 'no tag!': value }]) : []
      return [...ANYTHING, many, { 'zh-hans': {}, 'zh-Hans': {} }, ...values]
    }
    case 'union':
      return [...ANYTHING, ...(def.options as Schema[]).flatMap(inside)]
    case 'pipe':
      return [...inside(def.in as Schema), ...inside(def.out as Schema)]
    default:
      return inner ? inside(inner) : ANYTHING
  }
}

const schemas = [...routes].flatMap(([name, { body, query }]) =>
  [
    { what: `${name}, body`, schema: body },
    { what: `${name}, query`, schema: query },
  ].flatMap(({ what, schema }) => (schema ? [{ what, schema }] : [])),
)

const faultsIn = (schema: z.ZodMiniType, value: unknown): FieldError[] => {
  const parsed = schema.safeParse(value)
  return parsed.success ? [] : toFieldErrors(parsed.error, value)
}

describe('explains every invalid value in a sentence, with a code for its translation', () => {
  test.each(schemas)('$what', ({ schema }) => {
    const faults = wrongValues(schema).flatMap((value) => faultsIn(schema, value))
    expect(faults.length).toBeGreaterThan(0)
    const bad = faults.filter(
      ({ message, code = '' }) => LIBRARY.test(message) || /[{}]/.test(message) || !(code in SENTENCES),
    )
    expect(bad).toEqual([])
  })
})

const linesOf = (schema: z.ZodMiniType, value: unknown) =>
  faultsIn(schema, value).map(({ path, message, code, params }) => [path, message, code, params])

test('reports one error per field for an empty sign-in', () => {
  const twice = [
    ['email', 'Email is required', 'emailRequired', undefined],
    ['password', 'Password is required', 'passwordRequired', undefined],
  ]
  expect(linesOf(Login, {})).toEqual(twice)
  expect(linesOf(Login, { email: ' ', password: '' })).toEqual(twice)
  expect(linesOf(Login, { email: 'nobody', password: 'x' })).toEqual([
    ['email', 'Invalid email address', 'emailInvalid', undefined],
  ])
})

test('names limits, allowed values and unknown fields', () => {
  expect(linesOf(UserInput, { username: 'ab', role: 'king', scores: -1, avatar: 3, crown: 1 })).toEqual([
    ['username', 'Must be at least 3 characters', 'tooShort', { limit: 3 }],
    ['role', 'Must be one of user, admin, moderator', 'oneOf', { values: ['user', 'admin', 'moderator'] }],
    ['avatar', 'Must be text', 'text', undefined],
    ['scores', 'Must be at least 0', 'tooSmall', { limit: 0 }],
    ['crown', 'Unknown field', 'unknown', undefined],
  ])
})

test('reports missing values at any depth, and for a union the errors of the closest variant', () => {
  const given = { mediaType: 'ANIME', isOngoing: true, releaseDate: 'soon', cover: {}, tags: [5, {}] }
  expect(linesOf(MediaInput, { ...given, translations: { en: { title: 'A' }, en_US: {} } })).toEqual([
    ['translations.en.description', 'Is missing', 'missing', undefined],
    [
      'translations.en_US',
      'Invalid language tag. Use one such as en or zh-Hans, or art-x-name for a language without a code',
      'languageTag',
      undefined,
    ],
    ['releaseDate', 'Must be a date and time, such as 2026-01-05T00:00:00Z', 'moment', undefined],
    ['tags.0', 'Must be text', 'text', undefined],
    ['tags.1._id', 'Is missing', 'missing', undefined],
    ['cover._id', 'Is missing', 'missing', undefined],
  ])
  expect(linesOf(MediaInput, undefined)).toEqual([['', 'Please provide valid JSON data.', 'noData', undefined]])
})

test('names the invalid field of an object that a union also accepts with other fields', () => {
  const translations = { en: { title: 'A', description: '' } }
  const lines = (more: object) =>
    linesOf(SelectedMedia, { translations, ...more }).map(([path, message]) => [path, message])
  expect(lines({ characters: [{ translations: { en: { name: 5 } } }, {}] })).toEqual([
    ['characters.0.translations.en.name', 'Must be text'],
    ['characters.1._id', 'Is missing'],
  ])
  expect(lines({ tags: [{ translations: { en: {} } }, { name: 'x'.repeat(1001) }] })).toEqual([
    ['tags.0.translations.en.name', 'Is missing'],
    ['tags.1.name', 'Must be at most 1000 characters'],
  ])
})
