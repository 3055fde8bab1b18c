import { reasonIn } from '@mokuroku/contract/reasons'
import type { Route } from '@mokuroku/contract/route'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { db, engine } from '#database/db.ts'
import { hashPassword } from '#access/password.ts'
import { withReferences } from '#test/ai.ts'
import { app, withApp } from '#test/app.ts'
import { json, anilistPage, withCatalogues } from '#test/catalogues.ts'
import { nameOf, routes } from '#test/contract.ts'
import { postgres } from '#test/postgres.ts'
import { endpoints } from '../../src/app.ts'
import { ask } from './rawClient.ts'
import { CALLS, type Given, PASSWORD } from './calls.ts'
import { everybody, everybodyLacking, type Grant, noId, type People, type Person, type Who } from './people.ts'
import { BESIDE, type Rule, RULES } from './rules.ts'
import { state } from './state.ts'

withApp()
withReferences()
const catalogues = await withCatalogues()

let people: People
let passwordHash: string
beforeAll(async () => {
  people = await everybody()
  passwordHash = await hashPassword(PASSWORD)
  catalogues.answer({ anilist: json(anilistPage()), kitsu: json({ data: [] }) })
})
// The test before may have changed the password.
beforeEach(async () => {
  await db.updateTable('users').set({ passwordHash }).where('email', '!=', 'admin@example.org').execute()
})

describe('class 1: a second path to the same data', () => {
  test('every route of the contract is served and has a rule, and every rule has a route', () => {
    expect([...routes.keys()].toSorted()).toEqual(endpoints.map(({ route }) => nameOf(route)).toSorted())
    expect(Object.keys(RULES).toSorted()).toEqual([...routes.keys()].toSorted())
  })

  test('serves nothing outside the contract except for known paths', () => {
    const known = new Set([...[...routes.values()].map(({ path }) => path), ...BESIDE])
    expect(mounted().filter((path) => !known.has(path))).toEqual([])
    expect(mounted()).toEqual(expect.arrayContaining(BESIDE))
  })

  test.each([...routes])(
    '%s is open to exactly those whom its rule allows, and others are told why',
    async (name, route) => {
      const rule = RULES[name]
      if (!rule) throw new Error(`There is no rule for ${name}: say in rules.ts who may`)
      for (const owner of [people.owner, people.bareOwner]) {
        const refused = thoseAbout(owner).filter(({ who }) => !rule.may.includes(who))
        if (refused.length > 0) await refuses(route, rule, owner, refused)
      }
      for (const person of callers().filter(({ who }) => rule.may.includes(who))) await letsIn(route, person)
    },
  )
})

// Permissions are decided before any data is read, so one engine is enough.
describe.skipIf(postgres)('class 1: a permission guards what it is for, and nothing else', () => {
  let lacking: Map<Grant, Person>
  beforeAll(async () => void (lacking = await everybodyLacking()))

  test.each([...routes])(
    '%s is open to users who lack one if another allows it, and only to them',
    async (name, route) => {
      const may = RULES[name]?.may ?? []
      const outcomes: Partial<Record<Grant, boolean>> = {}
      const expected: Partial<Record<Grant, boolean>> = {}
      let untouched: Given | undefined
      for (const [grant, person] of lacking) {
        const call = untouched ?? (await given(route, people.owner, person))
        const { status } = await ask(route, call, { ...person, token: call.token ?? person.token })
        outcomes[grant] = status < 300
        expected[grant] = may.some((who) => who !== grant && lacking.has(who as Grant))
        untouched = outcomes[grant] ? undefined : call
      }
      expect(outcomes).toEqual(expected)
    },
  )
})

/** Users for whom the queries differ, depending on who owns the entities and whether that matters. */
const OF_OWN_QUERIES = new Set<Who>(['user', 'owner', 'bareOwner', 'admin'])

/** All users on SQLite. Permissions are decided before any data is read, so on PostgreSQL a few are enough. */
const callers = (): Person[] =>
  Object.values(people).filter(({ who }) => engine === 'sqlite' || OF_OWN_QUERIES.has(who))

/** Who calls about an entity of this owner: everybody for `owner`'s; `bareOwner` only for their own. */
const thoseAbout = (owner: Person): Person[] =>
  callers().filter(({ who }) => (who === 'bareOwner') === (owner.who === 'bareOwner'))

const ownerFor = (person: Person): Person => (person.who === 'bareOwner' ? person : people.owner)

const given = async (route: Route, owner: Person, person: Person) => (await CALLS[nameOf(route)]?.(owner, person)) ?? {}

async function letsIn(route: Route, person: Person): Promise<void> {
  const call = await given(route, ownerFor(person), person)
  const { status, body } = await ask(route, call, { ...person, token: call.token ?? person.token })
  expect({ who: person.who, status, body: status < 300 ? '' : body }).toEqual({
    who: person.who,
    status: route.status ?? 200,
    body: '',
  })
}

async function refuses(route: Route, rule: Rule, owner: Person, refused: Person[]): Promise<void> {
  const call = await given(route, owner, owner)
  const before = await state()
  const outcomes: Partial<Record<Who, unknown>> = {}
  const expected: Partial<Record<Who, unknown>> = {}
  for (const person of refused) {
    outcomes[person.who] = outcomeOf(await ask(route, call, person))
    expected[person.who] = await refusalOf(route, rule, person, call)
    // Where owning the entity does not matter, whether it exists does not either.
    if (!rule.may.includes('owner') && route.path.includes('/:'))
      expect(outcomeOf(await ask(route, { ...call, path: absentIn(route) }, person))).toEqual(expected[person.who])
  }
  expect(outcomes).toEqual(expected)
  expect(await state()).toEqual(before)
}

/** The path of something that does not exist. */
const absentIn = (route: Route): Record<string, string> =>
  Object.fromEntries([...route.path.matchAll(/:(\w+)/g)].map(([, part = '']) => [part, noId()]))

const outcomeOf = ({ status, body }: { status: number; body: unknown }) => {
  const { code, message, count, reason } = body as Record<string, unknown>
  return status < 300 ? { status, count } : { status, code, message, reason: reasonIn(String(reason))?.code }
}

async function refusalOf(
  route: Route,
  { hidden, denial, denials }: Rule,
  person: Person,
  { body }: Given,
): Promise<unknown> {
  if (person.token === undefined || person.who === 'deactivated')
    return { status: 401, code: 'unauthorized', message: 'Please sign in.', reason: undefined }
  // The same as for an entity that does not exist.
  if (hidden && !hidden.includes(person.who)) {
    const answer = outcomeOf(await ask(route, { path: absentIn(route), body }, person))
    expect(answer).toMatchObject({ status: 404 })
    return answer
  }
  const message = 'Access denied. You do not have permission for this action.'
  return { status: 403, code: 'forbidden', message, reason: denials?.[person.who] ?? denial }
}

/** All mounted paths, parsed from the tree that the router prints, with an indentation of four characters per level. */
function mounted(): string[] {
  const paths: string[] = []
  const above: string[] = []
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    const found = /^((?:│ {3}| {4})*)[├└]── (\S*)(?: \((.*)\))?$/.exec(line)
    if (!found) continue
    const [, indent = '', segment = '', methods] = found
    above.splice(indent.length / 4, Infinity, segment)
    if (methods) paths.push(above.join(''))
  }
  return paths
}
