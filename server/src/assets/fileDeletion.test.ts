import { assetsApi } from '@mokuroku/contract/assets'
import { trashApi } from '@mokuroku/contract/trash'
import { afterEach, expect, test, vi } from 'vitest'
import { db } from '#database/db.ts'
import { assets } from '#store/assets'
import { signedIn, withApp } from '#test/app.ts'
import { aPicture, keptKeys, send } from '#test/files.ts'
import { keysOf } from './keys.ts'
import { storage } from './storage.ts'

withApp()
afterEach(() => void vi.restoreAllMocks())

const filesOf = async (id: string) => {
  const asset = db.selectFrom('assets').select('storageKey').where('_id', '=', id)
  return keysOf((await asset.executeTakeFirstOrThrow()).storageKey)
}
const there = async (files: string[]) => (await keptKeys()).filter((key) => files.includes(key))

test('purging an asset deletes its files, including those from before a replacement', async () => {
  const { call, token } = await signedIn()
  const { _id: id } = (await send(await aPicture(1200, 900), 'a.png', { token })).body
  const before = await filesOf(id)
  await send(await aPicture(60, 60), 'b.png', { token, url: `/api/assets/${id}/file`, method: 'PUT' })
  const files = [...before, ...(await filesOf(id))]
  await call(assetsApi.remove, { id })
  expect(await there(files)).toHaveLength(7)
  await call(trashApi.purge, { kind: 'Asset', id })
  expect(await there(files)).toEqual([])
  expect(await db.selectFrom('removals').selectAll().execute()).toEqual([])
})

test('retries deleting files whose deletion failed', async () => {
  const { call, token } = await signedIn()
  const { _id: id } = (await send(await aPicture(), 'c.png', { token })).body
  const files = await filesOf(id)
  await call(assetsApi.remove, { id })
  const remove = vi.spyOn(storage, 'remove').mockRejectedValueOnce(new Error('The disk is gone'))
  expect(await call(trashApi.purge, { kind: 'Asset', id })).toEqual({ success: true })
  expect(remove).toHaveBeenCalledTimes(1)
  expect(await there(files)).not.toEqual([])
  await assets.removeFiles()
  expect(await there(files)).toEqual([])
})
