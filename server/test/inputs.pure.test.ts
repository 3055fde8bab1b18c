// What holds for every input of every call: for the lists in it, and for the languages.
import type { Route } from '@mokuroku/contract/route'
import { describe, expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { routes } from './contract.ts'

/** Lists in which an equal item is another one: characters to create, and corrections that are made in order. */
const REPEATABLE = [
  'POST /api/ai/create-media body.characters',
  'POST /api/ai/match-characters body.characters',
  'PUT /api/imports/:id/cells body.corrections',
]
/** Lists of which the handler tells the items apart: tags by name, texts that are refused one by one. */
const HANDLED = [
  'POST /api/ai/create-media body.tags',
  'POST /api/ai/create-media body.characters[].tags',
  'POST /api/ai/match-characters body.characters[].tags',
  'PUT /api/translations/media/batch body',
]
/** One of these is a valid item of any other list. */
const ITEMS = ['x', 'en', 'missing', '_id', { id: 'x', translations: { en: { title: 'A title' } } }]

type Schema = z.ZodMiniType
interface Definition {
  type: string
  shape?: Record<string, Schema>
  options?: Schema[]
  element?: Schema
  innerType?: Schema
  keyType?: Schema
  valueType?: Schema
  in?: Schema
  out?: Schema
}
const definitionOf = (schema: Schema): Definition => schema._zod.def

/** A schema and those inside it, with their paths. */
function* schemasIn(schema: Schema, path: string): Generator<[path: string, schema: Schema]> {
  const { shape = {}, options = [], element, innerType, valueType, in: from, out } = definitionOf(schema)
  yield [path, schema]
  for (const [name, each] of Object.entries(shape)) yield* schemasIn(each, `${path}.${name}`)
  if (element) yield* schemasIn(element, `${path}[]`)
  if (valueType) yield* schemasIn(valueType, `${path}.*`)
  for (const each of [...options, innerType, from, out]) if (each) yield* schemasIn(each, path)
}

const inputs = [...routes].flatMap(([name, { query, body }]: [string, Route]) => [
  ...(query ? schemasIn(query, `${name} query`) : []),
  ...(body ? schemasIn(body, `${name} body`) : []),
])

describe('a list counts once what is repeated in it', () => {
  const lists = new Map(inputs.filter(([, schema]) => definitionOf(schema).element))

  test('unless it is one of these lists', () => {
    expect([...REPEATABLE, ...HANDLED].filter((path) => !lists.has(path))).toEqual([])
    expect(lists.size).toBeGreaterThan(50)
  })

  test.each([...lists].filter(([path]) => ![...REPEATABLE, ...HANDLED].includes(path)))('%s', (_, list) => {
    const item = ITEMS.find((each) => list.safeParse([each]).success)
    expect(item).toBeDefined()
    expect(list.parse([item, item])).toHaveLength(1)
  })
})

describe('a language is refused if it is no language tag', () => {
  const tags = inputs.filter(([path]) => /\.(language|missing|defaultLanguage|languages\[\])$/.test(path))
  const records = inputs.flatMap(([path, schema]): [string, Schema][] => {
    const { type, keyType } = definitionOf(schema)
    return type === 'record' && keyType && /\.(translations|text)$/.test(path) ? [[`${path}.*`, keyType]] : []
  })
  // Of several schemas with the same path, the outermost one: it comes first.
  const languages = new Map([...tags, ...records].toReversed())

  test('wherever there is one', () => {
    expect(tags.length).toBeGreaterThan(20)
    expect(records.length).toBeGreaterThan(10)
  })

  test.each([...languages])('%s', (_, language) => {
    expect(language.safeParse('en').success).toBe(true)
    for (const tag of ['x-klingon', 'en_US', '', `en-x-${'a1234567-'.repeat(4)}a`])
      expect(language.safeParse(tag).success).toBe(false)
  })
})
