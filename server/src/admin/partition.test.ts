import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keepPartitions, partition, PARTITIONED } from '#database/partitions.ts'
import { firstIdAt } from '#lib/ids.ts'
import { placesOfFile } from '#test/instances.ts'
import { everyRow, fillCatalogue, inside, operator, restoreInto } from '#test/operator.ts'
import { postgres } from '#test/postgres.ts'

const aPlace = placesOfFile()
const DAY_MS = 24 * 60 * 60 * 1000

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
