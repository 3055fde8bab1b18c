import { expect, test } from 'vitest'
import { newId } from '#lib/ids.ts'
import { app, signedIn, withApp } from '#test/app.ts'
import { routes } from '#test/contract.ts'

withApp()

/** Lists, which are empty for an unknown id. */
const LISTS = ['GET /api/characters/media/:id', 'GET /api/ratings/media/:id']

const asked = [...routes].filter(
  ([name, { method, path }]) => method === 'GET' && /\/:\w*id\b/i.test(path) && !LISTS.includes(name),
)

test('covers every route that reads by id', () => {
  expect(asked.length).toBeGreaterThan(20)
  expect(LISTS.filter((name) => !routes.has(name))).toEqual([])
})

test.each(asked)('%s answers 404 for an unknown id', async (_, { path }) => {
  const { token } = await signedIn()
  const url = path.replaceAll(/:\w+/g, newId())
  const answer = await app.inject({ url, headers: { authorization: `Bearer ${token}` } })
  expect({ status: answer.statusCode, ...answer.json<object>() }).toMatchObject({
    status: 404,
    code: 'notFound',
    message: expect.stringMatching(/^[A-Z][a-z ]+ not found$/) as string,
  })
})
