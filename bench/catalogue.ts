// Generates a catalogue of any size with the same rows that the server would write, but with bulk inserts.
import { TAG_TYPES } from '@mokuroku/contract/tags'
import { closeDatabase, openDatabase } from '../server/src/database/db.ts'
import { rebuildFindings } from '../server/src/findings/rebuild.ts'
import '../server/src/kinds.ts'
import { between, pick, seeded } from '../server/src/sample/seed.ts'
import { indexTokens, type NewLabel, rowsOf } from '../server/src/search/entries.ts'
import { tsVector } from '../server/src/search/grams.ts'
import { VERSION } from '../server/src/search/progress.ts'
import { withReadings } from '../server/src/search/readings.ts'
import { ensureFirstAdmin } from '../server/src/users/bootstrap.ts'
import { type Bulk, postgresBulk, sqliteBulk } from './bulk.ts'
import { type Titles, titlesOf } from './titles.ts'

export const ADMIN = { email: 'bench@example.org', password: 'correct horse battery' }
const FIRST = Date.parse('2020-01-01T00:00:00.000Z')
const SPAN = Date.parse('2026-01-01T00:00:00.000Z') - FIRST
const TAGS = 60
const COVERS = 500
const READ_AHEAD = 1000
const SCORES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

/** The location of a catalogue, as environment variables for a server. */
export interface Place {
  DATA_DIR: string
  DATABASE_URL?: string | undefined
}

/** The id of the media with this number in a catalogue of `size` media: a UUIDv7 with its creation time. */
export const mediaId = (number: number, size: number): string => idAt(momentOf(number, size), 'a', number)

/** Fills a new database with `size` media, and their tags, covers, links, revisions, history, activities and labels. */
export async function fill(place: Place, size: number): Promise<void> {
  await openDatabase({ url: place.DATABASE_URL, folder: place.DATA_DIR })
  await ensureFirstAdmin(ADMIN.email, ADMIN.password)
  await closeDatabase()
  const bulk = place.DATABASE_URL ? await postgresBulk(place.DATABASE_URL) : sqliteBulk(place.DATA_DIR)
  const uses = new Map<string, number>()
  const write = writer(bulk, place.DATABASE_URL !== undefined)
  for (let number = 0; number < COVERS; number++) await bulk.add('assets', cover(number))
  for (let number = 0; number < size; number++) {
    if (number % READ_AHEAD === 0) await readTitles(number, size)
    const tags = await write(number, size)
    for (const tag of tags) uses.set(tag, (uses.get(tag) ?? 0) + 1)
  }
  const totals = new Map<string, number>([
    ['mediaCount', size],
    ['tagCount', TAGS],
    ['assetCount', COVERS],
    // Marks the search index as current, so that the server does not rebuild it during the benchmark.
    ['searchVersion', VERSION],
    ...['en', 'ja', 'zh', 'ru'].map((tag): [string, number] => [`filledCount.Media.${tag}`, size]),
  ])
  const more = (name: string, by: number) => totals.set(name, (totals.get(name) ?? 0) + by)
  for (let number = 0; number < TAGS; number++) {
    const row = tag(number, uses.get(tagId(number)) ?? 0)
    await bulk.add('tags', row)
    more(`tagCount.${row.type}`, 1)
    more(`tagUsage.${row.type}`, row.usageCount)
  }
  for (const [name, value] of totals) await bulk.run(counter(name, value))
  await bulk.end()
  await check(place)
}

/** Computes the findings, which the first start would otherwise do. */
async function check(place: Place): Promise<void> {
  await openDatabase({ url: place.DATABASE_URL, folder: place.DATA_DIR })
  await rebuildFindings(new AbortController().signal)
  await closeDatabase()
}

const counter = (name: string, value: number) =>
  `INSERT INTO "counters" VALUES ('${name}', ${value}) ON CONFLICT ("name") DO UPDATE SET "value" = ${value}`

const labelsOf = (titles: Titles) => [
  { language: '', text: titles.ja },
  ...Object.entries(titles).map(([language, text]) => ({ language, text })),
]

/** Derives the readings of the next titles in one batch; one by one, each would wait for the worker thread. */
async function readTitles(first: number, size: number): Promise<void> {
  const numbers = Array.from({ length: Math.min(READ_AHEAD, size - first) }, (_, at) => first + at)
  await withReadings(numbers.flatMap((number) => labelsOf(titlesOf(number))))
}

/** Writes one media with all its derived rows. Returns the ids of its tags. */
function writer(bulk: Bulk, isPostgres: boolean) {
  // Starts above the ids of the first user's labels.
  let [label, cells] = [1000, 0]
  const addLabel = async (row: NewLabel) => {
    const tokens = indexTokens(row)
    if (isPostgres) return bulk.add('labels', { ...row, grams: tsVector(tokens) })
    await bulk.add('labels', { id: ++label, ...row })
    await bulk.add('labelGrams', { rowid: label, grams: tokens.join(' ') })
  }
  return async (number: number, size: number): Promise<string[]> => {
    const { row, tags, titles, snapshot } = mediaOf(number, size)
    const { _id, createdAt, updatedAt, version } = row
    await bulk.add('media', row)
    const versions = version === 1 ? [1] : [1, 2]
    for (const each of versions) {
      const at = each === 1 ? createdAt : updatedAt
      const revisionId = idAt(Date.parse(at), `c${each}`, number)
      await bulk.add('revisions', revisionOf(revisionId, _id, each, at, snapshot))
      if (each > 1)
        await bulk.add('history', cellOf(idAt(Date.parse(at), 'd', cells++), revisionId, _id, titles.en, at))
      if (number % 10 === 0)
        await bulk.add('activities', activityOf(idAt(Date.parse(at), `e${each}`, number), _id, each, titles.en, at))
    }
    for (const toId of tags)
      await bulk.add('links', { fromKind: 'Media', fromId: _id, field: 'tags', toKind: 'Tag', toId })
    if (row.cover)
      await bulk.add('links', { fromKind: 'Media', fromId: _id, field: 'cover', toKind: 'Asset', toId: row.cover })
    for (const each of await rowsOf('Media', _id, await withReadings(labelsOf(titles)))) await addLabel(each)
    return tags
  }
}

function mediaOf(number: number, size: number) {
  const random = seeded(`media ${number}`)
  const titles = titlesOf(number)
  const created = momentOf(number, size)
  const isEdited = number % 5 === 0
  const createdAt = new Date(created).toISOString()
  const updatedAt = isEdited ? new Date(created + between(random, 1, 90) * 86_400_000).toISOString() : createdAt
  const tags = [
    ...new Set(Array.from({ length: between(random, 1, 5) }, () => tagId(Math.floor(TAGS * random() ** 2)))),
  ]
  const translations = Object.fromEntries(
    Object.entries(titles).map(([language, title]) => [
      language,
      {
        title,
        description:
          language === 'en' ? `${title} is a story in several volumes, told by those who were there.` : `${title}。`,
      },
    ]),
  )
  const isRated = random() < 0.4
  const ratings = isRated ? between(random, 1, 40) : 0
  const sum = ratings === 0 ? 0 : Math.round(ratings * (55 + random() * 40))
  const fields = {
    mediaType: (['ANIME', 'ANIME', 'ANIME', 'MANGA', 'NOVEL'] as const)[between(random, 0, 4)] ?? 'ANIME',
    translations,
    originalTitle: titles.ja,
    isOngoing: random() < 0.15,
    releaseDate: new Date(
      Date.UTC(between(random, 1965, 2026), between(random, 0, 11), between(random, 1, 28)),
    ).toISOString(),
    duration: 24,
    episodes: pick(random, [1, 12, 13, 24, 26, 52]),
    characters: [],
    tags,
    cover: random() < 0.6 ? coverId(between(random, 0, COVERS - 1)) : '',
    assets: [],
    relatedMedia: number >= 10 && random() < 0.2 ? [mediaId(number - between(random, 1, 10), size)] : [],
  }
  const row = {
    _id: mediaId(number, size),
    ...fields,
    translations: JSON.stringify(translations),
    isOngoing: fields.isOngoing ? 1 : 0,
    characters: '[]',
    tags: JSON.stringify(tags),
    assets: '[]',
    relatedMedia: JSON.stringify(fields.relatedMedia),
    averageRating: ratings === 0 ? 0 : sum / (10 * ratings),
    ratingCount: ratings,
    ratingSum: sum,
    // As if all users had given the same score.
    ratingHistogram: JSON.stringify(SCORES.map((score) => (score === Math.round(sum / (10 * ratings)) ? ratings : 0))),
    version: isEdited ? 2 : 1,
    createdBy: 'system',
    createdAt,
    updatedAt,
    deletedAt: null,
  }
  return { row, tags, titles, snapshot: JSON.stringify(fields) }
}

const revisionOf = (_id: string, entityId: string, version: number, createdAt: string, snapshot: string) => ({
  _id,
  entityType: 'Media',
  entityId,
  version,
  action: version === 1 ? 'create' : 'update',
  origin: 'import',
  batch: null,
  reason: null,
  userId: 'system',
  username: 'system',
  paths: version === 1 ? '[]' : '["translations.en.title"]',
  snapshot,
  createdAt,
})

const cellOf = (_id: string, revisionId: string, entityId: string, title: string, createdAt: string) => ({
  _id,
  revisionId,
  entityType: 'Media',
  entityId,
  language: 'en',
  field: 'title',
  oldValue: title.toUpperCase(),
  newValue: title,
  updatedById: 'system',
  updatedBy: 'system',
  isRolledBack: 0,
  createdAt,
})

const activityOf = (_id: string, entityId: string, version: number, title: string, createdAt: string) => ({
  _id,
  type: version === 1 ? 'MEDIA_CREATED' : 'TRANSLATION_UPDATED',
  description: `Media ${version === 1 ? 'created' : 'updated'}: ${title}`,
  username: 'system',
  entityType: 'Media',
  entityId,
  title,
  createdAt,
})

const kept = {
  version: 1,
  createdBy: 'system',
  createdAt: new Date(FIRST).toISOString(),
  updatedAt: new Date(FIRST).toISOString(),
  deletedAt: null,
}

const tag = (number: number, uses: number) => ({
  _id: tagId(number),
  type: TAG_TYPES[number % TAG_TYPES.length] ?? 'CUSTOM',
  translations: JSON.stringify({
    en: { name: `Tag ${number}`, description: '' },
    ja: { name: `タグ${number}`, description: '' },
    zh: { name: `标签${number}`, description: '' },
  }),
  icon: null,
  color: '#3366cc',
  parentTag: null,
  status: 'ACTIVE',
  usageCount: uses,
  mediaCount: uses,
  characterCount: 0,
  ...kept,
})

const cover = (number: number) => ({
  _id: coverId(number),
  type: 'IMAGE',
  filename: `cover ${number}.webp`,
  mimeType: 'image/webp',
  size: 40_000,
  dimensions: '{"width":400,"height":600}',
  status: 'READY',
  isPublic: 1,
  contentHash: `hash ${number}`,
  storageKey: `cover${number}.webp`,
  ...kept,
})

export const tagId = (number: number) => idAt(FIRST, '1', number)
const coverId = (number: number) => idAt(FIRST, '2', number)
export const momentOf = (number: number, size: number) => FIRST + Math.floor((number / size) * SPAN)

/** An id in the form of a UUIDv7, made of a timestamp, a mark that distinguishes tables, and a number. */
function idAt(moment: number, mark: string, number: number): string {
  const time = moment.toString(16).padStart(12, '0')
  const rest = `${mark.padEnd(3, '0')}8${number.toString(16).padStart(15, '0')}`
  return `${time.slice(0, 8)}-${time.slice(8)}-7${rest.slice(0, 3)}-${rest.slice(3, 7)}-${rest.slice(7)}`
}
