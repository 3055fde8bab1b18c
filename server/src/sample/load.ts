import { countersOf, setCounter } from '#ledger/counters.ts'
import { db, transaction, type Transaction } from '#database/db.ts'
import { addOnce } from '#jobs/queue.ts'
import { registerWork } from '#jobs/work.ts'
import { freeMemoryLater } from '#lib/memory.ts'
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
  /** Called first in each transaction that stores records. Throws if another process loads the sample by now. */
  hold?: (tx: Transaction) => Promise<void>
}

/** The job that loads the sample; there is only one, whichever servers want it. */
const LOADING = 'sample.load'

const STARTED = 1
const COMPLETE = 2
/** Number of anime between two progress messages. */
const PROGRESS_INTERVAL = 1000

registerWork(LOADING, {
  run: async ({ signal, hold }) => {
    const log = (line: string) => void process.stdout.write(`${line}\n`)
    // Each transaction is progress, so that a server may be killed any number of times.
    await loadSample({ log, signal, hold: (tx) => hold(tx, 0) })
    freeMemoryLater()
  },
  hasOwnSlot: true,
})

/** Queues the loading of the sample catalogue, unless it is loaded or there are other entries. */
export async function loadSampleLater(): Promise<void> {
  if (isDue(await readState())) await transaction((tx) => addOnce(tx, LOADING))
}

const readState = () => countersOf(db, ['sample', 'mediaCount'])

const isDue = ({ sample = 0, mediaCount = 0 }: Partial<Record<string, number>>): boolean =>
  sample === STARTED || (sample === 0 && mediaCount === 0)

/**
 * Loads the sample catalogue through the ledger, and returns whether it did. Ids are derived from the records' keys,
 * and existing records are skipped, so it may be stopped at any point and run again. The catalogue can be used
 * meanwhile.
 */
export async function loadSample(options: LoadOptions): Promise<boolean> {
  const state = await readState()
  if (!options.always && !isDue(state)) return false
  await transaction((tx) => setCounter(tx, 'sample', STARTED))
  // What is first in the lists is loaded first, with everything that belongs to it.
  const steps = [
    () => loadPeople(options),
    () => loadTags(options),
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
    if (state.sample !== COMPLETE) await recordNote(tx, 'CATALOGUE_IMPORTED', 'Sample catalogue loaded')
  })
  options.log('The sample catalogue is loaded')
  return true
}

async function loadPeople({ hold }: LoadOptions): Promise<void> {
  await storeMissing('Tier', sampleTiers(), { hold }, async (tx, records) => {
    for (const { id, record } of records) {
      const { key: _, createdAt, ...tier } = record
      await tiers.createIn(tx, id, tier, contextAt(createdAt))
    }
  })
  // No password matches this: the users of the sample cannot sign in.
  await storeMissing('User', sampleUsers(), { hold }, async (tx, records) => {
    for (const { id, record } of records) {
      const { key: _, createdAt, ...user } = record
      await users.add(tx, user, 'none', { ...contextAt(createdAt), id })
    }
  })
}

async function loadTags({ hold }: LoadOptions): Promise<void> {
  // A tag may be the child of the one right before it.
  await storeMissing('Tag', sampleTags(), { hold }, async (tx, records) => {
    for (const { id, record } of records) {
      const { key: _, createdAt, ...tag } = record
      const parentTag = idsOf([tag.parentTag])[0] ?? null
      await tags.createIn(tx, id, { ...tag, parentTag }, { ...contextAt(createdAt), quiet: true })
    }
  })
}

async function loadCharacters({ signal, hold }: LoadOptions): Promise<void> {
  const all = sampleCharacters()
  const portraits = all.map((one) => ({ ...one, key: `portrait:${one.key}`, width: 600, height: 600 }))
  await addImages(portraits, signal)
  if (signal.aborted) return
  const made = ({ id, record: { key, createdAt, createdBy, ...character } }: Stored<(typeof all)[number]>) => {
    const links = { tags: idsOf(character.tags), cover: idsOf([`portrait:${key}`])[0] ?? '' }
    return { id, input: { ...character, ...links }, context: { ...contextAt(createdAt, createdBy), quiet: true } }
  }
  await storeMissing('Character', all, { hold }, (tx, records) => characters.createManyIn(tx, records.map(made)))
}

async function loadWorks({ signal, log, hold }: LoadOptions): Promise<void> {
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
  await storeMissing('Media', all, { hold }, (tx, records) => media.createManyIn(tx, records.map(made)))
  // A work and its adaptation refer to each other, so both must exist first.
  for (const { key, relatedMedia, createdAt, createdBy } of all.filter((work) => work.relatedMedia?.length)) {
    const [id = ''] = idsOf([key])
    if ((await media.row(id))?.version === 1)
      await media.update(id, { relatedMedia: idsOf(relatedMedia) }, { ...contextAt(createdAt, createdBy), quiet: true })
  }
  log(`${all.length} novels and manga are ready`)
}

async function loadAnime({ log, signal, hold }: LoadOptions): Promise<void> {
  const all = [...bangumiAnime()]
  const made = ({ id, record }: Stored<(typeof all)[number]>) => {
    const { key: _, createdAt, createdBy: __, ...anime } = record
    return { id, input: { ...anime, tags: idsOf(anime.tags) }, context: { ...contextAt(createdAt), quiet: true } }
  }
  const after = (done: number) => void (done % PROGRESS_INTERVAL === 0 && log(`${done} of ${all.length} anime`))
  const options = { signal, hold, after }
  await storeMissing('Media', all, options, (tx, records) => media.createManyIn(tx, records.map(made)))
}

async function loadRatings({ signal, hold }: LoadOptions, rated: Iterable<SampleMedia>): Promise<void> {
  const all = [...rated]
  registerIds(all)
  const made = ({ id, record }: Stored<SampleRating>) => {
    const { key: _, createdAt, media: of, username, ...rating } = record
    const [mediaId = '', userId = ''] = [idsOf([of])[0], idsOf([`user:${username}`])[0]]
    return { id, input: { ...rating, mediaId, userId }, context: contextAt(createdAt, username) }
  }
  const options = { signal, hold }
  await storeMissing('Rating', ratingsOf(all), options, (tx, records) => ratings.createManyIn(tx, records.map(made)))
}
