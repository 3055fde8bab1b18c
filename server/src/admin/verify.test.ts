import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { sql } from 'kysely'
import { media } from '#store/media'
import { tags } from '#store/tags'
import { tiers } from '#store/tiers'
import { setDeltasSupported } from '#database/formats.ts'
import { closeDatabase, db, engine, openDatabase, transaction } from '#database/db.ts'
import { addOnce } from '#jobs/queue.ts'
import { SYSTEM } from '#access/permissions.ts'
import { aBucket } from '#test/bucket.ts'
import { aCharacter, aTag } from '#test/factories.ts'
import { moreOf } from '#test/counters.ts'
import { everyRow, fillCatalogue, operator } from '#test/operator.ts'
import { aPlace, type Place } from '#test/instances.ts'
import { startServer } from '#test/process.ts'
import { unlockDataFolder, lockDataFolder } from '#database/folder.ts'
import { openStorage } from '../assets/storage.ts'
import type { Check, Issue } from './checks/check.ts'
import { records } from '../batches/records.ts'
import { relations } from './checks/relations.ts'
import { texts } from './checks/texts.ts'
import { verify } from './verify.ts'

let place: Place
let ids: Awaited<ReturnType<typeof fillCatalogue>>

beforeAll(start)
afterAll(end)

async function start(): Promise<void> {
  place = await aPlace()
  ids = await fillCatalogue(place)
  await openDatabase({ url: place.url, folder: place.folder })
  await openStorage(join(place.folder, 'files'))
}
async function end(): Promise<void> {
  await closeDatabase()
  place.remove()
}
/** After tests that leave more entities, or what cannot be repaired. */
async function startAnew(): Promise<void> {
  await end()
  await start()
}

/** The reported lines, without those of checks that found no problem. */
async function verified(wanted: { repair?: boolean; files?: boolean } = {}) {
  const lines: string[] = []
  const isWell = await verify({ repair: false, files: false, ...wanted }, (line) => void lines.push(line))
  return { isWell, wrong: lines.filter((line) => !line.endsWith(': OK')) }
}

async function issuesOf(check: Check): Promise<Issue[]> {
  const issues: Issue[] = []
  for await (const issue of check.run()) issues.push(issue)
  return issues
}

/** Changes the database directly, bypassing the product. */
async function spoil(...statements: string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

test('reports no problem in an intact catalogue', async () => {
  const before = await everyRow(place)
  expect(await verified({ files: true })).toEqual({ isWell: true, wrong: [] })
  expect(await everyRow(place)).toEqual(before)
})

test('a tier that was stored before there was a permission equals its latest revision', async () => {
  await spoil(
    ...[`"tiers" SET "permissions"`, `"revisions" SET "snapshot"`].map(
      (column) => `UPDATE ${column} = replace(${column.split(' ')[2]}, ',"canUploadVideo":false', '')`,
    ),
  )
  const [tier] = await tiers.rows()
  expect(tier?.permissions.canUploadVideo).toBe(false)
  await db
    .updateTable('tiers')
    .set({ permissions: tier?.permissions as never })
    .where('_id', '=', tier?._id ?? '')
    .execute()
  expect(await verified()).toEqual({ isWell: true, wrong: [] })
})

test('completes a language that lacks a text, without which the entity cannot be read', async () => {
  const translations = { en: { name: 'Slow life' } }
  const { snapshot } = await db
    .selectFrom('revisions')
    .select('snapshot')
    .where('entityId', '=', ids.tag)
    .executeTakeFirstOrThrow()
  const lacking = { snapshot: { ...snapshot, translations } }
  await db.updateTable('revisions').set(lacking).where('entityId', '=', ids.tag).execute()
  await spoil(`UPDATE "tags" SET "translations" = '${JSON.stringify(translations)}' WHERE "_id" = '${ids.tag}'`)
  const line = `texts: 1 problem, 1 repairable: Tag ${ids.tag}: no translations.en.description`
  expect(await verified()).toEqual({ isWell: false, wrong: [line] })
  expect(await verified({ repair: true })).toMatchObject({ isWell: true })
  expect((await tags.find(ids.tag))?.translations).toEqual({ en: { name: 'Slow life', description: '' } })
  expect(await verified()).toEqual({ isWell: true, wrong: [] })
})

test('does not complete an entity that was saved between the check and the repair', async () => {
  const complete = (await tags.row(ids.tag))?.translations
  await db
    .updateTable('tags')
    .set({ translations: { en: { name: 'Slow life' } } as never })
    .execute()
  const found = await issuesOf(texts)
  await db
    .updateTable('tags')
    .set({ translations: complete ?? {} })
    .execute()
  const { version } = (await tags.row(ids.tag)) ?? {}
  for (const { repair } of found) await repair?.()
  expect([found.length, (await tags.row(ids.tag))?.version]).toEqual([1, version])
})

/** SQLite stores the grams of a text separately. */
const withoutGrams = (id: string): string[] =>
  engine === 'postgres'
    ? []
    : [`DELETE FROM "labelGrams" WHERE "rowid" IN (SELECT "id" FROM "labels" WHERE "entityId" = '${id}')`]

/** Ways to corrupt derived data, and the lines reported for them. */
const DERIVED: Record<string, () => [statements: string[], lines: string[]]> = {
  'a counter': () => [[moreOf('mediaCount', 6)], ['counters: 1 problem, 1 repairable: mediaCount is 7, not 1']],
  'counters that are gone': () => [
    ['counters', 'counterShards'].map(
      (table) => `DELETE FROM "${table}" WHERE "name" IN ('tagCount.GENRE', 'assetSize')`,
    ),
    ['counters: 2 problems, 2 repairable: tagCount.GENRE is 0, not 1; assetSize is 0, not 11'],
  ],
  'a counter of a type that is not there': () => [
    [`INSERT INTO "counters" VALUES ('tagUsage.THEME', 3)`],
    ['counters: 1 problem, 1 repairable: tagUsage.THEME is 3, not 0'],
  ],
  'the uses of a tag': () => [
    [`UPDATE "tags" SET "characterCount" = 4`],
    [`uses of tags: 1 problem, 1 repairable: Tag ${ids.tag}: characterCount is 4, not 1`],
  ],
  'an average': () => [
    [`UPDATE "media" SET "averageRating" = 9.9`],
    [`ratings of media: 1 problem, 1 repairable: Media ${ids.media}: averageRating is 9.9, not 5.75`],
  ],
  'a histogram': () => [
    [`UPDATE "media" SET "ratingHistogram" = '[0,0,0,0,0,0,0,0,0,0,0]'`],
    [
      `ratings of media: 1 problem, 1 repairable: Media ${ids.media}: ` +
        'ratingHistogram is [0,0,0,0,0,0,0,0,0,0,0], not [0,0,0,1,0,0,0,0,0,1,0]',
    ],
  ],
  'a link that is gone': () => [
    [`DELETE FROM "links" WHERE "fromId" = '${ids.media}' AND "field" = 'cover'`],
    [`links: 1 problem, 1 repairable: Media ${ids.media}: missing link to cover Asset ${ids.asset}`],
  ],
  'a link too many': () => [
    [`INSERT INTO "links" VALUES ('Media', '${ids.media}', 'relatedMedia', 'Media', '${ids.media}')`],
    [`links: 1 problem, 1 repairable: Media ${ids.media}: extra link to relatedMedia Media ${ids.media}`],
  ],
  'a link from another kind': () => [
    [`UPDATE "links" SET "fromKind" = 'Tag' WHERE "fromId" = '${ids.media}' AND "field" = 'cover'`],
    [
      `links: 2 problems, 2 repairable: Media ${ids.media}: missing link to cover Asset ${ids.asset}; ` +
        `Tag ${ids.media}: has links but does not exist`,
    ],
  ],
  'a link of nothing': () => [
    [`INSERT INTO "links" VALUES ('Character', 'nobody', 'assets', 'Asset', '${ids.asset}')`],
    ['links: 1 problem, 1 repairable: Character nobody: has links but does not exist'],
  ],
  'a text that search has lost': () => [
    [...withoutGrams(ids.character), `DELETE FROM "labels" WHERE "entityId" = '${ids.character}'`],
    [`search text: 1 problem, 1 repairable: Character ${ids.character}: its indexed texts are wrong`],
  ],
  'a text that is another now': () => [
    [`UPDATE "labels" SET "text" = 'Fast life', "compact" = 'fastlife' WHERE "entityId" = '${ids.tag}'`],
    [`search text: 1 problem, 1 repairable: Tag ${ids.tag}: its indexed texts are wrong`],
  ],
  'a text of nothing': () => [
    [`UPDATE "labels" SET "entityId" = 'nobody' WHERE "entityId" = '${ids.tag}'`],
    [
      `search text: 2 problems, 2 repairable: Tag ${ids.tag}: its indexed texts are wrong; ` +
        'Tag nobody: has indexed texts but does not exist',
    ],
  ],
  'a text that its grams do not find': () => [
    [
      engine === 'postgres'
        ? `UPDATE "labels" SET "grams" = 'txx:1'::tsvector WHERE "entityId" = '${ids.tag}'`
        : withoutGrams(ids.tag).join(';'),
    ],
    [`search text: 1 problem, 1 repairable: Tag ${ids.tag}: a text is missing from the index`],
  ],
  'a rebuild that did not come to its end': () => [
    [`INSERT INTO "counters" VALUES ('searchVersion', 0)`],
    ['search text: 1 problem, 1 repairable: a rebuild of the index is running, or did not finish'],
  ],
}

test('changes nothing unless asked to repair', async () => {
  await spoil(moreOf('mediaCount', 6), `UPDATE "media" SET "ratingSum" = 1`)
  const before = await everyRow(place)
  expect((await verified({ files: true })).isWell).toBe(false)
  expect(await everyRow(place)).toEqual(before)
  expect((await verified({ repair: true })).isWell).toBe(true)
})

describe('detects, and repairs on request', () => {
  test.each(Object.entries(DERIVED))('%s', async (_, spoilt) => {
    const [statements, lines] = spoilt()
    const whole = await everyRow(place)
    await spoil(...statements)
    const { isWell, wrong } = await verified()
    // What depends on wrong data may be wrong, too.
    expect({ isWell, wrong: wrong.slice(0, lines.length) }).toEqual({ isWell: false, wrong: lines })
    expect((await verified({ repair: true })).isWell).toBe(true)
    expect(await verified()).toEqual({ isWell: true, wrong: [] })
    const { counters: ___, ...rest } = await everyRow(place)
    const { counters: __, ...was } = whole
    expect(rest).toEqual(was)
    await spoil(`DELETE FROM "counters" WHERE "name" = 'searchVersion'`)
  })
})

test('a pending rebuild is not a problem until its job has failed', async () => {
  await spoil(
    `INSERT INTO "counters" VALUES ('searchVersion', 0)`,
    `UPDATE "findingsProgress" SET "isComplete" = 0, "total" = 3`,
  )
  await transaction(async (tx) => {
    for (const kind of ['findings.rebuild', 'search.rebuild']) await addOnce(tx, kind)
  })
  const notes = [
    'findings: skipped: a check of the catalogue is running, or did not finish',
    'search text: skipped: a rebuild of the index is running, or did not finish',
  ]
  expect(await verified()).toEqual({ isWell: true, wrong: notes })
  await spoil(`UPDATE "jobs" SET "state" = 'failed'`)
  expect(await verified()).toMatchObject({
    isWell: false,
    wrong: notes.map((note) => expect.stringMatching(note.replace('skipped', '1 problem, 1 repairable'))),
  })
  await spoil(`UPDATE "jobs" SET "state" = 'queued'`)
  expect((await verified({ repair: true })).isWell).toBe(true)
  expect(await verified()).toEqual({ isWell: true, wrong: [] })
  await spoil(`DELETE FROM "jobs"`, `DELETE FROM "counters" WHERE "name" = 'searchVersion'`)
})

test.runIf(process.env.ENGINE === 'sqlite')(
  'an orphaned entry in the text index does not prevent a repair',
  async () => {
    await spoil(`INSERT INTO "labelGrams" ("rowid", "grams") SELECT max("id") + 1, 'mxx' FROM "labels"`)
    expect((await verified()).wrong).toEqual([
      expect.stringMatching(/^search text: 1 problem, .* text \d+: is indexed but does not exist/),
    ])
    await spoil(...withoutGrams(ids.tag), `DELETE FROM "labels" WHERE "entityId" = '${ids.tag}'`)
    expect(await verified({ repair: true })).toMatchObject({ isWell: true })
    expect(await verified()).toEqual({ isWell: true, wrong: [] })
  },
)

test.runIf(process.env.ENGINE === 'sqlite')(
  'a text index that was merged since an earlier check is not reported as damaged',
  async () => {
    onTestFinished(startAnew)
    await aTag()
    expect(await verified()).toEqual({ isWell: true, wrong: [] })
    // By another connection, such as a server's.
    await place.sql(`INSERT INTO "labelGrams" ("labelGrams") VALUES ('optimize')`)
    expect(await verified()).toEqual({ isWell: true, wrong: [] })
  },
)

test.runIf(process.env.ENGINE === 'sqlite')(
  'a text index that another connection merges while it is checked is not reported as damaged',
  async () => {
    await startAnew()
    onTestFinished(startAnew)
    await aTag()
    const file = new DatabaseSync(join(place.folder, 'catalogue.sqlite'))
    const { prepare } = DatabaseSync.prototype
    const merging = vi.spyOn(DatabaseSync.prototype, 'prepare')
    onTestFinished(() => merging.mockRestore())
    merging.mockImplementation(function before(this: DatabaseSync, ...given) {
      // Statements stay prepared, so this is the first check.
      if (given[0].includes('integrity_check')) file.exec(`INSERT INTO "labelGrams" ("labelGrams") VALUES ('optimize')`)
      return prepare.apply(this, given)
    })
    expect(await verified()).toEqual({ isWell: true, wrong: [] })
    file.close()
  },
)

test('repairs more than one batch in several runs, and reports problems until then', async () => {
  await spoil(`INSERT INTO "links" WITH RECURSIVE "n" ("i") AS (SELECT 1 UNION ALL SELECT "i" + 1 FROM "n" WHERE "i" < 1001)
    SELECT 'Character', 'gone' || "i", 'assets', 'Asset', '${ids.asset}' FROM "n"`)
  const { isWell, wrong } = await verified({ repair: true })
  expect([isWell, wrong[0]]).toEqual([false, expect.stringContaining('links: 1001 problems, 1000 repaired: ')])
  expect(await verified({ repair: true })).toMatchObject({ isWell: true })
  expect(await verified()).toEqual({ isWell: true, wrong: [] })
})

test('repairs a one-sided relation from the other side, with a revision', async () => {
  const { version = 0 } = (await media.row(ids.media)) ?? {}
  await spoil(`UPDATE "media" SET "characters" = '[]'`)
  await spoil(`UPDATE "revisions" SET "snapshot" = replace("snapshot", '"characters":["${ids.character}"]', '"characters":[]')
    WHERE "entityId" = '${ids.media}'`)
  expect((await verified()).wrong).toEqual([
    `links: 1 problem, 1 repairable: Media ${ids.media}: extra link to characters Character ${ids.character}`,
  ])
  const { wrong } = await verified({ repair: true })
  expect(wrong.at(-1)).toBe(
    `relations: 1 problem, 1 repaired: Media ${ids.media}: lacks the link back to Character ${ids.character}`,
  )
  expect(await media.row(ids.media)).toMatchObject({ characters: [ids.character], version: version + 1 })
  expect(await verified()).toEqual({ isWell: true, wrong: [] })
})

test('names a repair that is refused, and goes on', async () => {
  onTestFinished(startAnew)
  const { characters = [] } = (await media.row(ids.media)) ?? {}
  const other = await aCharacter()
  const setCast = (cast: string[]) =>
    spoil(`UPDATE "media" SET "characters" = '${JSON.stringify(cast)}' WHERE "_id" = '${ids.media}'`)
  await setCast(Array.from({ length: 1000 }, () => other))
  await spoil(`UPDATE "tags" SET "usageCount" = "usageCount" + 1 WHERE "_id" = '${ids.tag}'`)
  const { isWell, wrong } = await verified({ repair: true })
  expect(isWell).toBe(false)
  expect(wrong).toEqual(
    expect.arrayContaining([
      expect.stringMatching(
        /^relations: 2 problems, 1 repaired: .+ lacks the link back to .+ \(not repaired: characters: /,
      ),
      expect.stringMatching(/^uses of tags: 1 problem, 1 repaired: /),
    ]),
  )
  await setCast(characters)
  await verified({ repair: true })
  expect(await verified()).toEqual({ isWell: true, wrong: [] })
})

test('reports damaged data that is not derived, and leaves it alone', async () => {
  await spoil(`UPDATE "media" SET "translations" = '{"en":{"title":"Forged","description":""}}'`)
  const lost = `revisions: 1 problem, 0 repairable: Media ${ids.media}: its translations differs from the latest revision`
  expect((await verified()).wrong[0]).toBe(lost)
  const { isWell, wrong } = await verified({ repair: true })
  expect([isWell, wrong[0]]).toEqual([false, lost.replace('repairable', 'repaired')])
  await spoil(`UPDATE "media" SET "version" = "version" + 1`)
  expect((await verified()).wrong[0]).toMatch(
    /revisions: 1 problem, .* has version \d, and \d revisions from version \d to \d/,
  )
  const [{ snapshot } = { snapshot: {} }] = await db
    .selectFrom('revisions')
    .select('snapshot')
    .where('entityId', '=', ids.media)
    .orderBy('version', 'desc')
    .execute()
  await db
    .updateTable('media')
    .set((set) => ({ translations: snapshot.translations as never, version: set('version', '-', 1) }))
    .execute()
  expect(await verified({ repair: true })).toMatchObject({ isWell: true })
})

test('reserves the names of accounts again, corrects inboxes, and counts the results of batches again', async () => {
  const accounts = await db.selectFrom('users').select('_id').orderBy('_id').execute()
  const [admin = '', other = ''] = accounts.map(({ _id }) => _id)
  const targets = [{ kind: 'Tag' as const, id: ids.tag }]
  const batch = await transaction((tx) => records.add(tx, { what: 'change' }, targets, { ...SYSTEM, _id: admin }))
  await spoil(
    `UPDATE "jobs" SET "state" = 'done' WHERE "_id" = '${batch}'`,
    `INSERT INTO "inboxes" VALUES ('${admin}', 2, 0)`,
    `INSERT INTO "notifications" VALUES ('${admin}', 2, 'a', 'NEW_SIGN_IN', '{}', NULL, '2026')`,
  )
  expect(await verified()).toEqual({ isWell: true, wrong: [] })
  await spoil(
    `UPDATE "usernames" SET "userId" = '${other}' WHERE "userId" = '${admin}'`,
    `UPDATE "inboxes" SET "seq" = 1`,
    `UPDATE "batches" SET "changed" = 1`,
  )
  expect(await verified()).toEqual({
    isWell: false,
    wrong: [
      `accounts: 2 problems, 2 repairable: User ${admin}: its name is not reserved for it; ` +
        `User ${admin}: its last notification is newer than its inbox says`,
      `results of batches: 1 problem, 1 repairable: Batch ${batch}: it has other results than it counts`,
    ],
  })
  expect(await verified({ repair: true })).toMatchObject({ isWell: true })
  expect(await verified()).toEqual({ isWell: true, wrong: [] })
  await spoil(`DELETE FROM "jobs"`, `DELETE FROM "inboxes"`, `DELETE FROM "notifications"`)
})

/** Values that another table contradicts, and what is reported. */
const CONTRADICTED: [value: string, table: 'tags' | 'revisions' | 'comments' | 'merges', set: string, line: string][] =
  [
    ['the time of the last change', 'tags', `"updatedAt" = '2031'`, 'Tag …: updatedAt is "2031", not "2'],
    ['the creator', 'tags', `"createdBy" = 'nobody'`, 'Tag …: createdBy is "nobody", not "system"'],
    ['being in the trash', 'tags', `"deletedAt" = '2031'`, 'Tag …: isDeleted is true, not false'],
    ['the kind of a revision', 'revisions', `"entityType" = 'Forged'`, 'Tag …: has revisions of another kind'],
    ['the author of a revision', 'revisions', `"userId" = 'nobody'`, 'userId names User nobody, which does not exist'],
    [
      'the entity of a comment',
      'comments',
      `"entityId" = 'nothing'`,
      'entityId names Tag nothing, which does not exist',
    ],
    ['the survivor of a merge', 'merges', `"toId" = 'nothing'`, 'toId names Tag nothing, which does not exist'],
  ]

describe('reports that another table contradicts', () => {
  afterAll(startAnew)
  beforeAll(async () => {
    const [author] = await db.selectFrom('users').select('_id').execute()
    const from = await aTag()
    await spoil(
      `INSERT INTO "comments" ("_id", "entityType", "entityId", "text", "mentions", "createdBy", "createdAt", "version")
        VALUES ('a', 'Tag', '${ids.tag}', 'Which one?', '[]', '${author?._id}', '2026', 1)`,
      `INSERT INTO "merges" VALUES ('${from}', '${ids.tag}', 'Tag', '', '2026')`,
    )
  })
  test.each(CONTRADICTED)('%s', async (_, table, set, line) => {
    const id = { tags: '_id', revisions: 'entityId', comments: 'entityId', merges: 'toId' }[table]
    const column = /"\w+"/.exec(set)?.[0] ?? ''
    const where = `WHERE "${id}" = '${ids.tag}'`
    const [before] = await place.sql(`SELECT ${column} AS "value" FROM "${table}" ${where}`)
    expect(await verified()).toEqual({ isWell: true, wrong: [] })
    await spoil(`UPDATE "${table}" SET ${set} ${where}`)
    const { isWell, wrong } = await verified()
    const value = typeof before?.value === 'string' ? `'${before.value}'` : 'NULL'
    await spoil(`UPDATE "${table}" SET ${column} = ${value} WHERE ${set}`)
    expect(isWell).toBe(false)
    expect(wrong.join('\n')).toContain(line.replace('…', ids.tag))
  })
})

/** Ways to damage an earlier version of the tag or its history, and what is reported. */
const DAMAGED: Record<string, (revision: string) => [statement: string, what: string]> = {
  'a changed text that is another now': (revision) => [
    `UPDATE "history" SET "newValue" = 'Forged' WHERE "revisionId" = '${revision}'`,
    'version 3 changed other texts than the translation history has',
  ],
  'a changed text of another entity': (revision) => [
    `UPDATE "history" SET "entityId" = '${ids.media}' WHERE "revisionId" = '${revision}'`,
    'version 3 changed other texts than the translation history has',
  ],
  'a changed text of a version that changed none': (revision) => [
    `UPDATE "history" SET "revisionId" = (SELECT "_id" FROM "revisions" WHERE "entityId" = '${renamed}' AND "version" = 1)
      WHERE "revisionId" = '${revision}'`,
    'version 1 has changed texts, but is no update',
  ],
  'an earlier version with another value': (revision) => [
    `UPDATE "revisions" SET "delta" = '{"set":{"icon":"forged"}}' WHERE "_id" = '${revision}'`,
    'version 3 differs from the one before it in other fields than it names: icon, translations',
  ],
  'an earlier version that cannot be read': (revision) => [
    `UPDATE "revisions" SET "delta" = '{"in":{"icon":{"cut":[]}}}' WHERE "_id" = '${revision}'`,
    'version 3 cannot be read',
  ],
}

/** A tag with four versions, the third of which has another name. */
let renamed: string

describe('reports damage to earlier versions', () => {
  afterAll(startAnew)
  let revision: string
  beforeAll(async () => {
    setDeltasSupported(true)
    const english = { name: 'Calm life', description: 'Nothing much happens. '.repeat(20) }
    renamed = await aTag({ translations: { en: english } })
    const translations = { en: { ...english, name: 'Quiet life' } }
    for (const change of [{ color: '#123456' }, { translations }, { color: '#654321' }])
      await tags.update(renamed, change, { actor: SYSTEM })
    const third = db.selectFrom('revisions').select('_id').where('entityId', '=', renamed).where('version', '=', 3)
    revision = (await third.executeTakeFirstOrThrow())._id
  })

  test.each(Object.entries(DAMAGED))('%s', async (_, damage) => {
    const [statement, what] = damage(revision)
    const { delta } = await db
      .selectFrom('revisions')
      .select('delta')
      .where('_id', '=', revision)
      .executeTakeFirstOrThrow()
    const cell = await db.selectFrom('history').selectAll().where('revisionId', '=', revision).executeTakeFirstOrThrow()
    expect(await verified()).toEqual({ isWell: true, wrong: [] })
    await spoil(statement)
    const { isWell, wrong } = await verified()
    await db.updateTable('revisions').set({ delta }).where('_id', '=', revision).execute()
    await db.updateTable('history').set(cell).where('_id', '=', cell._id).execute()
    expect(isWell).toBe(false)
    const line = wrong.find((each) => each.startsWith('history: '))
    expect(line).toMatch(/^history: \d problems?, 0 repairable: /)
    expect(line).toContain(`Tag ${renamed}: ${what}`)
  })

  test('an entity whose row is gone, although it was never deleted permanently', async () => {
    const row = await db.selectFrom('ratings').selectAll().orderBy('_id').executeTakeFirstOrThrow()
    await spoil(`DELETE FROM "ratings" WHERE "_id" = '${row._id}'`)
    const { wrong } = await verified()
    await db.insertInto('ratings').values(row).execute()
    expect(wrong[0]).toBe(
      `revisions: 1 problem, 0 repairable: Rating ${row._id}: has revisions but does not exist, and was not deleted`,
    )
    expect(await verified()).toEqual({ isWell: true, wrong: [] })
  })
})

test('names an entity and a version that cannot be read, and checks all others', async () => {
  onTestFinished(startAnew)
  const other = await aTag()
  const [{ _id: version } = { _id: '' }] = await db
    .selectFrom('revisions')
    .select('_id')
    .where('entityId', '=', other)
    .execute()
  const cut = (value: string) => `substr(${value}, 1, length(${value}) - 1)`
  const damage = [
    `UPDATE "media" SET "tags" = ${cut('"tags"')} WHERE "_id" = '${ids.media}'`,
    `UPDATE "revisions" SET "snapshot" = ${cut('"snapshot"')} WHERE "_id" = '${version}'`,
  ]
  await spoil(...damage, `UPDATE "tags" SET "characterCount" = 4 WHERE "_id" = '${ids.tag}'`)
  const { isWell, wrong } = await verified({ repair: true })
  await spoil(
    `UPDATE "media" SET "tags" = "tags" || ']' WHERE "_id" = '${ids.media}'`,
    `UPDATE "revisions" SET "snapshot" = "snapshot" || '}' WHERE "_id" = '${version}'`,
  )
  expect(isWell).toBe(false)
  const entity = `Media ${ids.media}: the column tags of ${ids.media} is not valid JSON`
  const column = `the column snapshot of ${version} is not valid JSON`
  expect(wrong).toEqual([
    `revisions: 2 problems, 0 repaired: ${entity}; Tag ${other}: ${column}`,
    `history: 1 problem, 0 repaired: Tag ${other}: version 1: ${column}`,
    ...['texts', 'links'].map((check) => `${check}: 1 problem, 0 repaired: ${entity}`),
    `uses of tags: 1 problem, 1 repaired: Tag ${ids.tag}: characterCount is 4, not 1`,
    ...['ratings of media', 'findings', 'search text'].map((check) => `${check}: 1 problem, 0 repaired: ${entity}`),
  ])
  expect(await verified()).toEqual({ isWell: true, wrong: [] })
})

test('goes on with the next check where a document cannot be read', async () => {
  await spoil(`UPDATE "media" SET "translations" = '{' || "translations" WHERE "_id" = '${ids.media}'`)
  const { isWell, wrong } = await verified()
  await spoil(`UPDATE "media" SET "translations" = substr("translations", 2) WHERE "_id" = '${ids.media}'`)
  expect(isWell).toBe(false)
  expect(wrong).toContain(
    `counters: 1 problem, 0 repairable: not completed: the column translations of ${ids.media} is not valid JSON`,
  )
  expect(await verified()).toEqual({ isWell: true, wrong: [] })
})

test('names documents that are not valid JSON where no other check reads them', async () => {
  const { _id } = await db.selectFrom('users').select('_id').orderBy('_id').executeTakeFirstOrThrow()
  await spoil(
    `INSERT INTO "preferences" ("userId", "columns") VALUES ('${_id}', '{"Media":')`,
    `INSERT INTO "importMappings" ("userId", "entityType", "mapping") VALUES ('${_id}', 'Tag', '')`,
    `INSERT INTO "importMappings" ("userId", "entityType", "mapping") VALUES ('${_id}', 'Media', 'title')`,
  )
  const { isWell, wrong } = await verified({ repair: true })
  expect(isWell).toBe(false)
  expect(wrong).toEqual([
    `documents: 2 problems, 0 repaired: preferences ${_id}: columns is not valid JSON; importMappings ${_id} Media: mapping is not valid JSON`,
  ])
  await spoil('DELETE FROM "preferences"', 'DELETE FROM "importMappings"')
  expect(await verified()).toEqual({ isWell: true, wrong: [] })
})

test('names rows that refer to nothing, as after a restore without the foreign keys', async () => {
  const without = engine === 'postgres' ? 'SET session_replication_role = replica' : 'PRAGMA foreign_keys = OFF'
  const checked = engine === 'postgres' ? 'RESET session_replication_role' : 'PRAGMA foreign_keys = ON'
  await db.connection().execute(async (one) => {
    for (const statement of [
      without,
      `INSERT INTO "importRows" ("import", "seq", "line", "cells") VALUES ('nowhere', 1, 2, '[]')`,
      checked,
    ])
      await sql.raw(statement).execute(one)
  })
  const { isWell, wrong } = await verified({ repair: true })
  expect(isWell).toBe(false)
  expect(wrong).toEqual([
    expect.stringMatching(/^database: 1 problem, 0 repaired: importRows.* violates the foreign key to imports$/),
  ])
  await spoil(`DELETE FROM "importRows" WHERE "import" = 'nowhere'`)
  expect(await verified()).toEqual({ isWell: true, wrong: [] })
})

test('reports a forged entry in the audit log', async () => {
  onTestFinished(startAnew)
  const entry = `INSERT INTO "audit" VALUES (1000, 'x', '2026', 'auth', 'login', 'done', '', '', '', '', '', '', '', '', '{}', 'x')`
  await spoil(entry)
  expect((await verified()).wrong).toEqual([expect.stringMatching(/^audit log: 1 problem, 0 repairable: entry \d+: /)])
})

test('reports missing, unreferenced and modified files', async () => {
  onTestFinished(startAnew)
  const files = join(place.folder, 'files')
  const key = `${ids.asset}.webp`
  const content = readFileSync(join(files, key))
  writeFileSync(join(files, 'nobody.webp'), 'left over')
  expect(await verified()).toEqual({
    isWell: true,
    wrong: ['1 unreferenced files, 9 bytes: nobody.webp (9 bytes)'],
  })
  await spoil(`UPDATE "assets" SET "dimensions" = '{' WHERE "_id" = '${ids.asset}'`)
  expect((await verified()).wrong).toContain(
    `files: 1 problem, 0 repairable: Asset ${ids.asset}: the column dimensions of ${ids.asset} is not valid JSON`,
  )
  expect((await verified()).wrong.join()).not.toContain('unreferenced')
  await spoil(`UPDATE "assets" SET "dimensions" = NULL WHERE "_id" = '${ids.asset}'`)
  rmSync(join(files, 'nobody.webp'))
  rmSync(join(files, key))
  expect(await verified({ repair: true })).toEqual({
    isWell: false,
    wrong: [`files: 1 problem, 0 repaired: Asset ${ids.asset}: ${key} is missing`],
  })
  writeFileSync(join(files, key), 'another picture')
  expect(await verified()).toEqual({ isWell: true, wrong: [] })
  expect(await verified({ files: true })).toEqual({
    isWell: false,
    wrong: [`contents of files: 1 problem, 0 repairable: Asset ${ids.asset}: ${key} differs from the uploaded file`],
  })
  writeFileSync(join(files, key), content)
  // The displayed versions of a picture can be drawn again from its original.
  writeFileSync(join(files, `original-${key}`), content)
  rmSync(join(files, `small-${ids.asset}.webp`))
  expect((await verified({ repair: true })).wrong).toEqual([
    `files: 1 problem, 1 repaired: Asset ${ids.asset}: small-${ids.asset}.webp is missing; ` +
      'it can be rendered from its original',
  ])
  expect(await db.selectFrom('assets').select('status').execute()).toEqual([{ status: 'PENDING' }])
})

test('runs next to a running server, and returns an exit code', async () => {
  const server = await startServer(place.env)
  await media.update(ids.media, { isOngoing: true }, { actor: SYSTEM })
  const said = await operator(place, ['verify', '--files'])
  expect([said.errors, said.output.split('\n').at(-1)]).toEqual(['', expect.stringMatching(/^(No p|P)roblems found$/)])
  await spoil(moreOf('mediaCount', 6))
  expect(await operator(place, ['verify'])).toMatchObject({
    code: 1,
    output: expect.stringContaining('mediaCount is 7, not 1'),
  })
  expect(await operator(place, ['verify', '--repair'])).toMatchObject({
    output: expect.stringContaining('counters: 1 problem, 1 repaired'),
  })
  await server.end()
  expect(existsSync(join(place.folder, 'restore.partial'))).toBe(false)
})

test('checks the files in a bucket', async () => {
  const there = await aBucket()
  await openStorage(join(place.folder, 'files'), there.bucket)
  onTestFinished(startAnew)
  const key = `${ids.asset}.webp`
  there.objects.set(key, { body: Buffer.from('the picture'), at: new Date() })
  there.objects.set('nobody.webp', { body: Buffer.from('left over'), at: new Date() })
  expect((await verified({ files: true })).wrong).toEqual([
    `files: 1 problem, 0 repairable: Asset ${ids.asset}: small-${key} is missing`,
    '1 unreferenced files, 9 bytes: nobody.webp (9 bytes)',
  ])
  there.objects.set(`small-${key}`, { body: Buffer.from('small'), at: new Date() })
  there.objects.set(key, { body: Buffer.from('another picture'), at: new Date() })
  there.objects.delete('nobody.webp')
  expect((await verified({ files: true })).wrong).toEqual([
    `contents of files: 1 problem, 0 repairable: Asset ${ids.asset}: ${key} differs from the uploaded file`,
  ])
  await there.stop()
})

test('reports links to entities that do not exist', async () => {
  onTestFinished(startAnew)
  await spoil(`DELETE FROM "tags" WHERE "_id" = '${ids.tag}'`)
  const found = (await verified()).wrong.find((line) => line.startsWith('relations: 2 problems, 0 repairable: '))
  for (const from of [`Media ${ids.media}`, `Character ${ids.character}`])
    expect(found).toContain(`${from}: links to Tag ${ids.tag}, which does not exist`)
})

test('says if there are more broken links than are named', async () => {
  onTestFinished(startAnew)
  await spoil(`INSERT INTO "links" WITH RECURSIVE "n" ("i") AS (SELECT 1 UNION ALL SELECT "i" + 1 FROM "n" WHERE "i" < 1001)
    SELECT 'Character', '${ids.character}', 'assets', 'Asset', 'gone' || "i" FROM "n"`)
  const found = await issuesOf(relations)
  expect(found.map(({ what }) => what)).toContain('there are more; run verify again')
})

test('refuses a database that needs an upgrade, without upgrading it', async () => {
  onTestFinished(startAnew)
  await spoil(`DELETE FROM "migrations" WHERE "name" = '008-tag-uses.sql'`)
  lockDataFolder(place.folder)
  expect(await operator(place, ['password', 'admin@example.org'])).toMatchObject({
    code: 1,
    errors: expect.stringContaining('is in use by another process'),
  })
  unlockDataFolder()
  expect(await operator(place, ['verify', '--repair'])).toMatchObject({
    code: 1,
    errors: 'The database is of an older version (008-tag-uses.sql missing). Start Mokuroku once to upgrade it.',
  })
})
