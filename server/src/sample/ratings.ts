import { type Comments, type SampleMedia, sampleComments, sampleUsers } from './data.ts'
import { between, daysBefore, hash, pick, seeded, shuffled } from './seed.ts'

/** A user whose account has been inactive for 20 days. */
const DEACTIVATED = 'petr_v'

export interface SampleRating {
  key: string
  createdAt: string
  /** The key of the rated work. */
  media: string
  username: string
  score: number
  comment?: string
}

/**
 * The ratings of each of `media` in turn: three to nine for a novel or manga, one to five for about one anime in 42,
 * chosen by its key, and none for the rest. All lie in the thirty days before the reference date.
 */
export function* ratingsOf(media: Iterable<Pick<SampleMedia, 'key' | 'mediaType'>>): Generator<SampleRating> {
  const everybody = sampleUsers().map(({ username }) => username)
  const comments = sampleComments()
  for (const { key, mediaType } of media) {
    if (mediaType === 'ANIME' && hash(`rated ${key}`) % 42 !== 0) continue
    const random = seeded(`ratings ${key}`)
    const count = mediaType === 'ANIME' ? between(random, 1, 5) : between(random, 3, 9)
    const quality = 6.4 + random() * 2.8
    const said = new Set<string>()
    for (const username of shuffled(random, everybody).slice(0, count)) {
      const score = Math.round(Math.min(10, Math.max(0, quality + (random() + random() - 1) * 2.6)) * 10) / 10
      const comment = commentOn(comments, random, mediaType, score, said)
      const daysAgo = username === DEACTIVATED ? 20 + random() * 10 : random() * 30
      const createdAt = daysBefore(daysAgo)
      yield { key: `rating:${key}:${username}`, media: key, username, score, ...(comment && { comment }), createdAt }
    }
  }
}

/** No comment in four of ten cases; otherwise one not yet `said` about the same work. */
function commentOn(
  comments: Comments,
  random: () => number,
  type: SampleMedia['mediaType'],
  score: number,
  said: Set<string>,
) {
  if (random() < 0.4) return undefined
  const { any, [type]: special } = comments[score >= 8.4 ? 'delighted' : score >= 7 ? 'pleased' : 'doubtful']
  const comment = pick(
    random,
    [...any, ...special].filter((each) => !said.has(each)),
  )
  said.add(comment)
  return comment
}
