import { expect, test } from 'vitest'
import { endpoints } from '../app.ts'
import { openApi } from './openapi.ts'

/** All numbers that may have a fraction. */
const FRACTIONS = [
  'averageRating',
  'duration',
  'episodes',
  'limit',
  'maxUploadSizeMB',
  'ratingMin',
  'requiredScore',
  'score',
  'scores',
  'sessionHours',
]

type Json = Record<string, unknown>

/** All fields that are described, with the names under which they are. */
function fieldsIn(part: unknown): [name: string, description: Json][] {
  if (typeof part !== 'object' || part === null) return []
  const { properties = {} } = part as { properties?: Record<string, Json> }
  return [...Object.entries(properties), ...Object.values(part).flatMap(fieldsIn)]
}

/** A description and the alternatives in it. */
function formsOf(description: Json): Json[] {
  const { anyOf = [] } = description as { anyOf?: Json[] }
  return [description, ...anyOf.flatMap(formsOf)]
}

test('the OpenAPI description tells moments from other texts, and whole numbers from others', () => {
  const fields = fieldsIn(openApi(endpoints, 'http://127.0.0.1', '0.0.0'))
  const having = (is: (form: Json) => boolean) =>
    [...new Set(fields.filter(([, field]) => formsOf(field).some(is)).map(([name]) => name))].toSorted()
  const moments = having(({ format }) => format === 'date-time')
  expect(moments).toEqual(expect.arrayContaining(['createdAt', 'deletedAt', 'lastLogin', 'releaseDate', 'until']))
  expect(having(({ type, format }) => type === 'string' && !format).filter((name) => name.endsWith('At'))).toEqual([])
  expect(having(({ type }) => type === 'integer')).toEqual(expect.arrayContaining(['total', 'version', 'mediaCount']))
  expect(having(({ type }) => type === 'number')).toEqual(FRACTIONS)
})
