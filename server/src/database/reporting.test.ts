import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { now } from '#lib/clock.ts'
import { SYSTEM } from '#access/permissions.ts'
import { operatorRan } from '../admin/record.ts'
import { backgroundDone } from '#lib/background.ts'
import { audit } from '#store/audit'
import { media } from '#store/media'
import { app, signedIn, withApp } from '#test/app.ts'
import { COUNTERS } from '#test/counters.ts'
import { aCharacter, aMedia, aRating, aTag, aUser, mediaInput } from '#test/factories.ts'
import { aPicture, send } from '#test/files.ts'
import { postgres } from '#test/postgres.ts'
import { mediaApi } from '@mokuroku/contract/media'
import { usersApi } from '@mokuroku/contract/users'
import { typeOf } from './columns.ts'
import { db } from './db.ts'
import { schemaOf, tablesIn } from './migrate.ts'
import { refreshReporting, REPORTED } from './reporting.ts'

withApp()

/** Tables without a view: about people or this server, or derived. A new table belongs here or in `REPORTED`. */
const UNREPORTED =
  `sessions resets usernames settings preferences views notifications inboxes reservations presence uploads uploadParts slots
  uploadCounts commentCounts writeCounts removals aiRuns auditHead migrations instances limits jobs imports importParts importRows importPlans
  importKeys importMappings creations counterShards labels titleKeys duplicatePairs assetFlags findingsProgress`.split(
    /\s+/,
  )
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const columnsIn = async (schema: string) =>
  (
    await sql<{ table: string; name: string; type: string }>`
      SELECT "table_name" AS "table", "column_name" AS "name", "data_type" AS "type"
      FROM "information_schema"."columns" WHERE "table_schema" = ${schema}`.execute(db)
  ).rows

const rowsOf = async (name: string) =>
  (await sql<Record<string, unknown>>`SELECT * FROM ${sql.raw(name)} ORDER BY 1, 2`.execute(db)).rows

test.runIf(postgres)('every table has a reporting view or is listed as having none', async () => {
  const tables = await tablesIn(schemaOf(db, 'postgres'))
  expect(tables.toSorted()).toEqual([...REPORTED, ...UNREPORTED].toSorted())
  // Consumers of logical replication identify rows by the primary key.
  const keys = await sql<{ table: string }>`SELECT "table_name" AS "table"
    FROM "information_schema"."table_constraints" WHERE "constraint_type" = 'PRIMARY KEY'`.execute(db)
  expect(keys.rows.map(({ table }) => table)).toEqual(expect.arrayContaining(REPORTED.map(String)))
})

test.runIf(postgres)('views have every column except secrets and contact data, with its proper type', async () => {
  const { call } = await signedIn()
  const { _id: id } = await aMedia({ characters: [await aCharacter()], tags: [await aTag()] })
  await call(mediaApi.update, { id, body: mediaInput({ isOngoing: true }) })
  await aRating(id, 7)
  await db.updateTable('users').set({ lastLogin: now() }).execute()
  const [columns, shown] = [await columnsIn('public'), await columnsIn('reporting')]
  for (const table of REPORTED) {
    const types = new Map(shown.filter((each) => each.table === table).map(({ name, type }) => [name, type]))
    const left = columns.filter((each) => each.table === table && !types.has(each.name)).map(({ name }) => name)
    expect({ table, left }).toEqual({ table, left: expect.any(Array) })
    for (const name of left) expect(name).toMatch(/hash$|key$|email|address|userAgent|password/i)
    const [stored, reported] = [
      await rowsOf(table === 'counters' ? `(${COUNTERS}) AS "all"` : `"${table}"`),
      await rowsOf(`"reporting"."${table}"`),
    ]
    expect(reported).toHaveLength(stored.length)
    for (const [name, type] of types) {
      const held = typeOf(table, name)
      if (held !== 'plain')
        expect(`${table}.${name} ${type}`).toBe(`${table}.${name} ${held === 'json' ? 'jsonb' : held}`)
      const texts = stored.map((row) => row[name]).filter((value) => typeof value === 'string' && value !== '')
      const areMoments = texts.length > 0 && texts.every((text) => ISO.test(String(text)))
      if (areMoments) expect(`${table}.${name} ${type}`).toBe(`${table}.${name} timestamp with time zone`)
      if (type !== 'timestamp with time zone') continue
      const moments = reported.map((row) => row[name]).filter((value) => value !== null)
      expect(moments.map((moment) => (moment as Date).toISOString()).toSorted()).toEqual((texts as string[]).toSorted())
    }
  }
  const names = shown.map(({ name }) => name).join(' ')
  expect(names).not.toMatch(/passwordHash|email|userAgent|address|storageKey/)
  expect(await rowsOf('"reporting"."media"')).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        _id: id,
        isOngoing: true,
        translations: expect.objectContaining({ en: expect.anything() }),
      }),
    ]),
  )
})

test.runIf(postgres)('documents and the audit log show no secrets or contact data either', async () => {
  const { call, token } = await signedIn()
  const email = 'unpublished@private.example'
  const { _id: userId } = await aUser({ email })
  await call(usersApi.update, { id: userId, body: { email: `2.${email}`, scores: 3 } })
  await app.inject({ method: 'POST', url: '/api/auth/login', payload: { email, password: 'not this one' } })
  await audit.recordNow(operatorRan('password', email))
  const { _id: assetId } = (await send(await aPicture(20, 30), 'a picture.png', { token })).body
  const { storageKey, contentHash } = await db
    .selectFrom('assets')
    .select(['storageKey', 'contentHash'])
    .where('_id', '=', assetId)
    .executeTakeFirstOrThrow()
  await backgroundDone()
  const isSecret = (row: unknown) => [email, storageKey, contentHash].some((each) => JSON.stringify(row).includes(each))
  const holding = async (schema: string) => {
    const rows = await Promise.all(REPORTED.map((table) => rowsOf(`"${schema}"."${table}"`)))
    return REPORTED.filter((_, at) => rows[at]?.some(isSecret))
  }
  expect(await holding('public')).toEqual(['assets', 'audit', 'revisions', 'users'])
  expect(await holding('reporting')).toEqual([])
  const revisions = await rowsOf('"reporting"."revisions"')
  const ofUser = revisions.find(({ entityId, version }) => entityId === userId && version === 2)
  expect(ofUser?.snapshot).toMatchObject({ scores: 3, role: 'user' })
})

test.runIf(postgres)('shows JSON that jsonb cannot hold as text, and an invalid timestamp as null', async () => {
  const id = await media.create(mediaInput(), { actor: SYSTEM })
  await sql`UPDATE "media" SET "translations" = ${'{"en":"\\u0000"}'}, "releaseDate" = 'soon' WHERE "_id" = ${id}`.execute(
    db,
  )
  onTestFinished(async () => void (await sql`DELETE FROM "media" WHERE "_id" = ${id}`.execute(db)))
  const found = (await rowsOf('"reporting"."media"')).find(({ _id }) => _id === id)
  expect(found).toMatchObject({ translations: '{"en":"\\u0000"}', releaseDate: null })
})

test.runIf(postgres)('shows dates of the first and of the last year', async () => {
  const dates = ['0000-06-30T00:00:00.000Z', '9999-12-31T23:59:59.999Z']
  for (const releaseDate of dates) await aMedia({ releaseDate })
  const found = await rowsOf('"reporting"."media"')
  const moments = found.map(({ releaseDate }) => (releaseDate as Date).toISOString())
  expect(moments).toEqual(expect.arrayContaining(dates))
})

test.runIf(postgres)('views can be read by queries that PostgreSQL could run in parallel', async () => {
  await aMedia()
  await sql`ANALYZE "media"`.execute(db)
  const counted = await db.transaction().execute(async (tx) => {
    for (const cost of ['parallel_setup_cost', 'parallel_tuple_cost', 'min_parallel_table_scan_size'])
      await sql.raw(`SET LOCAL ${cost} = 0`).execute(tx)
    return sql<{ n: number }>`SELECT count(*)::int AS "n" FROM "reporting"."media"
      WHERE "createdAt" > '2000-01-01' AND "translations" <> 'null'`.execute(tx)
  })
  expect(counted.rows[0]?.n).toBe((await rowsOf('"media"')).length)
})

test.runIf(postgres)(
  'recreates outdated views, without waiting long for locks or replacing a foreign schema',
  async () => {
    const idOf = async () =>
      (await sql<{ id: number }>`SELECT '"reporting"."media"'::regclass::oid::int AS "id"`.execute(db)).rows[0]?.id
    const first = await idOf()
    await refreshReporting(db)
    expect(await idOf()).toBe(first)

    await sql`COMMENT ON SCHEMA "reporting" IS 'Mokuroku, another version'`.execute(db)
    const lines: string[] = []
    await db.transaction().execute(async (tx) => {
      await sql`SELECT count(*) FROM "reporting"."media"`.execute(tx)
      await refreshReporting(db, (line) => void lines.push(line))
    })
    expect(lines).toEqual([expect.stringMatching(/^Could not create the reporting views \(.*lock timeout\)/)])
    expect(await idOf()).toBe(first)
    await refreshReporting(db)
    const second = await idOf()
    expect(second).not.toBe(first)

    await sql`COMMENT ON SCHEMA "reporting" IS 'of somebody else'`.execute(db)
    await refreshReporting(db, (line) => void lines.push(line))
    expect(lines[1]).toMatch(/the schema reporting was not created by Mokuroku/)
    expect(await idOf()).toBe(second)
  },
)
