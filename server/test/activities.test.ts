import { ACTIVITY_TYPES, dashboardApi } from '@mokuroku/contract/dashboard'
import { mediaApi } from '@mokuroku/contract/media'
import { trashApi } from '@mokuroku/contract/trash'
import { expect, test } from 'vitest'
import { now } from '#lib/clock.ts'
import { db, transaction } from '#database/db.ts'
import { purge } from '#ledger/purge.ts'
import { definitionOf } from '#ledger/registry.ts'
import { removeIn, restoreIn, updateIn } from '#ledger/write.ts'
import { trashUnused, restoreUnused } from '../src/assets/unused.ts'
import { app, signedIn, withApp } from './app.ts'
import { aMedia, title } from './factories.ts'
import { KIND_SAMPLES, MANY_KINDS } from '#test/kinds.ts'
import { anEntity } from './trust/entities.ts'

withApp()

test('finds the activities of every kind of write by their type', async () => {
  const admin = await signedIn()
  const context = { actor: admin.actor }
  const owner = { who: 'admin' as const, address: '', ...admin }
  for (const kind of MANY_KINDS) {
    const { change, texts } = KIND_SAMPLES[kind]
    const definition = definitionOf(kind)
    const id = await anEntity(kind, owner)
    await transaction((tx) => updateIn(definition, tx, id, change, context))
    if (texts) await transaction((tx) => updateIn(definition, tx, id, texts, context))
    await transaction((tx) => removeIn(definition, tx, id, context))
    await transaction((tx) => restoreIn(definition, tx, id, context))
    await transaction((tx) => removeIn(definition, tx, id, context))
    expect(await purge(kind, id, context)).toBe(true)
  }
  await anEntity('Asset', owner)
  const { batch } = await trashUnused({ until: now() }, admin.actor)
  await restoreUnused(batch, admin.actor)

  const written = (await db.selectFrom('activities').select('type').distinct().execute()).map(({ type }) => type)
  // Only the sample catalogue is imported, and it has its own test.
  expect(written.toSorted()).toEqual(ACTIVITY_TYPES.filter((type) => type !== 'CATALOGUE_IMPORTED').toSorted())
  for (const type of ACTIVITY_TYPES) {
    const found = await admin.call(dashboardApi.activities, { query: { type, limit: 100 } })
    expect(new Set(found.map((each) => each.type))).toEqual(new Set(written.includes(type) ? [type] : []))
  }
})

test.each([
  ['こころ', 'Kokoro', '心', 'Kokoro'],
  ['こころ', '', '心', 'こころ'],
  ['', '', '心', '心'],
  ['', '', '', 'Original'],
])(
  'activities and the trash name an entity in English, else in any language, else by its original title: %j, %j, %j',
  async (ja, en, zh, shown) => {
    const { actor, call } = await signedIn()
    const translations = { ja: title(ja), en: title(en), zh: title(zh) }
    const { _id: id } = await aMedia({ translations, originalTitle: 'Original' }, { actor })
    const [activity] = await call(dashboardApi.activities, { query: { type: 'MEDIA_CREATED', limit: 1 } })
    expect(activity).toMatchObject({ entityId: id, title: shown, description: `Media created: ${shown}` })
    await call(mediaApi.remove, { id })
    expect((await call(trashApi.list, { query: { limit: 1 } })).data).toMatchObject([{ _id: id, title: shown }])
  },
)

test('rejects a filter by an unknown activity type', async () => {
  const { token } = await signedIn()
  const { statusCode } = await app.inject({
    url: '/api/activities?type=SETTING_UPDATED',
    headers: { authorization: `Bearer ${token}` },
  })
  expect(statusCode).toBe(400)
})
