import type { MediaInput } from '@mokuroku/contract/media'
import { sql } from 'kysely'
import { db, transaction } from '#database/db.ts'
import { insertRows } from '#database/insert.ts'
import type { RowKey } from '#database/locks.ts'
import { newId } from '#lib/ids.ts'
import { type Actor, SYSTEM } from '#access/permissions.ts'
import type { CharacterFields, Tables, TagFields, UserFields } from '#database/tables.ts'
import { newToken, resets } from '#store/auth'
import { characters } from '#store/characters'
import { media } from '#store/media'
import { ratings } from '#store/ratings'
import { tags } from '#store/tags'
import { tiers } from '#store/tiers'
import { users } from '#store/users'
import type { WriteContext } from '#ledger/definition.ts'
import { newTier } from '@mokuroku/contract/tiers'
import type { Permissions } from '@mokuroku/contract/tiers'
import { records } from '../src/batches/records.ts'

// Each factory stores an ordinary entity through the regular write path, with the values that a test cares about.

const context: WriteContext = { actor: SYSTEM }
let count = 0

/** The texts of a media item in one language. */
export const title = (text: string, description = '') => ({ title: text, description })

/** The texts of a character or a tag in one language. */
export const name = (text: string) => ({ name: text, description: '' })

/** The translations of a media item with one language. */
export const titled = (text: string, language = 'en', description = '') => ({ [language]: title(text, description) })

/** The translations of a character or a tag with one language. */
export const named = (text: string, language = 'en') => ({ [language]: name(text) })

export const mediaInput = (more: Partial<MediaInput> = {}): MediaInput => ({
  mediaType: 'ANIME',
  translations: titled(`Media ${++count}`),
  isOngoing: false,
  releaseDate: '2020-04-01T00:00:00.000Z',
  ...more,
})

/** Media with one text, an English title. */
export const mediaTitled = (text: string): MediaInput => mediaInput({ translations: titled(text) })

export async function aMedia(more: Partial<MediaInput> = {}, as: WriteContext = context) {
  const id = await media.create(mediaInput(more), as)
  return (await media.find(id)) ?? missing('media')
}

export async function aCharacter(more: Partial<CharacterFields> = {}, as: WriteContext = context): Promise<string> {
  return characters.create({ translations: named(`Character ${++count}`), ...more }, as)
}

export async function aTag(more: Partial<TagFields> = {}, as: WriteContext = context): Promise<string> {
  return tags.create({ type: 'GENRE', color: '#000000', translations: named(`Tag ${++count}`), ...more }, as)
}

export async function aRating(mediaId: string, score: number, comment = ''): Promise<string> {
  const user = await aUser()
  return ratings.create({ userId: user._id, mediaId, score, comment }, context)
}

export async function aUser(more: Partial<UserFields> = {}): Promise<Tables['users']> {
  const username = `user${++count}-${newId().slice(-6)}`
  const fields = { username, email: `${username}@example.org`, ...more }
  const id = await transaction((tx) => users.add(tx, fields, 'no password fits this', context))
  return ((await users.row(id)) as Tables['users'] | undefined) ?? missing('user')
}

export async function aTier(requiredScore: number, permissions: Partial<Permissions>): Promise<string> {
  const tier = newTier()
  return tiers.create(
    { ...tier, name: `Tier ${requiredScore}`, requiredScore, permissions: { ...tier.permissions, ...permissions } },
    context,
  )
}

/** Adds links from media that do not exist, as if a tag had so many uses. */
export async function addLinks(toId: string, uses: number): Promise<void> {
  const link = { fromKind: 'Media', field: 'tags', toKind: 'Tag', toId } as const
  const rows = Array.from({ length: uses }, () => ({ ...link, fromId: newId() }))
  await transaction((tx) => insertRows(tx, 'links', rows))
}

function missing(what: string): never {
  throw new Error(`The ${what} was not stored`)
}

/**
 * A batch that changes some media and makes no progress. No worker takes it over, since it has no lease that could
 * expire.
 */
export const aStuckBatch = (actor: Actor, ids: string[] = [], change: object = { set: { isOngoing: true } }) =>
  aStuck(
    actor,
    ids.map((id) => ({ kind: 'Media', id })),
    { what: 'change', entityType: 'Media', change: { ...change } },
  )

/** Like `aStuckBatch`, of any kind. */
export const aStuck = (actor: Actor, targets: RowKey[], given: Parameters<typeof records.add>[1]) =>
  transaction(async (tx) => {
    const id = await records.add(tx, given, targets, actor)
    await tx.updateTable('jobs').set({ state: 'running' }).where('_id', '=', id).execute()
    return id
  })

/** Inserts `rows` rows of entities that a batch has changed, and that do not exist. */
export async function addChangedRows(batch: string, rows: number): Promise<void> {
  await sql`
    INSERT INTO "batchRows" ("batch", "seq", "entityType", "entityId", "outcome")
    WITH RECURSIVE "more" ("seq") AS (
      SELECT 1 UNION ALL SELECT "seq" + 1 FROM "more" WHERE "seq" < ${sql.lit(rows)}
    )
    SELECT ${sql.lit(batch)}, "seq", 'Media', 'unkept ' || "seq", 'changed' FROM "more"`.execute(db)
}

/** Stores a password reset link of an account, and returns its token. */
export async function aResetToken(user: Tables['users']): Promise<string> {
  const { token, tokenHash } = newToken()
  await resets.add(user, tokenHash, 30)
  return token
}

/** Damages the stored texts of a media item, so that it cannot be read. */
export const damageTexts = (id: string) => sql`UPDATE "media" SET "translations" = '{' WHERE "_id" = ${id}`.execute(db)
