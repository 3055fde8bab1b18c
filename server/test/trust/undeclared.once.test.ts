// Parts of a request that the contract does not have: they may not be ignored, as the caller expects an effect of them.
import { authApi } from '@mokuroku/contract/auth'
import { beforeAll, expect, test } from 'vitest'
import { withReferences } from '#test/ai.ts'
import { withApp } from '#test/app.ts'
import { routes } from '#test/contract.ts'
import { CALLS } from './calls.ts'
import { everybody, type People } from './people.ts'
import { ask } from './rawClient.ts'
import { RULES } from './rules.ts'

withApp()
withReferences()

let people: People
beforeAll(async () => {
  people = await everybody()
})

/** A valid call of a route, by someone who may make it. */
async function validCall(name: string) {
  const person = RULES[name]?.may.includes('admin') ? people.admin : people.owner
  const call = (await CALLS[name]?.(people.owner, person)) ?? {}
  return { call, person: { ...person, token: call.token ?? person.token } }
}

test.each([...routes])('%s refuses a parameter that it does not have', async (name, route) => {
  const { call, person } = await validCall(name)
  const { status, body } = await ask(route, { ...call, query: { ...call.query, undeclared: '1' } }, person)
  expect({ status, body }).toMatchObject({ status: 400, body: { errors: [{ path: 'undeclared', code: 'unknown' }] } })
})

const bodiless = [...routes].filter(([, route]) => route.method !== 'GET' && !route.body && !route.upload)

test.each(bodiless)('%s refuses a body, and ignores an empty object', async (name, route) => {
  const { call, person } = await validCall(name)
  const refused = await ask(route, { ...call, body: { undeclared: 1 } }, person)
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'undeclared', code: 'unknown' }] } })
  expect((await ask(route, { ...call, body: {} }, person)).status).toBe(route.status ?? 200)
})

const withoutFile = [...routes].filter(([, route]) => route.method !== 'GET' && !route.upload)

test.each(withoutFile)('%s refuses a file, in a form or as its body', async (name, route) => {
  const { call, person } = await validCall(name)
  for (const field of ['file', 'part'] as const) {
    const refused = await ask(route, { ...call, file: { field, content: Buffer.from('{}') } }, person)
    expect(refused).toMatchObject({ status: 415, body: { code: 'mediaType' } })
  }
})

test.each([
  ['application/json', { 'content-length': '0' }],
  ['application/json', {}],
  ['application/x-www-form-urlencoded', { 'content-length': '0' }],
  ['no type', { 'content-length': '0' }],
])('no body is none, whatever type is sent with it: %s with %o', async (type, length) => {
  const { call, person } = await validCall('POST /api/auth/logout')
  const headers = { 'content-type': type, ...length }
  expect(await ask(authApi.logout, call, { ...person, headers })).toMatchObject({ status: 200 })
})
