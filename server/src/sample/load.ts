import { countersOf, setCounter } from '#ledger/counters.ts'
import { db, transaction } from '#database/db.ts'
import { characters } from '#store/characters'
import { recordNote } from '#ledger/record.ts'
import { media } from '#store/media'
import { ratings } from '#store/ratings'
import { tags } from '#store/tags'
import { tiers } from '#store/tiers'
import { users } from '#store/users'
import { bangumiAnime } from './bangumi.ts'
import { type SampleMedia, sampleCharacters, sampleTags, sampleTiers, sampleUsers, sampleWorks } from './data.ts'
import { addImages } from './pictures.ts'
import { type SampleRating, ratingsOf } from './ratings.ts'
import { contextAt, idsOf, registerIds, storeMissing, type Stored } from './records.ts'
import { replayEdits } from './replay.ts'

interface LoadOptions {
  /** Receives progress messages. */
  log: (line: string) => void
  /** Stops between two steps; the next start continues from there. */
  signal: AbortSignal
  /** Loads the sample even if the catalogue is not empty. */
  always?: boolean
}

const STARTED = 1
const COMPLETE = 2
/** Number of anime between two progress messages. */
const PROGRESS_INTERVAL = 1000

/**
 * Loads the sample catalogue through the ledger, and returns whether it did. Ids are derived from the records' keys,
 * and existing records are skipped, so it may be stopped at any point and run again. The catalogue can be used
 * meanwhile.
 */
export async function loadSample(options: LoadOptions): Promise<boolean> {
  const { sample = 0, mediaCount = 0 } = await countersOf(db, ['sample', 'mediaCount'])
  const isDue = options.always || sample === STARTED || (sample === 0 && mediaCount === 0)
  if (!isDue) return false
  await transaction((tx) => setCounter(tx, 'sample', STARTED))
  // What is first in the lists is loaded first, with everything that belongs to it.
  const steps = [
    loadPeople,
    loadTags,
    () => loadCharacters(options),
    () => loadWorks(options),
    () => loadRatings(options, sampleWorks()),
    () => loadAnime(options),
    () => loadRatings(options, bangumiAnime()),
    replayEdits,
  ]
  for (const step of steps) {
    if (options.signal.aborted) return false
    await step()
  }
  if (options.signal.aborted) return false
  await transaction(async (tx) => {
    await setCounter(tx, 'sample', COMPLETE)
    if (sample !== COMPLETE) await recordNote(tx, 'CATALOGUE_IMPORTED', 'Sample catalogue loaded')
  })
  options.log('The sample catalogue is loaded')
  return true
}

async function loadPeople(): Promise<void> {
  await storeMissing('Tier', sampleTiers(), async (tx, records) => {
    for (const { id, record } of records) {
      const { key: _, createdAt, ...tier } = record
      await tiers.createIn(tx, id, tier, contextAt(createdAt))
    }
  })
  // No password matches this: the users of the sample cannot sign in.
  await storeMissing('User', sampleUsers(), async (tx, records) => {
    for (const { id, record } of records) {
      const { key: _, createdAt, ...user } = record
      await users.add(tx, user, 'none', { ...contextAt(createdAt), id })
    }
  })
}

async function loadTags(): Promise<void> {
  // A tag may be the child of the one right before it.
  await storeMissing('Tag', sampleTags(), async (tx, records) => {
    for (const { id, record } of records) {
      const { key: _, createdAt, ...tag } = record
      const parentTag = idsOf([tag.parentTag])[0] ?? null
      await tags.createIn(tx, id, { ...tag, parentTag }, { ...contextAt(createdAt), quiet: true })
    }
  })
}

async function loadCharacters({ signal }: LoadOptions): Promise<void> {
  const all = sampleCharacters()
  const portraits = all.map((one) => ({ ...one, key: `portrait:${one.key}`, width: 600, height: 600 }))
  await addImages(portraits, signal)
  if (signal.aborted) return
  const made = ({ id, record: { key, createdAt, createdBy, ...character } }: Stored<(typeof all)[number]>) => {
    const links = { tags: idsOf(character.tags), cover: idsOf([`portrait:${key}`])[0] ?? '' }
    return { id, input: { ...character, ...links }, context: { ...contextAt(createdAt, createdBy), quiet: true } }
  }
  await storeMissing('Character', all, (tx, records) => characters.createManyIn(tx, records.map(made)))
}

async function loadWorks({ signal, log }: LoadOptions): Promise<void> {
  const all = sampleWorks()
  const covers = all.map((one) => ({ ...one, key: `cover:${one.key}`, width: 600, height: 840 }))
  await addImages(covers, signal)
  if (signal.aborted) return
  const made = ({ id, record }: Stored<(typeof all)[number]>) => {
    const { key, createdAt, createdBy, relatedMedia: _, ...work } = record
    const [tagIds, cast, assets] = [idsOf(work.tags), idsOf(work.characters), idsOf([`cover:${key}`])]
    const links = { tags: tagIds, characters: cast, assets, cover: assets[0] ?? '' }
    return { id, input: { ...work, ...links }, context: contextAt(createdAt, createdBy) }
  }
  await storeMissing('Media', all, (tx, records) => media.createManyIn(tx, records.map(made)))
  // A work and its adaptation refer to each other, so both must exist first.
  for (const { key, relatedMedia, createdAt, createdBy } of all.filter((work) => work.relatedMedia?.length)) {
    const [id = ''] = idsOf([key])
    if ((await media.row(id))?.version === 1)
      await media.update(id, { relatedMedia: idsOf(relatedMedia) }, { ...contextAt(createdAt, createdBy), quiet: true })
  }
  log(`${all.length} novels and manga are ready`)
}

async function loadAnime({ log, signal }: LoadOptions): Promise<void> {
  const all = [...bangumiAnime()]
  const made = ({ id, record }: Stored<(typeof all)[number]>) => {
    const { key: _, createdAt, createdBy: __, ...anime } = record
    return { id, input: { ...anime, tags: idsOf(anime.tags) }, context: { ...contextAt(createdAt), quiet: true } }
  }
  await storeMissing('Media', all, (tx, records) => media.createManyIn(tx, records.map(made)), {
    signal,
    after: (done) => void (done % PROGRESS_INTERVAL === 0 && log(`${done} of ${all.length} anime`)),
  })
}

async function loadRatings({ signal }: LoadOptions, rated: Iterable<SampleMedia>): Promise<void> {
  const all = [...rated]
  registerIds(all)
  const made = ({ id, record }: Stored<SampleRating>) => {
    const { key: _, createdAt, media: of, username, ...rating } = record
    const [mediaId = '', userId = ''] = [idsOf([of])[0], idsOf([`user:${username}`])[0]]
    return { id, input: { ...rating, mediaId, userId }, context: contextAt(createdAt, username) }
  }
  await storeMissing('Rating', ratingsOf(all), (tx, records) => ratings.createManyIn(tx, records.map(made)), { signal })
}
