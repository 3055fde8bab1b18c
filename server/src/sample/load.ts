import { countersOf, setCounter } from '#lib/counters.ts'
import { db, transaction } from '#lib/db.ts'
import { characters } from '#store/characters'
import { dashboard } from '#store/dashboard'
import { media } from '#store/media'
import { ratings } from '#store/ratings'
import { tags } from '#store/tags'
import { tiers } from '#store/tiers'
import { users } from '#store/users'
import { bangumiAnime } from './bangumi.ts'
import { coverSvg, portraitSvg } from './covers.ts'
import { replayEdits } from './replay.ts'
import { ratingsOf, sampleTiers, sampleUsers } from './people.ts'
import { drawPictures } from './pictures.ts'
import { announce, happened, idsOf, store } from './records.ts'
import { sampleTags } from './tags.ts'
import { sampleCharacters, sampleWorks } from './works.ts'

interface Loading {
  /** Takes a line about how far it is. */
  say: (line: string) => void
  /** Stops between two steps; the next start goes on from there. */
  signal: AbortSignal
  /** Load it into a catalogue that is not empty, too. */
  always?: boolean
}

const STARTED = 1
const COMPLETE = 2
/** Anime between two lines about progress. */
const A_WHILE = 1000

/**
 * Loads the sample catalogue through the ledger, and answers whether it did. Ids come from the records' keys, so what
 * is there is left alone: it may be stopped at any point and run again. The catalogue can be used meanwhile.
 */
export async function loadSample(loading: Loading): Promise<boolean> {
  const { sample = 0, mediaCount = 0 } = await countersOf(db, ['sample', 'mediaCount'])
  const wanted = loading.always || sample === STARTED || (sample === 0 && mediaCount === 0)
  if (!wanted) return false
  await transaction((tx) => setCounter(tx, 'sample', STARTED))
  // Pictures are drawn beside the main thread, so the anime need not wait for them.
  const works = (): Promise<void> => loadCharacters(loading).then(() => loadWorks(loading))
  const steps = [
    loadPeople,
    loadTags,
    () => allOf([works(), loadAnime(loading)]),
    () => loadRatings(loading),
    replayEdits,
  ]
  for (const step of steps) {
    if (loading.signal.aborted) return false
    await step()
  }
  if (loading.signal.aborted) return false
  await transaction(async (tx) => {
    await setCounter(tx, 'sample', COMPLETE)
    if (sample !== COMPLETE) await dashboard.note(tx, 'CATALOGUE_IMPORTED', 'Sample catalogue loaded')
  })
  loading.say('The sample catalogue is loaded')
  return true
}

/** As `Promise.all`, but when it fails none of them goes on: the whole may be tried again. */
async function allOf(work: Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find((each) => each.status === 'rejected')
  if (failed) throw failed.reason
}

async function loadPeople(): Promise<void> {
  // The first start has made the tier that everybody is in.
  const others = sampleTiers().filter(({ requiredScore }) => requiredScore > 0)
  await store('Tier', others, (tx, id, { key: _, createdAt, ...tier }) =>
    tiers.createIn(tx, id, tier, happened(createdAt)),
  )
  // No password fits this: the people of the sample do not sign in.
  await store('User', sampleUsers(), (tx, id, { key: _, createdAt, lastLogin: __, ...user }) =>
    users.add(tx, user, 'none', { ...happened(createdAt), id }),
  )
}

async function loadTags(): Promise<void> {
  await store('Tag', sampleTags(), (tx, id, { key: _, createdAt, ...tag }) =>
    tags.createIn(
      tx,
      id,
      { ...tag, parentTag: idsOf([tag.parentTag])[0] ?? null },
      { ...happened(createdAt), quiet: true },
    ),
  )
}

async function loadCharacters({ signal }: Loading): Promise<void> {
  const all = sampleCharacters()
  const portraits = all.map((one) => ({
    ...one,
    key: `portrait:${one.key}`,
    width: 600,
    height: 600,
    svg: () => portraitSvg(one),
  }))
  await drawPictures(portraits, signal)
  if (signal.aborted) return
  await store('Character', all, (tx, id, { key, createdAt, createdBy, ...character }) => {
    const links = { tags: idsOf(character.tags), cover: idsOf([`portrait:${key}`])[0] ?? '' }
    return characters.createIn(tx, id, { ...character, ...links }, { ...happened(createdAt, createdBy), quiet: true })
  })
}

async function loadWorks({ signal, say }: Loading): Promise<void> {
  const all = sampleWorks()
  const covers = all.map((one) => ({
    ...one,
    key: `cover:${one.key}`,
    width: 600,
    height: 840,
    svg: () => coverSvg(one),
  }))
  await drawPictures(covers, signal)
  if (signal.aborted) return
  await store('Media', all, (tx, id, { key, createdAt, createdBy, relatedMedia: _, ...work }) => {
    const links = {
      tags: idsOf(work.tags),
      characters: idsOf(work.characters),
      cover: idsOf([`cover:${key}`])[0] ?? '',
    }
    return media.createIn(
      tx,
      id,
      { ...work, ...links, assets: idsOf([`cover:${key}`]) },
      happened(createdAt, createdBy),
    )
  })
  // A work and its adaptation point at each other, so both must be there first.
  for (const { key, relatedMedia, createdAt, createdBy } of all.filter((work) => work.relatedMedia?.length)) {
    const [id = ''] = idsOf([key])
    if ((await media.row(id))?.version === 1)
      await media.update(id, { relatedMedia: idsOf(relatedMedia) }, { ...happened(createdAt, createdBy), quiet: true })
  }
  say(`${all.length} novels and manga are ready`)
}

async function loadAnime({ say, signal }: Loading): Promise<void> {
  const all = [...bangumiAnime()]
  await store(
    'Media',
    all,
    (tx, id, { key: _, createdAt, createdBy: __, ...anime }) =>
      media.createIn(tx, id, { ...anime, tags: idsOf(anime.tags) }, { ...happened(createdAt), quiet: true }),
    { signal, after: (done) => void (done % A_WHILE === 0 && say(`${done} of ${all.length} anime`)) },
  )
}

async function loadRatings({ signal }: Loading): Promise<void> {
  const rated = [...sampleWorks(), ...bangumiAnime()]
  announce(rated)
  await store(
    'Rating',
    ratingsOf(rated),
    (tx, id, { key: _, createdAt, media: of, username, ...rating }) => {
      const [mediaId = '', userId = ''] = [idsOf([of])[0], idsOf([`user:${username}`])[0]]
      return ratings.createIn(tx, id, { ...rating, mediaId, userId }, happened(createdAt, username))
    },
    { signal },
  )
}
