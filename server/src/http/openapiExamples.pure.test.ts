import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { parserOf } from '../../test/trust/described.ts'
import { endpoints } from '../app.ts'
import { callNameOf, openApi } from './openapi.ts'
import { ERROR_EXAMPLES, EXAMPLES } from './openapiExamples.ts'

interface Content {
  schema: Record<string, unknown>
  example?: unknown
}

/** All examples of the description, with their schemas. */
function examplesIn(part: unknown): Content[] {
  if (typeof part !== 'object' || part === null) return []
  const own = 'schema' in part && 'example' in part ? [part as Content] : []
  return [...own, ...Object.values(part).flatMap(examplesIn)]
}

test('every example is in the OpenAPI description and fits its schema', () => {
  const found = examplesIn(openApi(endpoints, 'http://127.0.0.1', '0.0.0'))
  const all = [
    ...Object.values(EXAMPLES).flatMap((example) => Object.values(example)),
    ...Object.values(ERROR_EXAMPLES),
  ]
  expect(found.map(({ example }) => JSON.stringify(example)).toSorted()).toEqual(
    all.map((example) => JSON.stringify(example)).toSorted(),
  )
  for (const { schema, example } of found)
    expect({ example, issues: z.safeParse(parserOf(schema), example).error?.issues }).toEqual({
      example,
      issues: undefined,
    })
})

test('the contract accepts every example of a body', () => {
  const parsed = endpoints.flatMap((endpoint) => {
    const { body } = EXAMPLES[callNameOf(endpoint)] ?? {}
    return body === undefined ? [] : [{ body, issues: endpoint.route.body?.safeParse(body).error?.issues }]
  })
  expect(parsed.length).toBeGreaterThan(4)
  expect(parsed.filter(({ issues }) => issues)).toEqual([])
})
