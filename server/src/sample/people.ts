import { newTier } from '@mokuroku/contract/tiers'
import { COMMENTS, type Mood } from './comments.ts'
import { between, daysBefore, hash, pick, seeded, shuffled } from './seed.ts'
import type { SampleMedia, SampleRating, SampleTier, SampleUser } from './types.ts'

/** The ladder, lowest first; the first is what everybody has. */
export function sampleTiers(): SampleTier[] {
  const newcomer = newTier().permissions
  const contributor = {
    ...newcomer,
    canCreateCharacter: true,
    canEditOwnContent: true,
    canCommentUnrestricted: true,
    maxUploadSizeMB: 10,
  }
  const editor = {
    ...contributor,
    canCreateMedia: true,
    canCreateTag: true,
    canEditAnyContent: true,
    canAccessPremiumContent: true,
    maxUploadSizeMB: 50,
  }
  const curator = {
    ...editor,
    canUploadVideo: true,
    maxUploadSizeMB: 500,
    customPermissions: { canFeatureOnHome: true },
  }
  return [
    tier('newcomer', 'Newcomer', 0, 'Reads everything and rates what was read.', newcomer),
    tier('contributor', 'Contributor', 100, 'Adds characters and keeps them in order.', contributor),
    tier('editor', 'Editor', 500, 'Adds works and tags, and corrects anything.', editor),
    tier('curator', 'Curator', 2000, 'Looks after the whole catalogue, videos included.', curator),
  ]
}

const tier = (
  name: string,
  title: string,
  requiredScore: number,
  description: string,
  permissions: SampleTier['permissions'],
): SampleTier => ({
  key: `tier:${name}`,
  name: title,
  description,
  requiredScore,
  isActive: true,
  permissions,
  createdAt: daysBefore(420),
})

/** Fifteen people: some in each tier, two moderators, and one whose account was closed. No admin: the loader has one. */
export function sampleUsers(): SampleUser[] {
  return [
    user('yuki_n', 12, 82, 1.2),
    user('tomasz', 40, 120, 9.5),
    user('linh_tran', 75, 96, 0.4),
    user('petr_v', 90, 310, 20, { isActive: false }),
    user('amelie', 130, 150, 2.8),
    user('somchai', 260, 205, 6.1),
    user('chen_wei', 310, 188, 0.9),
    user('olga_s', 470, 240, 3.3),
    user('mori_reads', 620, 260, 0.3),
    user('marguerite', 980, 330, 1.1),
    user('liu_yang', 1450, 301, 0.2),
    user('sato_k', 2400, 380, 0.6),
    user('isabel', 3100, 402, 0.1),
    user('daniel_m', 4100, 410, 2.2, { role: 'moderator' }),
    user('hanako_m', 5200, 415, 0.05, { role: 'moderator' }),
  ]
}

const user = (
  username: string,
  scores: number,
  joined: number,
  seen: number,
  more: Partial<Pick<SampleUser, 'role' | 'isActive'>> = {},
): SampleUser => ({
  key: `user:${username}`,
  username,
  email: `${username.replace('_', '.')}@example.org`,
  role: 'user',
  isActive: true,
  scores,
  createdAt: daysBefore(joined),
  lastLogin: daysBefore(seen),
  ...more,
})

/**
 * The ratings of each of `media` in turn: three to nine for a novel or manga, one to five for about one anime in 42,
 * chosen by its key, and none for the rest. All lie in the thirty days before the reference date.
 */
export function* ratingsOf(media: Iterable<Pick<SampleMedia, 'key' | 'mediaType'>>): Generator<SampleRating> {
  const everybody = sampleUsers().map(({ username }) => username)
  for (const { key, mediaType } of media) {
    if (mediaType === 'ANIME' && hash(`rated ${key}`) % 42 !== 0) continue
    const random = seeded(`ratings ${key}`)
    const count = mediaType === 'ANIME' ? between(random, 1, 5) : between(random, 3, 9)
    const quality = 6.4 + random() * 2.8
    const said = new Set<string>()
    for (const username of shuffled(random, everybody).slice(0, count)) {
      const score = Math.round(Math.min(10, Math.max(0, quality + (random() + random() - 1) * 2.6)) * 10) / 10
      const comment = commentOn(random, mediaType, score, said)
      const createdAt = daysBefore((username === 'petr_v' ? 20 : 0) + random() * (username === 'petr_v' ? 10 : 30))
      yield { key: `rating:${key}:${username}`, media: key, username, score, ...(comment && { comment }), createdAt }
    }
  }
}

/** Nothing in four cases of ten; else something not yet `said` of the same work. */
function commentOn(random: () => number, type: SampleMedia['mediaType'], score: number, said: Set<string>) {
  if (random() < 0.4) return undefined
  const mood: Mood = score >= 8.4 ? 'delighted' : score >= 7 ? 'pleased' : 'doubtful'
  const left = [...COMMENTS[mood].any, ...COMMENTS[mood][type]].filter((comment) => !said.has(comment))
  const comment = pick(random, left)
  said.add(comment)
  return comment
}
