import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keepPartitions, partition, PARTITIONED } from '#database/partitions.ts'
import { DAY_MS } from '#lib/clock.ts'
import { firstIdAt } from '#lib/ids.ts'
import { placesOfFile } from '#test/instances.ts'
import { everyRow, fillCatalogue, inside, operator, restoreInto } from '#test/operator.ts'
import { postgres } from '#test/postgres.ts'

const aPlace = placesOfFile()

test.runIf(postgres)(
  'removes a constraint left by a killed command before it rejects rows, but not too early',
  async () => {
    const place = await aPlace()
    await fillCatalogue(place)
    const bounds = () => place.sql(`SELECT 1 FROM "pg_constraint" WHERE "conname" = 'history_before'`)
    const end = firstIdAt(Date.now() + 30 * DAY_MS)
    await place.sql(`ALTER TABLE "history" ADD CONSTRAINT "history_before" CHECK ("_id" < '${end}') NOT VALID`)
    await inside(place, () => keepPartitions())
    expect(await bounds()).toHaveLength(1)
    await inside(place, () => keepPartitions(Date.now() + 20 * DAY_MS))
    expect(await bounds()).toHaveLength(0)
  },
)

test('the command reports the tables, and a backup of partitions can be restored into plain tables', async () => {
  const place = await aPlace()
  await fillCatalogue(place)
  const said = await operator(place, ['partition'])
  if (!postgres) {
    expect(said).toEqual({
      code: 1,
      output: '',
      errors: 'Only PostgreSQL has partitions. The embedded database needs none.',
    })
    return
  }
  expect(said).toEqual({ code: 0, output: `Partitioned by month: ${PARTITIONED.join(', ')}`, errors: '' })
  expect((await operator(place, ['verify', '--files'])).output).toMatch(/No problems found$/)
  const backup = join(place.folder, '../backup')
  expect((await operator(place, ['backup', backup])).errors).toBe('')
  const rowsBefore = await everyRow(place)
  const plain = await aPlace()
  expect((await restoreInto(plain, backup)).errors).toBe('')
  const { revisions, history, activities } = await everyRow(plain)
  expect({ revisions, history, activities }).toEqual({
    revisions: rowsBefore.revisions,
    history: rowsBefore.history,
    activities: rowsBefore.activities,
  })
  // Also into a database that only has partitioned tables.
  const divided = await aPlace()
  await inside(divided, () => partition())
  expect((await restoreInto(divided, backup)).errors).toBe('')
  expect((await everyRow(divided)).revisions).toEqual(rowsBefore.revisions)
  expect((await operator(divided, ['verify'])).output).toMatch(/No problems found$/)
})

test.runIf(postgres)('partitions tables that are in a schema with an odd name', async () => {
  const place = await aPlace()
  const [{ name } = {}] = await place.sql('SELECT current_database() AS "name"')
  await place.sql('CREATE SCHEMA "My Shop"', `ALTER DATABASE "${String(name)}" SET search_path = "My Shop"`)
  await fillCatalogue(place)
  expect(await operator(place, ['partition'])).toMatchObject({ code: 0, errors: '' })
  expect((await operator(place, ['verify'])).output).toMatch(/No problems found$/)
  const parts = await place.sql(`SELECT "tgrelid"::regclass::text AS "part" FROM "pg_trigger"
    WHERE "tgname" = 'audit_untruncated' AND "tgrelid" IN (SELECT "inhrelid" FROM "pg_inherits")`)
  expect(parts.map(({ part }) => part)).toContain('partitions.audit_later')
})

test.runIf(postgres)(
  'refuses to partition where another catalogue has its partitions, or without a schema',
  async () => {
    const place = await aPlace()
    const [{ name } = {}] = await place.sql('SELECT current_database() AS "name"')
    const role = String(name)
    await place.sql(
      `CREATE ROLE "${role}" LOGIN`,
      `CREATE SCHEMA "${role}" AUTHORIZATION "${role}"`,
      'CREATE SCHEMA "partitions"',
      'CREATE TABLE "partitions"."audit_later" ()',
    )
    const url = Object.assign(new URL(place.url ?? ''), { username: role }).href
    const limited = { ...place, url, env: { ...place.env, DATABASE_URL: url } }
    await fillCatalogue(limited)
    const refused = async () => (await operator(limited, ['partition'])).errors
    expect(await refused()).toBe(
      'The schema partitions has the partitions of another catalogue: one database has room for one.',
    )
    await place.sql('DROP SCHEMA "partitions" CASCADE')
    expect(await refused()).toBe(
      'The user in DATABASE_URL may not create the schema partitions. Create it: CREATE SCHEMA partitions AUTHORIZATION ….',
    )
    await place.sql(`CREATE SCHEMA "partitions" AUTHORIZATION "${role}"`)
    expect(await operator(limited, ['partition'])).toMatchObject({ code: 0, errors: '' })
    await place.sql(`DROP OWNED BY "${role}" CASCADE`, `DROP ROLE "${role}"`)
  },
)
