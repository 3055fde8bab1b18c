// How tests create, change and call an entity of each kind. A new kind needs an entry here, and is then tested like the
// others: activities, trash, revisions, permissions, fuzzing.
import { assetsApi } from '@mokuroku/contract/assets'
import { charactersApi } from '@mokuroku/contract/characters'
import type { Kind } from '@mokuroku/contract/kinds'
import { mediaApi, newMedia } from '@mokuroku/contract/media'
import { ratingsApi } from '@mokuroku/contract/ratings'
import type { Route } from '@mokuroku/contract/route'
import { newTag, tagsApi } from '@mokuroku/contract/tags'
import { type Capability, newTier, tiersApi } from '@mokuroku/contract/tiers'
import { usersApi } from '@mokuroku/contract/users'
import { transaction } from '#database/db.ts'
import type { WriteContext } from '#ledger/definition.ts'
import { newId } from '#lib/ids.ts'
import { assets } from '#store/assets'
import { ratings } from '#store/ratings'
import { aCharacter, aMedia, aTag, aTier, aUser } from '#test/factories.ts'

/** The kinds that can have many entities. */
export type ManyKind = Exclude<Kind, 'Setting'>

interface KindSample {
  api: { list: Route; find: Route; update: Route; remove: Route; restore: Route }
  /** Stores an entity of the actor, and returns its id. */
  create: (context: WriteContext) => Promise<string>
  /** A request body that changes it. */
  body: () => object
  /** A field that the ledger may change, other than its texts. */
  change: object
  texts?: object
  /** For a kind with the usual catalogue routes: the permission that lets a user create one. */
  createdWith?: Capability
}

let count = 0
const name = () => `one${++count}`
const names = () => ({ en: { name: name(), description: '' } })

export const KIND_SAMPLES: Record<ManyKind, KindSample> = {
  Media: {
    api: mediaApi,
    create: async (context) => (await aMedia({}, context))._id,
    body: () => ({ ...newMedia('2020-04-01T00:00:00.000Z'), translations: { en: { title: name(), description: '' } } }),
    change: { isOngoing: true },
    texts: { translations: { en: { title: 'Another', description: '' } } },
    createdWith: 'canCreateMedia',
  },
  Character: {
    api: charactersApi,
    create: (context) => aCharacter({}, context),
    body: () => ({ translations: names() }),
    change: { originalName: 'Kokoro' },
    texts: { translations: { en: { name: 'Another', description: '' } } },
    createdWith: 'canCreateCharacter',
  },
  Tag: {
    api: tagsApi,
    create: (context) => aTag({}, context),
    body: () => ({ ...newTag(), translations: names() }),
    change: { color: '#123456' },
    texts: { translations: { en: { name: 'Another', description: '' } } },
    createdWith: 'canCreateTag',
  },
  Asset: {
    api: assetsApi,
    create: (context) => anAsset(context),
    body: () => ({ filename: 'another.png' }),
    change: { isPublic: false },
  },
  Rating: {
    api: ratingsApi,
    create: async (context) => {
      const { _id: mediaId } = await aMedia()
      return ratings.create({ userId: context.actor._id, mediaId, score: 5, comment: '' }, context)
    },
    body: () => ({ score: 1 }),
    change: { score: 6 },
  },
  Tier: {
    api: tiersApi,
    create: () => aTier(++count, {}),
    body: () => ({ ...newTier(), name: name(), requiredScore: 10_000 + ++count }),
    change: { description: 'Another' },
  },
  User: {
    api: usersApi,
    create: async () => (await aUser())._id,
    body: () => ({ scores: 7 }),
    change: { scores: 5 },
  },
}

export const MANY_KINDS = Object.keys(KIND_SAMPLES) as ManyKind[]

/** An image asset whose file does not exist. */
export async function anAsset(context: WriteContext, status: 'READY' | 'ERROR' = 'READY'): Promise<string> {
  const id = newId()
  const fields = {
    type: 'IMAGE' as const,
    filename: 'a.png',
    mimeType: 'image/png',
    size: 1,
    isPublic: true,
    contentHash: id,
    storageKey: `${id}.png`,
  }
  await transaction((tx) => assets.createIn(tx, id, fields, context, { status }))
  return id
}
