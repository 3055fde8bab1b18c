// Calls whose caller loses the session or the permissions after the call was admitted, as while its body arrives.
import { Readable } from 'node:stream'
import { pathOf, TRANSLATED_KINDS } from '@mokuroku/contract/kinds'
import type { Route } from '@mokuroku/contract/route'
import { beforeAll, describe, expect, test } from 'vitest'
import { now } from '#lib/clock.ts'
import { hashPassword } from '#access/password.ts'
import { findActor } from '#access/session.ts'
import { db } from '#database/db.ts'
import { parse, parseQuery } from '#http/read.ts'
import { receive } from '#http/receive.ts'
import { signedIn, withApp } from '#test/app.ts'
import { nameOf, routes } from '#test/contract.ts'
import { endpoints } from '../../src/app.ts'
import { CALLS, type Given, PASSWORD } from './calls.ts'
import { everybody, type People, type Person, WHO } from './people.ts'
import { RULES } from './rules.ts'
import { state } from './state.ts'

withApp()

/** Calls that write nothing but the audit log, and one that deletes what it has received (assets/rights.test.ts). */
const EXCEPT = new Set([
  ...TRANSLATED_KINDS.map(pathOf).flatMap((path) => [`POST ${path}/duplicates`, `POST ${path}/export`]),
  'POST /api/score-permissions/preview',
  'POST /api/ai/match-characters',
  'POST /api/audit/verify',
  'POST /api/settings/ai/test',
  'POST /api/settings/mail/test',
  'PATCH /api/uploads/:id',
])

const writes = endpoints
  .filter(({ route }) => route.method !== 'GET' && route.access !== 'public' && !route.stream)
  .map(({ route, handle }) => [nameOf(route), route, handle as (given: object) => unknown] as const)
  .filter(([name]) => !EXCEPT.has(name))

let people: People
let passwordHash: string
beforeAll(async () => {
  people = await everybody()
  passwordHash = await hashPassword(PASSWORD)
})

/** An administrator who makes a call, as of its beginning. */
async function caller(): Promise<Person> {
  const { user, token, call } = await signedIn()
  await db.updateTable('users').set({ passwordHash }).where('_id', '=', user._id).execute()
  const actor = await findActor(`Bearer ${token}`)
  if (!actor) throw new Error('The session did not start')
  return { who: 'admin', address: '127.0.0.1', token, user, actor, call }
}

const isForAdministrators = (name: string) => RULES[name]?.may.includes('admin')
const isForEverybody = (name: string) =>
  WHO.every((who) => who === 'nobody' || who === 'deactivated' || RULES[name]?.may.includes(who))

/** What the server passes on to the handler of a call. */
async function given(name: string, route: Route, by: Person) {
  const { path, query, body, file } = (await CALLS[name]?.(isForAdministrators(name) ? people.owner : by, by)) ?? {}
  return {
    ...path,
    query: route.query && parseQuery(route.query, query ?? {}),
    body: route.body && parse(route.body, body),
    actor: by.actor,
    client: { address: '127.0.0.1', userAgent: 'test' },
    runs: [],
    dropped: [],
    ...(file && { receive: () => receive(carrying(file), file.field, new AbortController().signal) }),
  }
}

const carrying = ({ content, field, fields = {} }: NonNullable<Given['file']>) => ({
  headers: { 'upload-offset': '0' },
  body: Readable.from([content]),
  isMultipart: () => true,
  parts: async function* () {
    yield {
      fieldname: field,
      filename: 'a.png',
      file: Readable.from([content]),
      fields: Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, { value }])),
    }
  },
})

const outcome = async (call: () => unknown): Promise<unknown> => {
  try {
    return await call()
  } catch (error) {
    return { refused: (error as { status?: number }).status ?? error }
  }
}

/** The answer of a call that may do a part of what was asked. */
const NOTHING_DONE = expect.objectContaining({ count: 0 }) as unknown

describe('class 6: a call in progress', () => {
  test('is tried for every route that writes', () => {
    expect([...EXCEPT].filter((name) => !routes.has(name))).toEqual([])
  })

  test.each(writes)('%s writes nothing once the session has ended', async (name, route, handle) => {
    const by = await caller()
    const call = await given(name, route, by)
    // As another server does it.
    const endedAt = now()
    await db.updateTable('sessions').set({ endedAt }).where('userId', '=', by.user._id).execute()
    const before = await state()
    expect([{ refused: 401 }, NOTHING_DONE]).toContainEqual(await outcome(() => handle(call)))
    expect(await state()).toEqual(before)
  })

  test.each(writes.filter(([name]) => isForAdministrators(name) && !isForEverybody(name)))(
    '%s writes nothing once the permission is lost',
    async (name, route, handle) => {
      const by = await caller()
      const call = await given(name, route, by)
      const { scores } = people.bareOwner.user
      await db.updateTable('users').set({ role: 'user', scores }).where('_id', '=', by.user._id).execute()
      const before = await state()
      const refusals = [{ refused: 403 }, { refused: 404 }, NOTHING_DONE]
      expect(refusals).toContainEqual(await outcome(() => handle(call)))
      expect(await state()).toEqual(before)
    },
  )
})
