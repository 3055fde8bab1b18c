import { expect, test } from 'vitest'
import { db, transaction } from '#database/db.ts'
import { newId } from '#lib/ids.ts'
import { SYSTEM } from '#access/permissions.ts'
import { media } from '#store/media'
import { search } from '#store/search'
import { counters } from '../src/admin/checks/counters.ts'
import { tagUses } from '../src/admin/checks/aggregates.ts'
import { relations } from '../src/admin/checks/relations.ts'
import { searchText } from '../src/admin/checks/searchText.ts'
import { signedIn, withApp } from '#test/app.ts'
import { withDictionary } from '#test/dictionary.ts'
import { aCharacter, aTag, mediaInput } from '#test/factories.ts'

withApp()
withDictionary()

const context = { actor: SYSTEM }

async function someMedia(count: number) {
  const [tag, character] = [await aTag(), await aCharacter()]
  return Array.from({ length: count }, (_, at) => ({
    id: newId(),
    input: mediaInput({
      translations: { ja: { title: `銀河第${at}号`, description: '' } },
      tags: at % 2 === 0 ? [tag] : [],
      characters: at % 3 === 0 ? [character] : [],
    }),
    context,
  }))
}

test('writes relations, counters, search text and revisions when it creates many media at once', async () => {
  await signedIn()
  const given = await someMedia(7)
  await transaction((tx) => media.createManyIn(tx, given))
  for (const check of [relations, tagUses, counters, searchText])
    for await (const problem of check.run()) expect(problem).toBe('')
  const ids = given.map(({ id }) => id)
  const revisions = await db
    .selectFrom('revisions')
    .select(['entityId', 'version', 'action'])
    .where('entityId', 'in', ids)
    .orderBy('entityId')
    .execute()
  expect(revisions).toEqual(ids.toSorted().map((entityId) => ({ entityId, version: 1, action: 'create' })))
  expect(await search.ids('Media', '銀河第6号')).toEqual([ids[6]])
})

test('creates none of them if one is refused', async () => {
  const given = await someMedia(3)
  const [first, ...others] = given
  if (!first) throw new Error('There are three')
  const broken = { ...first, input: mediaInput({ tags: ['no-such-tag'] }) }
  await expect(transaction((tx) => media.createManyIn(tx, [...others, broken]))).rejects.toMatchObject({ status: 400 })
  for (const { id } of given) expect(await media.row(id)).toBeUndefined()
})
