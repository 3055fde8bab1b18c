// Things that belong to somebody, stored through the product's own write paths whatever that person's rights are.
import { transaction } from '#database/db.ts'
import { newId } from '#lib/ids.ts'
import type { By } from '#ledger/definition.ts'
import { definitionOf } from '#ledger/registry.ts'
import { removeIn } from '#ledger/write.ts'
import type { Kind } from '@mokuroku/contract/kinds'
import { assets } from '#store/assets'
import { ratings } from '#store/ratings'
import { aCharacter, aMedia, aTag, aTier, aUser } from '#test/factories.ts'
import type { Person } from './people.ts'

let scores = 0

/** As if they had the right. */
export const asIf = ({ actor }: Person): By => ({ actor, verdict: { allowed: true } })

/** A thing of a kind that somebody made, or that is about them: its id. */
export async function aThing(kind: Exclude<Kind, 'Setting'>, owner: Person): Promise<string> {
  const by = asIf(owner)
  if (kind === 'Media') return (await aMedia({}, by))._id
  if (kind === 'Character') return aCharacter({}, by)
  if (kind === 'Tag') return aTag({}, by)
  if (kind === 'Tier') return aTier(++scores, {})
  if (kind === 'User') return (await aUser())._id
  if (kind === 'Asset') return anAsset(owner)
  const { _id: mediaId } = await aMedia()
  return ratings.create({ userId: owner.user._id, mediaId, score: 5, comment: '' }, by)
}

/** As `aThing`, in the trash. */
export async function aTrashed(kind: Exclude<Kind, 'Setting'>, owner: Person): Promise<string> {
  const id = await aThing(kind, owner)
  await transaction((tx) => removeIn(definitionOf(kind), tx, id, asIf(owner)))
  return id
}

/** A picture that is known, but whose file is not there. */
export async function anAsset(owner: Person, status: 'READY' | 'ERROR' = 'READY'): Promise<string> {
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
  await transaction((tx) => assets.createIn(tx, id, fields, asIf(owner), { status }))
  return id
}
