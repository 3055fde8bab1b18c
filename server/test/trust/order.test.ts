import type { Route } from '@mokuroku/contract/route'
import { beforeAll, describe, expect, test } from 'vitest'
import { withApp } from '#test/app.ts'
import { nameOf, routes } from '#test/contract.ts'
import { CALLS, type Given } from './calls.ts'
import { everybody, type People, type Person, type Who } from './people.ts'
import { ask } from './rawClient.ts'
import { RULES } from './rules.ts'

withApp()

let people: People
beforeAll(async () => {
  people = await everybody()
})

/** Routes whose input says what the call is about: only who may do it to nothing at all is refused first. */
const ABOUT_INPUT = /\/(bulk|replace|dismiss|claim|unused\/restore|imports)$/
const MAY_NOTHING = new Set<Who>(['nobody', 'deactivated', 'user', 'bareOwner'])
/** One of these that anybody may ask to do nothing. */
const ROLLBACK = 'POST /api/translation-history/rollback'
const SIGNED_OUT = new Set<Who>(['nobody', 'deactivated'])

/** Users who may not make a call about an entity of `owner`. */
function refusedBy(route: Route, owner: Person): Person[] {
  const name = nameOf(route)
  const rule = RULES[name]
  const who = Object.values(people)
    .filter((person) => (person.who === 'bareOwner') === (owner.who === 'bareOwner'))
    .filter((person) => !rule?.may.includes(person.who))
  if (name === ROLLBACK) return who.filter((person) => SIGNED_OUT.has(person.who))
  return ABOUT_INPUT.test(name) ? who.filter((person) => MAY_NOTHING.has(person.who)) : who
}

/** A call of a route in which something is wrong with the input, and further headers. */
function invalidCalls(route: Route, call: Given): [what: string, call: Given, headers: object][] {
  const calls: [string, Given, object][] = []
  if (route.body) calls.push(['an invalid body', { ...call, body: 'x' }, {}])
  if (route.body) calls.push(['an unknown type', { ...call, body: 'x' }, { 'content-type': 'text/plain' }])
  if (route.query) calls.push(['an unknown parameter', { ...call, query: { ...call.query, nonsense: 1 } }, {}])
  if (route.versioned) calls.push(['an invalid version', call, { 'if-match': 'x' }])
  if (route.upload) calls.push(['no file', { path: call.path ?? {}, body: {} }, {}])
  return calls
}

/** Users who may make a call about an entity of `owner`. */
const allowed = (route: Route, owner: Person): Person[] =>
  Object.values(people)
    .filter((person) => (person.who === 'bareOwner') === (owner.who === 'bareOwner'))
    .filter((person) => RULES[nameOf(route)]?.may.includes(person.who))

describe('class 3: what is wrong with the input is told to those, and only to those, who may make the call', () => {
  test.each([...routes])('%s', async (name, route) => {
    const answered: string[] = []
    for (const owner of [people.owner, people.bareOwner]) {
      const call = (await CALLS[name]?.(owner, owner)) ?? {}
      for (const [what, given, headers] of invalidCalls(route, call)) {
        const statusFor = async (person: Person) => (await ask(route, given, { ...person, headers })).status
        for (const person of refusedBy(route, owner)) {
          const status = await statusFor(person)
          if (![401, 403, 404].includes(status)) answered.push(`${person.who}, ${what}: ${status}`)
        }
        for (const person of route.upload ? [] : allowed(route, owner)) {
          const status = await statusFor(person)
          if (status !== 400 && status !== 415) answered.push(`${person.who} may, ${what}: ${status}`)
        }
      }
    }
    expect(answered).toEqual([])
  })

  test.each([...routes].filter(([, { path, body }]) => path.includes(':') && body))(
    '%s with a NUL in its path, and no JSON',
    async (name, route) => {
      const { path = {} } = (await CALLS[name]?.(people.owner, people.owner)) ?? {}
      const given = { path: Object.fromEntries(Object.keys(path).map((part) => [part, 'a\0b'])), body: 'x' }
      const { status } = await ask(route, given, { ...people.owner, headers: { 'content-type': 'text/plain' } })
      expect(status).toBeLessThan(500)
    },
  )
})
