// Who wrote what can be found out afterwards: by a revision, or by an entry of the audit log.
import { pathOf, TRANSLATED_KINDS } from '@mokuroku/contract/kinds'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { hashPassword } from '#access/password.ts'
import { startSession } from '#access/session.ts'
import { db } from '#database/db.ts'
import { TABLES } from '#database/tables.ts'
import { withReferences } from '#test/ai.ts'
import { idle, withApp } from '#test/app.ts'
import { routes } from '#test/contract.ts'
import { aMedia } from '#test/factories.ts'
import { CALLS, PASSWORD } from './calls.ts'
import { everybody, type People } from './people.ts'
import { ask } from './rawClient.ts'
import { RULES } from './rules.ts'

withApp()
withReferences()

/** Calls that write nothing, or only what is the caller's own and no part of the catalogue yet. */
const UNRECORDED = new Set([
  ...TRANSLATED_KINDS.flatMap((kind) => [`POST ${pathOf(kind)}/duplicates`, `POST ${pathOf(kind)}/export`]),
  'POST /api/ai/match-characters',
  'POST /api/assets/:id/retry',
  'POST /api/uploads',
  'DELETE /api/uploads/:id',
  'PUT /api/auth/preferences',
  'POST /api/imports',
  'PUT /api/imports/:id/mapping',
  'PUT /api/imports/:id/cells',
  'DELETE /api/imports/:id',
  'POST /api/notifications/read',
  'POST /api/score-permissions/preview',
  'POST /api/work/claim',
  'POST /api/work/release',
])

let people: People
let passwordHash: string
beforeAll(async () => {
  people = await everybody()
  passwordHash = await hashPassword(PASSWORD)
})
// The test before may have changed the password.
beforeEach(async () => {
  await db.updateTable('users').set({ passwordHash }).where('email', '!=', 'admin@example.org').execute()
  await aMedia({ translations: { pt: { title: 'To be folded', description: '' } } })
})

const countOf = async (table: 'revisions' | 'audit'): Promise<number> =>
  (
    await db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('rows'))
      .executeTakeFirstOrThrow()
  ).rows

/** The number of rows of each kind of entity, and the sum of their versions. */
async function entities(): Promise<unknown> {
  const columns = Object.values(TABLES).flatMap((table) => [
    sql`(SELECT COUNT(*) FROM ${sql.table(table)}) AS ${sql.ref(table)}`,
    sql`(SELECT SUM("version") FROM ${sql.table(table)}) AS ${sql.ref(`${table} versions`)}`,
  ])
  return (await sql`SELECT ${sql.join(columns)}`.execute(db)).rows
}

test('every call that is not recorded exists', () => {
  expect([...UNRECORDED].filter((name) => !routes.has(name))).toEqual([])
})

test.each([...routes].filter(([, { method }]) => method !== 'GET'))('%s is recorded', async (name, route) => {
  const person = RULES[name]?.may.includes('admin') ? people.admin : people.owner
  const call = (await CALLS[name]?.(people.owner, person)) ?? {}
  if (name === 'DELETE /api/auth/sessions') {
    const account = db.selectFrom('users').selectAll().where('_id', '=', person.user._id)
    await startSession(await account.executeTakeFirstOrThrow(), { address: '127.0.0.1', userAgent: 'test' })
  }
  await idle()
  const [revisions, entries, before] = [await countOf('revisions'), await countOf('audit'), await entities()]
  const { status } = await ask(route, call, { ...person, token: call.token ?? person.token })
  expect(status).toBeLessThan(300)
  await idle()
  const written = (await countOf('revisions')) - revisions + (await countOf('audit')) - entries
  if (UNRECORDED.has(name)) expect({ written, entities: await entities() }).toEqual({ written: 0, entities: before })
  else expect(written).toBeGreaterThan(0)
})
