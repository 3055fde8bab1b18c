import { expect, test } from 'vitest'
import { db, transaction } from '#database/db.ts'
import { exports } from '#store/exports'
import { signedIn, withApp } from '#test/app.ts'
import { aMedia } from '#test/factories.ts'
import { nextRows } from './rows.ts'

withApp()

/** Media of 900 kB each. */
async function largeMedia(count: number): Promise<string[]> {
  const ids: string[] = []
  for (let at = 0; at < count; at++) {
    const { _id: id } = await aMedia()
    const translations = { en: { title: `Large ${at}`, description: 'x'.repeat(900_000) } }
    await db.updateTable('media').set({ translations }).where('_id', '=', id).execute()
    ids.push(id)
  }
  return ids
}

test('however large entities are, background jobs and exports read at most 4 MB of texts at a time', async () => {
  const { actor } = await signedIn()
  const small = await aMedia()
  const ids = [small._id, ...(await largeMedia(6))]
  const pages: string[][] = []
  for (let cursor = ''; pages.flat().length < ids.length; cursor = ids[pages.flat().length - 1] ?? '')
    pages.push(await transaction(async (tx) => (await nextRows(tx, 'Media', cursor, 500)).map(({ _id }) => _id)))
  expect(pages).toEqual([ids.slice(0, 5), ids.slice(5)])
  const { parts } = await exports.file('Media', { format: 'ndjson', ids }, actor)
  const sizes: number[] = []
  for await (const part of parts) sizes.push(part.length)
  expect(sizes.length).toBe(2)
  expect(Math.max(...sizes)).toBeLessThan(4_100_000)
})
