import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { setDeltasSupported, areDeltasSupported, DELTAS } from '#database/formats.ts'
import { db } from '#database/db.ts'
import { updateSupportedFormats } from '#database/instances.ts'
import { restoreRevision } from '../revisions/restore.ts'
import { revisions as check } from '../admin/checks/ledger.ts'
import { sql } from 'kysely'
import { SYSTEM } from '#access/permissions.ts'
import { now } from '#lib/clock.ts'
import { media } from '#store/media'
import { tags as tagStore } from '#store/tags'
import { revisions } from '#store/revisions'
import { withApp } from '#test/app.ts'
import { aCharacter, aTag, mediaInput, title } from '#test/factories.ts'

withApp()

const context = { actor: SYSTEM }

/** How each version of an entity is stored and read, the first one first. */
async function versionsOf(entityId: string) {
  const rows = await db
    .selectFrom('revisions')
    .select(['_id', 'delta'])
    .where('entityId', '=', entityId)
    .orderBy('version')
    .execute()
  return Promise.all(
    rows.map(async ({ _id, delta }) => ({
      _id,
      isDelta: delta !== undefined,
      text: JSON.stringify((await revisions.find(_id))?.snapshot),
    })),
  )
}

test('every version reads the same whether stored as a delta or in full, and can be restored', async () => {
  const tags = await Promise.all([aTag(), aTag(), aTag()])
  const characters = await Promise.all([aCharacter(), aCharacter(), aCharacter()])
  const text = fc.constantFrom('', 'Kokoro', 'こころ', '"\\\n', '\u2028', 'L'.repeat(3000))
  const edits = fc.sample(
    fc.record({
      translations: fc.dictionary(
        fc.constantFrom('en', 'ja', 'zh', 'fr', 'de', 'pt-BR'),
        fc.record({ title: fc.constantFrom('One', '二', 'Trois'), description: text }),
        { minKeys: 1 },
      ),
      tags: fc.shuffledSubarray(tags),
      characters: fc.shuffledSubarray(characters),
      isOngoing: fc.boolean(),
      episodes: fc.constantFrom(undefined, 1, 12),
    }),
    70,
  )
  // Whatever was generated, the last edit differs little from the one before.
  const long = {
    tags,
    characters,
    isOngoing: false,
    translations: { en: { title: 'One' as const, description: 'L'.repeat(3000) } },
  }
  edits.push({ ...long, episodes: 1 }, { ...long, episodes: 12 })
  const written: string[][] = []
  for (const isDelta of [true, false]) {
    setDeltasSupported(isDelta)
    const id = await media.create(mediaInput({ translations: { en: title('Zero') } }), context)
    for (const edit of edits) await media.update(id, mediaInput(edit), context)
    const versions = await versionsOf(id)
    written.push(versions.map((each) => each.text))
    expect(versions.some((each) => each.isDelta)).toBe(isDelta)
    if (!isDelta) continue
    const runs = versions.map((each) => (each.isDelta ? 'd' : 'w')).join('')
    expect(runs).not.toContain('d'.repeat(20))
    for (const [at, { _id, text: before }] of versions.entries()) {
      if (at % 9 > 0) continue
      const found = await revisions.find(_id)
      await restoreRevision({ entityType: 'Media', entityId: id, snapshot: found?.snapshot ?? {} }, {}, SYSTEM)
      const restored = (await versionsOf(id)).at(-1)?.text ?? ''
      expect(JSON.parse(restored)).toEqual(JSON.parse(before))
    }
    const after = await versionsOf(id)
    expect(after.slice(0, versions.length)).toEqual(versions)
  }
  setDeltasSupported(true)
  expect(written[0]).toEqual(written[1])
  const issues = []
  for await (const issue of check.run()) issues.push(issue)
  expect(issues).toEqual([])
})

test('an edit of one text stores only that change, however many languages there are', async () => {
  const languages = ['en', 'ja', 'zh', 'fr', 'de', 'es', 'it', 'ko', 'pt', 'ru']
  const translations = Object.fromEntries(languages.map((language) => [language, title(language, 'x'.repeat(300))]))
  const id = await media.create(mediaInput({ translations, episodes: 12 }), context)
  // The first update after the creation also stores the order of the fields.
  await media.update(id, mediaInput({ translations, episodes: 12, isOngoing: true }), context)
  await media.update(
    id,
    mediaInput({
      episodes: 12,
      isOngoing: true,
      translations: { ...translations, ja: title('新しい', 'x'.repeat(300)) },
    }),
    context,
  )
  const row = await db
    .selectFrom('revisions')
    .select(['snapshot', 'delta'])
    .where('entityId', '=', id)
    .where('version', '=', 3)
    .executeTakeFirstOrThrow()
  expect(row).toEqual({ delta: { in: { translations: { in: { ja: { set: { title: '新しい' } } } } } } })
})

test.runIf(process.env.ENGINE === 'postgres')(
  'stores no deltas while a server that cannot read them is running',
  async () => {
    onTestFinished(() => setDeltasSupported(true))
    const older = {
      _id: 'older',
      place: 'elsewhere',
      host: 'older',
      version: '0.0.9',
      schema: '036-job-traces.sql',
      secret: '',
      storage: '',
      startedAt: '2020',
      seenAt: now(),
      readsReplicas: 0,
    }
    const isAdditive = async () =>
      (await sql<{ isAdditive: number }>`SELECT "isAdditive" FROM "migrations" WHERE "name" = ${DELTAS}`.execute(db))
        .rows
    await db.insertInto('instances').values(older).execute()
    await updateSupportedFormats(0)
    expect(areDeltasSupported()).toBe(false)
    const id = await media.create(mediaInput({ translations: { en: title('One') } }), context)
    await media.update(id, mediaInput({ translations: { en: title('Two') } }), context)
    expect((await versionsOf(id)).map(({ isDelta }) => isDelta)).toEqual([false, false])
    expect(await isAdditive()).toEqual([{ isAdditive: 1 }])

    await db.deleteFrom('instances').execute()
    // A server that was just starting may still join.
    await updateSupportedFormats(60_000)
    expect(areDeltasSupported()).toBe(false)
    expect(await isAdditive()).toEqual([{ isAdditive: 0 }])
    await updateSupportedFormats(0)
    expect(areDeltasSupported()).toBe(true)
  },
)

test('a damaged delta makes its version unreadable, and the entity can still be saved and read', async () => {
  setDeltasSupported(true)
  const texts = { name: 'Slow life', description: 'Nothing much happens. '.repeat(20) }
  const tag = await aTag({ translations: { en: texts } })
  for (const color of ['#123456', '#654321']) await tagStore.update(tag, { color }, context)
  const damaged = { delta: { in: { icon: { cut: [] } } } }
  await db.updateTable('revisions').set(damaged).where('entityId', '=', tag).where('version', '=', 3).execute()
  await tagStore.update(tag, { color: '#000000' }, context)
  const versions = await versionsOf(tag)
  expect(versions.map(({ text, isDelta }) => [text !== undefined, isDelta])).toEqual([
    [true, false],
    [true, true],
    [false, true],
    [true, false],
  ])
})
