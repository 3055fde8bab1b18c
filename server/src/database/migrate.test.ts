import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Notification } from '@mokuroku/contract/notifications'
import pg from 'pg'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { aPlace, onFile, type Place } from '#test/instances.ts'
import { launch } from '#test/process.ts'
import { WAITING } from '#test/waiting.ts'
import { closeDatabase, engine, openDatabase } from './db.ts'
import { refuseUpgradeBeside } from './instances.ts'

const MIGRATIONS = join(import.meta.dirname, '../../migrations')
const ALL = readdirSync(MIGRATIONS).toSorted()
const home = mkdtempSync(join(tmpdir(), 'mokuroku-migrations-'))
const places: Place[] = []
let count = 0

afterAll(() => {
  rmSync(home, { recursive: true, force: true })
  for (const place of places) place.remove()
})

/** A folder with some of the real migrations, and additional ones after them. */
function migrationsOf(names: string[], more: Record<string, string> = {}): string {
  const folder = join(home, String(count++))
  mkdirSync(folder)
  for (const name of names) cpSync(join(MIGRATIONS, name), join(folder, name))
  for (const [name, text] of Object.entries(more)) writeFileSync(join(folder, name), text)
  return folder
}

async function open(place: Place, migrations?: string): Promise<string[]> {
  const said: string[] = []
  const log = (line: string) => void said.push(line)
  await openDatabase({ url: place.url, folder: place.folder, log, ...(migrations && { migrations }) })
  await closeDatabase()
  return said
}

/** A place whose database had these migrations applied, and has some rows. */
async function anOldPlace(names: string[]): Promise<Place> {
  const place = await aPlace()
  places.push(place)
  await open(place, migrationsOf(names))
  await place.sql(
    ...['a', 'b', 'c'].map(
      (id) => `INSERT INTO "users" ("_id", "username", "email", "passwordHash", "role", "isActive", "avatar", "scores",
        "version", "createdAt", "updatedAt") VALUES ('${id}', '${id}', '${id}@example.org', 'x', 'user', 1, '', 0, 1,
        '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`,
    ),
    `INSERT INTO "assets" ("_id", "type", "filename", "mimeType", "size", "status", "isPublic", "contentHash",
      "storageKey", "version", "createdAt", "updatedAt") VALUES ('d', 'IMAGE', 'd.png', 'image/png', 12, 'READY', 1, 'x',
      'd.png', 1, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`,
  )
  return place
}

const applied = async (place: Place) =>
  (await place.sql('SELECT "name" FROM "migrations" ORDER BY "name"')).map(({ name }) => String(name))
const usersIn = async (place: Place) =>
  (await place.sql('SELECT "_id" FROM "users" ORDER BY "_id"')).map(({ _id }) => _id)
const copiesIn = ({ folder }: Place) => readdirSync(folder).filter((name) => name.startsWith('catalogue.before'))

const newIndexes = (name: string) => `Creating new indexes (${name}) while other servers keep running`

/**
 * The numbers of migrations that databases start from: every fourth on PostgreSQL, where each needs a database of its
 * own.
 */
const AGES = [...ALL.keys()].filter((age) => age >= 2 && (process.env.ENGINE !== 'postgres' || age % 4 === 2))

test.each(AGES)(
  'upgrades a database with %d migrations without losing rows, and SQLite keeps a copy of the old one',
  async (age) => {
    const place = await anOldPlace(ALL.slice(0, age))
    const name = `catalogue.before-${ALL[age]?.replace('.sql', '')}.sqlite`
    const concurrent = ALL.slice(age).filter((each) =>
      readFileSync(join(MIGRATIONS, each), 'utf8').includes('\n-- concurrently\n'),
    )
    expect(await open(place)).toEqual(
      engine === 'sqlite'
        ? [`Database upgraded. The previous version is saved as ${name}`]
        : concurrent.map(newIndexes),
    )
    expect(await applied(place)).toEqual(ALL)
    expect(await usersIn(place)).toEqual(['a', 'b', 'c'])
    expect(await place.sql(`SELECT "value" FROM "counters" WHERE "name" = 'assetSize'`)).toEqual([
      { value: age === 2 ? 12 : 0 },
    ])
    expect(copiesIn(place)).toEqual(engine === 'sqlite' ? [name] : [])
    expect(await open(place)).toEqual([])
    if (engine === 'postgres') return
    const copy = join(place.folder, name)
    expect(onFile(copy, 'SELECT count(*) AS "n" FROM "users"')).toEqual([{ n: 3 }])
    expect(onFile(copy, 'SELECT "name" FROM "migrations"')).toHaveLength(age)
  },
)

test('the upgrade stops counting child tags as uses of their parent tag', async () => {
  const place = await anOldPlace(ALL.filter((name) => name < '008'))
  const tag = (id: string, parent: string, uses: number) => `INSERT INTO "tags" ("_id", "type", "translations", "color",
    "parentTag", "status", "usageCount", "mediaCount", "characterCount", "version", "createdAt", "updatedAt")
    VALUES ('${id}', 'GENRE', '{}', '', ${parent}, 'ACTIVE', ${uses}, 1, ${uses - 1}, 1, '2026', '2026')`
  await place.sql(
    tag('above', 'NULL', 2),
    tag('below', `'above'`, 1),
    `INSERT INTO "links" VALUES ('Tag', 'below', 'parentTag', 'Tag', 'above'), ('Media', 'm', 'tags', 'Tag', 'above'),
      ('Media', 'm', 'tags', 'Tag', 'below')`,
    `INSERT INTO "counters" VALUES ('tagUsage.GENRE', 3), ('tagUsage.THEME', 4)`,
  )
  await open(place)
  const counted = 'SELECT "usageCount", "mediaCount", "characterCount" FROM "tags" ORDER BY "_id"'
  const one = { usageCount: 1, mediaCount: 1, characterCount: 0 }
  expect(await place.sql(counted)).toEqual([one, one])
  expect(await place.sql(`SELECT "value" FROM "counters" WHERE "name" LIKE 'tagUsage%' ORDER BY "name"`)).toEqual([
    { value: 2 },
    { value: 0 },
  ])
})

test('after the upgrade, notifications of batches that were named after what they did can be read', async () => {
  const place = await anOldPlace(ALL.filter((name) => name < '059'))
  const stored = ['delete', 'restore', 'import', 'change', 'rollback'].map((what) => ({
    kind: 'BATCH_FINISHED',
    data: { what, count: 1, failed: 0, batch: null },
  }))
  const by = { by: 'b', reason: '"what":"import"', count: 1, entityType: 'Media', entityId: 'm' }
  stored.push({ kind: 'CHANGES_ROLLED_BACK', data: { ...by, title: '', language: 'en', field: 'title' } as never })
  await place.sql(
    ...stored.map(
      ({ kind, data }, seq) => `INSERT INTO "notifications" ("userId", "seq", "_id", "kind", "data", "createdAt")
        VALUES ('a', ${seq}, 'n${seq}', '${kind}', '${JSON.stringify(data)}', '2026-01-01T00:00:00.000Z')`,
    ),
  )
  await open(place)
  const rows = await place.sql('SELECT "_id", "kind", "data", "createdAt" FROM "notifications" ORDER BY "seq"')
  const read = rows.map(({ data, ...row }) =>
    z.parse(Notification, { ...row, readAt: null, data: JSON.parse(String(data)) }),
  )
  expect(read.map(({ data }) => ('what' in data ? [data.what, data.effect] : data))).toEqual([
    ['change', 'delete'],
    ['change', 'restore'],
    ['change', 'import'],
    ['change', undefined],
    ['rollback', undefined],
    stored.at(-1)?.data,
  ])
})

test('the upgrade counts existing translations by language and by language family', async () => {
  const place = await anOldPlace(ALL.filter((name) => name < '015'))
  const tag = (id: string, translations: object, deletedAt = 'NULL') => `INSERT INTO "tags" ("_id", "type",
    "translations", "color", "status", "version", "createdAt", "updatedAt", "deletedAt")
    VALUES ('${id}', 'GENRE', '${JSON.stringify(translations)}', '', 'ACTIVE', 1, '2026', '2026', ${deletedAt})`
  const name = (text: string) => ({ name: text, description: '' })
  await place.sql(
    tag('a', { 'zh-Hant-TW': name('心'), 'zh-Hans': name('心'), en: name(' \u3000') }),
    tag('b', { zh: name('心') }),
    tag('c', { zh: name('心'), ja: name('心') }, `'2026'`),
  )
  await open(place)
  const counted = `SELECT "name", "value" FROM "counters" WHERE "name" LIKE 'filledCount.Tag.%' ORDER BY "name"`
  expect(await place.sql(counted)).toEqual([
    { name: 'filledCount.Tag.zh', value: 2 },
    { name: 'filledCount.Tag.zh-Hans', value: 1 },
    { name: 'filledCount.Tag.zh-Hant', value: 1 },
    { name: 'filledCount.Tag.zh-Hant-TW', value: 1 },
  ])
})

test('the upgrade that turns on two more checks leaves the newest version of the settings equal to them', async () => {
  const place = await anOldPlace(ALL.filter((name) => name < '020'))
  const checks = ['missing', 'copied', 'script', 'mixed', 'noCover', 'noTags', 'noDescription']
  const version = (number: number) => `INSERT INTO "revisions" ("_id", "entityType", "entityId", "version", "action",
    "origin", "username", "paths", "snapshot", "createdAt") VALUES ('${number}', 'Setting', 'settings', ${number}, 'update',
    'person', 'a', '[]', '${JSON.stringify({ siteName: 'A', findings: checks, sessionHours: number })}', '2026')`
  await place.sql(
    `INSERT INTO "settings" ("_id", "siteName", "defaultLanguage", "languages", "findings", "baseUrl", "model",
      "streamsPerUser", "dailyTokensPerUser", "sessionHours", "version", "createdAt", "updatedAt")
      VALUES ('settings', 'A', 'en', '["en"]', '${JSON.stringify(checks)}', '', '', 4, 5, 12, 2, '2026', '2026')`,
    version(1),
    version(2),
  )
  await open(place)
  const more = [...checks, 'duplicate', 'brokenLink']
  expect(await place.sql('SELECT "findings" FROM "settings"')).toEqual([{ findings: JSON.stringify(more) }])
  const versions = await place.sql('SELECT "snapshot" FROM "revisions" ORDER BY "version"')
  expect(versions.map(({ snapshot }) => JSON.parse(String(snapshot)) as unknown)).toEqual([
    { siteName: 'A', findings: checks, sessionHours: 1 },
    { siteName: 'A', findings: more, sessionHours: 2 },
  ])
})

test('keeps only the latest copy of a previous version', async () => {
  const place = await anOldPlace(ALL)
  await open(place, migrationsOf(ALL, { '900-more.sql': 'CREATE TABLE "more" ("_id" TEXT PRIMARY KEY);\n' }))
  const both = { '900-more.sql': '', '901-most.sql': 'CREATE TABLE "most" ("_id" TEXT PRIMARY KEY);\n' }
  await open(place, migrationsOf(ALL, both))
  expect(copiesIn(place)).toEqual(engine === 'sqlite' ? ['catalogue.before-901-most.sqlite'] : [])
})

test('upgrades an empty database without making a copy', async () => {
  const place = await aPlace()
  places.push(place)
  expect(await open(place, migrationsOf(ALL.slice(0, 3)))).toEqual([])
  expect(await open(place)).toEqual([])
  expect(copiesIn(place)).toEqual([])
})

test('refuses a database of a newer version without changing it', async () => {
  const place = await anOldPlace(ALL)
  await open(place, migrationsOf(ALL, { '900-more.sql': 'CREATE TABLE "more" ("_id" TEXT PRIMARY KEY);\n' }))
  const other = migrationsOf(ALL, { '800-other.sql': 'CREATE TABLE "other" ("_id" TEXT PRIMARY KEY);\n' })
  await expect(open(place, other)).rejects.toThrow(
    'The database was made by a newer version of Mokuroku (it has 900-more.sql). Please upgrade.',
  )
  expect(await applied(place)).toEqual([...ALL, '900-more.sql'])
})

test.runIf(process.env.ENGINE === 'postgres').each([
  ['users, tags', ['CREATE TABLE "users" ("id" INTEGER)', 'CREATE TABLE "tags" ("id" INTEGER)']],
  [
    'migrations',
    ['CREATE TABLE "migrations" ("id" INTEGER, "batch" INTEGER)', 'INSERT INTO "migrations" VALUES (1, 1)'],
  ],
  ['migrations', ['CREATE TABLE "migrations" ("id" INTEGER, "name" TEXT)', `INSERT INTO "migrations" VALUES (1, 'x')`]],
  ['instances, migrations', ['CREATE TABLE "migrations" ("id" INTEGER)', 'CREATE TABLE "instances" ("id" INTEGER)']],
])('refuses a database in which another application has the tables %s', async (names, statements) => {
  const place = await aPlace()
  places.push(place)
  await place.sql(...statements)
  const folder = place.folder
  const mayUpgrade = (pending: string[]) => refuseUpgradeBeside(pending, folder)
  await expect(openDatabase({ url: place.url, folder, mayUpgrade })).rejects.toThrow(
    `The database at DATABASE_URL has tables of another application (${names.split(', ').toSorted().join(', ')}). Create a database for Mokuroku alone, and set DATABASE_URL to it.`,
  )
})

test.runIf(process.env.ENGINE === 'postgres')(
  'two catalogues may have schemas of their own in one database, of which only the first has reporting views',
  async () => {
    const place = await aPlace()
    places.push(place)
    await open(place)
    const folder = join(home, 'second')
    mkdirSync(folder)
    const url = `${place.url}?options=${encodeURIComponent('-c search_path="Shop"')}`
    await place.sql('CREATE SCHEMA "Shop"')
    const views = () => place.sql(`SELECT "oid" FROM "pg_class" WHERE "oid" = '"reporting"."media"'::regclass`)
    const before = await views()
    const said: string[] = []
    // The first one upgrades an old database, and drops the views that it has.
    await openDatabase({ url, folder, migrations: migrationsOf(ALL.slice(0, 1)) })
    await closeDatabase()
    await openDatabase({ url, folder, log: (line) => void said.push(line) })
    await closeDatabase()
    expect(await views()).toEqual(before)
    expect(said).toEqual([expect.stringMatching(/^Could not create the reporting views .* another catalogue/)])
    expect(await place.sql(`SELECT 1 FROM "reporting"."media"`)).toEqual([])
  },
)

test.runIf(process.env.ENGINE === 'postgres')('reporting views have their types whatever is quoted', async () => {
  const place = await aPlace()
  places.push(place)
  await open({ ...place, url: `${place.url}?options=-c%20quote_all_identifiers%3Don` })
  const types = await place.sql(`SELECT "data_type" AS "type" FROM "information_schema"."columns"
    WHERE "table_schema" = 'reporting' AND "table_name" = 'media' AND "column_name" IN ('translations', 'releaseDate')
    ORDER BY "data_type"`)
  expect(types.map(({ type }) => type)).toEqual(['jsonb', 'timestamp with time zone'])
})

test('the previous version still starts after an additive upgrade, but refuses a backup of a newer database', async () => {
  const place = await anOldPlace(ALL)
  const added = '-- additive\nALTER TABLE "users" ADD COLUMN "more" TEXT;\n'
  await open(place, migrationsOf(ALL, { '900-more.sql': added }))
  expect(await open(place)).toEqual([])
  expect(await applied(place)).toEqual([...ALL, '900-more.sql'])
  await open(place, migrationsOf(ALL, { '800-other.sql': 'CREATE TABLE "other" ("_id" TEXT PRIMARY KEY);\n' }))
  await expect(openDatabase({ url: place.url, folder: place.folder, upgrade: false })).rejects.toThrow(/newer version/)
})

test('upgrades a database without the isAdditive column, and still refuses one of a newer version', async () => {
  const place = await anOldPlace(ALL)
  await place.sql('ALTER TABLE "migrations" DROP COLUMN "isAdditive"')
  await open(place, migrationsOf(ALL, { '900-more.sql': 'CREATE TABLE "more" ("_id" TEXT PRIMARY KEY);\n' }))
  await expect(open(place)).rejects.toThrow(/newer version/)
})

const FAULTS = {
  'a statement that fails': [
    'CREATE TABLE "more" ("_id" TEXT PRIMARY KEY);\nINSERT INTO "users" ("_id") VALUES (\'e\');\n',
    /^Database upgrade failed: 900-more\.sql failed \(.*\)\. Nothing was changed\. Run the previous version and report this\.$/,
  ],
  'a migration that loses rows': [
    'CREATE TABLE "more" ("_id" TEXT PRIMARY KEY);\nDELETE FROM "users" WHERE "_id" <> \'a\';\n',
    'Database upgrade failed: 900-more.sql would lose 2 of 3 rows of users. Nothing was changed',
  ],
  'a migration that loses a table': ['DROP TABLE "assets";\n', 'would lose 1 of 1 rows of assets'],
  'a migration that loses rows of another table than it declares': [
    '-- loses rows of assets\nDELETE FROM "users" WHERE "_id" <> \'a\';\n',
    'would lose 2 of 3 rows of users',
  ],
  'a migration that leaves rows pointing at nothing': [
    `CREATE TABLE "more" ("userId" TEXT REFERENCES "users" ("_id") DEFERRABLE INITIALLY DEFERRED);
INSERT INTO "more" VALUES ('nobody');\n`,
    process.env.ENGINE === 'postgres'
      ? 'violates foreign key constraint'
      : 'it would leave rows of more pointing at nothing. Nothing was changed',
  ],
} as const

test.each(Object.entries(FAULTS))('%s leaves the database unchanged', async (_, [text, message]) => {
  const place = await anOldPlace(ALL)
  await expect(open(place, migrationsOf(ALL, { '900-more.sql': text }))).rejects.toThrow(message)
  expect([await applied(place), await usersIn(place), copiesIn(place)]).toEqual([ALL, ['a', 'b', 'c'], []])
  expect(await open(place)).toEqual([])
})

test.skipIf(process.env.ENGINE === 'postgres')(
  'an upgrade that fails although its rehearsal did not leaves no copy',
  async () => {
    const place = await anOldPlace(ALL)
    const notACopy = `SELECT "name" FROM pragma_database_list WHERE "file" NOT LIKE '%.partial'`
    const text = `-- only sqlite\nINSERT INTO "users" ("_id") ${notACopy};\n`
    await expect(open(place, migrationsOf(ALL, { '900-more.sql': text }))).rejects.toThrow('900-more.sql failed')
    expect([await applied(place), copiesIn(place)]).toEqual([ALL, []])
  },
)

test('a migration may lose rows if it declares it', async () => {
  const place = await anOldPlace(ALL)
  const text = '-- loses rows of users\nDELETE FROM "users" WHERE "_id" <> \'a\';\n'
  await open(place, migrationsOf(ALL, { '900-fewer.sql': text }))
  expect(await usersIn(place)).toEqual(['a'])
})

/** A statement of a migration, on PostgreSQL: waits for `aPause` to end. */
const PAUSE = "DO 'BEGIN WHILE NOT pg_try_advisory_xact_lock_shared(1) LOOP PERFORM pg_sleep(0.01); END LOOP; END';\n"
const PAUSED = `SELECT 1 FROM "pg_stat_activity"
  WHERE "datname" = current_database() AND "wait_event" = 'PgSleep'`

/** Pauses the migrations of a place at PAUSE, until `end`. */
async function aPause(place: Place) {
  const holder = new pg.Client(place.url)
  await holder.connect()
  onTestFinished(() => holder.end())
  await holder.query('SELECT pg_advisory_lock(1)')
  return {
    reached: async () => {
      await expect.poll(() => place.sql(PAUSED), { interval: 20 }).toHaveLength(1)
    },
    end: () => holder.query('SELECT pg_advisory_unlock(1)'),
  }
}

test.runIf(process.env.ENGINE === 'postgres')(
  'rows that others delete during an additive upgrade do not count as lost',
  async () => {
    const place = await anOldPlace(ALL)
    const pause = await aPause(place)
    const paused = `-- additive\nCREATE TABLE "more" ("_id" TEXT PRIMARY KEY);\n${PAUSE}`
    const opening = open(place, migrationsOf(ALL, { '900-more.sql': paused }))
    await pause.reached()
    await place.sql(`DELETE FROM "users" WHERE "_id" = 'c'`)
    await pause.end()
    await opening
    expect([await applied(place), await usersIn(place)]).toEqual([
      [...ALL, '900-more.sql'],
      ['a', 'b'],
    ])
  },
)

test('no additive migration deletes, drops or renames anything', () => {
  const texts = ALL.map((name) => readFileSync(join(MIGRATIONS, name), 'utf8'))
  const additive = texts.filter((text) => /^-- additive$/m.test(text))
  expect(additive.length).toBeGreaterThan(5)
  for (const text of additive)
    expect(text.replaceAll(/^--.*$/gm, '')).not.toMatch(/\b(DELETE\s+FROM|TRUNCATE|DROP\s+(TABLE|COLUMN)|RENAME)\b/i)
})

test.runIf(process.env.ENGINE === 'postgres')(
  'an upgrade that waits for a long-running read does not block other queries for long',
  async () => {
    const place = await anOldPlace(ALL)
    const [reader, other] = [new pg.Client(place.url), new pg.Client(place.url)]
    for (const each of [reader, other]) await each.connect()
    onTestFinished(async () => void (await Promise.all([reader.end(), other.end()])))
    await reader.query('BEGIN')
    await reader.query('SELECT * FROM "users"')
    const added = '-- additive\nALTER TABLE "users" ADD COLUMN "more" TEXT;\n'
    const opening = open(place, migrationsOf(ALL, { '900-more.sql': added }))
    // Even a query that waits behind the upgrade is answered while the read continues.
    let isWaiting = false
    for (let answers = 0; !isWaiting || answers < 20; answers++) {
      const answer = other.query('SELECT * FROM "users"')
      isWaiting ||= (await place.sql(WAITING)).length > 1
      await answer
    }
    expect(await applied(place)).toEqual(ALL)
    await reader.query('COMMIT')
    expect(await opening).toEqual(['Waiting for other sessions to release the tables that the upgrade changes'])
    expect(await applied(place)).toEqual([...ALL, '900-more.sql'])
  },
)

test.runIf(process.env.ENGINE === 'postgres')('an upgrade that causes a deadlock tries again', async () => {
  const place = await anOldPlace(ALL)
  const other = new pg.Client(place.url)
  await other.connect()
  onTestFinished(() => other.end())
  // The upgrade, and not the other session, finds the deadlock and fails, before its timeout for locks.
  await place.sql(`ALTER DATABASE "${new URL(place.url ?? '').pathname.slice(1)}" SET deadlock_timeout = '100ms'`)
  await other.query(`SET deadlock_timeout = '1h'`)
  await other.query('BEGIN')
  await other.query('SELECT * FROM "assets"')
  const added = `-- additive
ALTER TABLE "users" ADD COLUMN "more" TEXT;
${PAUSE}ALTER TABLE "assets" ADD COLUMN "more" TEXT;
`
  const pause = await aPause(place)
  const opening = open(place, migrationsOf(ALL, { '900-more.sql': added }))
  await pause.reached()
  const reading = other.query('SELECT * FROM "users"')
  await expect.poll(() => place.sql(WAITING)).toHaveLength(1)
  await pause.end()
  await reading
  await other.query('COMMIT')
  expect(await opening).toEqual(['Waiting for other sessions to release the tables that the upgrade changes'])
  expect(await applied(place)).toEqual([...ALL, '900-more.sql'])
})

const CONCURRENT = `-- additive
-- concurrently
CREATE INDEX "users_one" ON "users" ("avatar");
CREATE INDEX "users_two" ON "users" ("avatar") WHERE "avatar" <> '';
`
const INDEXES = `SELECT "relname" AS "name", "indisvalid" AS "isValid" FROM "pg_index"
  JOIN "pg_class" ON "pg_class"."oid" = "indexrelid" WHERE "relname" IN ('users_one', 'users_two') ORDER BY 1`
const BOTH = [
  { name: 'users_one', isValid: true },
  { name: 'users_two', isValid: true },
]

/** Three servers open, and so upgrade, the same database at once; none fails. */
async function openThrice({ url, folder }: Place, migrations: string): Promise<void> {
  const program = join(home, `open${count++}.ts`)
  writeFileSync(
    program,
    `import { closeDatabase, openDatabase } from '${join(import.meta.dirname, 'db.ts')}'
    await openDatabase(${JSON.stringify({ url, folder, migrations })})
    await closeDatabase()`,
  )
  const starts = [1, 2, 3].map(() => launch(program, {}).ended)
  expect((await Promise.all(starts)).map(({ errors }) => errors)).toEqual(['', '', ''])
}

test.runIf(process.env.ENGINE === 'postgres')('creates indexes without blocking writes', async () => {
  const place = await anOldPlace(ALL)
  const migrations = migrationsOf(ALL, { '900-indexes.sql': CONCURRENT })
  const [writer, other] = [new pg.Client(place.url), new pg.Client(place.url)]
  for (const each of [writer, other]) await each.connect()
  onTestFinished(async () => void (await Promise.all([writer.end(), other.end()])))
  // CREATE INDEX CONCURRENTLY waits for transactions that have already written.
  await writer.query('BEGIN')
  await writer.query(`UPDATE "users" SET "avatar" = 'x' WHERE "_id" = 'a'`)
  const opening = open(place, migrations)
  await expect.poll(async () => (await place.sql(INDEXES)).length).toBe(1)
  for (let at = 0; at < 5; at++) {
    await other.query(`UPDATE "users" SET "avatar" = '${at}' WHERE "_id" = 'b'`)
    await sleep(50)
  }
  expect(await applied(place)).toEqual(ALL)
  await writer.query('COMMIT')
  expect(await opening).toEqual([newIndexes('900-indexes.sql')])
  expect(await place.sql(INDEXES)).toEqual(BOTH)
  expect(await applied(place)).toEqual([...ALL, '900-indexes.sql'])
  expect(await open(place, migrations)).toEqual([])
})

test.runIf(process.env.ENGINE === 'postgres')(
  'rebuilds an invalid index left by a killed start, and concurrent starts create each index once',
  async () => {
    const place = await anOldPlace(ALL)
    await place.sql(
      'CREATE INDEX "users_two" ON "users" ("avatar")',
      `UPDATE "pg_index" SET "indisvalid" = false WHERE "indexrelid" = to_regclass('users_two')`,
    )
    await openThrice(place, migrationsOf(ALL, { '900-indexes.sql': CONCURRENT }))
    expect(await place.sql(INDEXES)).toEqual(BOTH)
    expect(await applied(place)).toEqual([...ALL, '900-indexes.sql'])
  },
)

test.runIf(process.env.ENGINE === 'postgres')(
  'creates the index of a partitioned table, partition by partition, also in concurrent starts and after a killed one',
  async () => {
    const place = await anOldPlace(ALL)
    await place.sql(
      'CREATE TABLE "parted" ("_id" TEXT PRIMARY KEY, "batch" TEXT) PARTITION BY RANGE ("_id")',
      'CREATE SCHEMA "elsewhere"',
      `CREATE TABLE "elsewhere"."parted_a" PARTITION OF "parted" FOR VALUES FROM ('a') TO ('b')`,
      `CREATE TABLE "elsewhere"."parted_b" PARTITION OF "parted" FOR VALUES FROM ('b') TO ('c')`,
      `INSERT INTO "parted" VALUES ('a', 'x'), ('b', 'x')`,
      'CREATE INDEX "parted_b_parted_batch" ON "elsewhere"."parted_b" ("batch") WHERE "batch" IS NOT NULL',
      `UPDATE "pg_index" SET "indisvalid" = false WHERE "indexrelid" = to_regclass('elsewhere.parted_b_parted_batch')`,
    )
    const index = 'CREATE INDEX "parted_batch" ON "parted" ("batch") WHERE "batch" IS NOT NULL;'
    await openThrice(place, migrationsOf(ALL, { '900-indexes.sql': `-- additive\n-- concurrently\n${index}\n` }))
    expect(await applied(place)).toEqual([...ALL, '900-indexes.sql'])
    await place.sql(`CREATE TABLE "elsewhere"."parted_c" PARTITION OF "parted" FOR VALUES FROM ('c') TO ('d')`)
    const made =
      await place.sql(`SELECT "indrelid"::regclass::text AS "table", "indisvalid" AS "isValid" FROM "pg_index"
      JOIN pg_partition_tree('parted_batch') ON "relid" = "indexrelid" ORDER BY 1`)
    expect(made).toEqual(
      ['elsewhere.parted_a', 'elsewhere.parted_b', 'elsewhere.parted_c', 'parted'].map((table) => ({
        table,
        isValid: true,
      })),
    )
  },
)

test.runIf(process.env.ENGINE === 'postgres')(
  'retries an index that could not be created at the next start',
  async () => {
    const place = await anOldPlace(ALL)
    const broken = CONCURRENT.replace(`<> ''`, '= 1')
    const said = await open(place, migrationsOf(ALL, { '900-indexes.sql': broken }))
    expect(said).toEqual([
      newIndexes('900-indexes.sql'),
      expect.stringMatching(/^Creating the indexes of 900-indexes\.sql failed \(.+\)\. The next start tries again\.$/),
    ])
    expect([await applied(place), await place.sql(INDEXES)]).toEqual([ALL, BOTH.slice(0, 1)])
    await open(place, migrationsOf(ALL, { '900-indexes.sql': CONCURRENT }))
    expect([await applied(place), await place.sql(INDEXES)]).toEqual([[...ALL, '900-indexes.sql'], BOTH])
  },
)

test('a kill during a migration leaves the database unchanged, and the next start works', async () => {
  const slow = {
    sqlite: `CREATE TABLE "more" AS WITH RECURSIVE "n"("i") AS (SELECT 1 UNION ALL SELECT "i" + 1 FROM "n" WHERE "i" < 6000000)
      SELECT max("i") AS "i" FROM "n";\n`,
    postgres: `CREATE TABLE "more" ("_id" TEXT PRIMARY KEY);\n${PAUSE}`,
  }
  // With SQLite, a copy is upgraded first, and then the database itself: one start is killed during each.
  const upgraded = { '900-more.sql': slow[engine] }
  for (const after of engine === 'sqlite' ? ['partial', 'sqlite'] : ['']) {
    const place = await anOldPlace(ALL)
    const pause = engine === 'postgres' ? await aPause(place) : undefined
    const program = join(home, `open${count++}.ts`)
    const options = { url: place.url, folder: place.folder, migrations: migrationsOf(ALL, upgraded) }
    writeFileSync(
      program,
      `import { openDatabase } from '${join(import.meta.dirname, 'db.ts')}'
      await openDatabase(${JSON.stringify(options)})
      console.log('opened')`,
    )
    const { child, ended } = launch(program, {})
    let output = ''
    child.stdout?.on('data', (part: Buffer) => (output += part.toString()))
    if (pause) await pause.reached()
    else {
      while (!copiesIn(place).some((name) => name.endsWith(after))) await sleep(20)
      // Much shorter than the migration takes.
      await sleep(100)
    }
    child.kill('SIGKILL')
    expect([(await ended).errors, output]).toEqual(['', ''])
    await pause?.end()
    expect([await applied(place), await usersIn(place)]).toEqual([ALL, ['a', 'b', 'c']])
    expect(await open(place)).toEqual([])
    await open(place, migrationsOf(ALL, { '900-more.sql': '' }))
    expect(copiesIn(place)).toEqual(engine === 'sqlite' ? ['catalogue.before-900-more.sqlite'] : [])
  }
})
