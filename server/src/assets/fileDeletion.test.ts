import { rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { assetsApi } from '@mokuroku/contract/assets'
import { trashApi } from '@mokuroku/contract/trash'
import { expect, test } from 'vitest'
import { db } from '#database/db.ts'
import { assets } from '#store/assets'
import { signedIn, withApp } from '#test/app.ts'
import { aPicture, keptKeys, send } from '#test/files.ts'
import { keysOf } from './keys.ts'
import { storage } from './storage.ts'

withApp()

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
  const files = await there(await filesOf(id))
  expect(files).toHaveLength(3)
  await call(assetsApi.remove, { id })
  const folder = dirname(storage.pathOf?.('any') ?? '')
  await rename(folder, `${folder}.unmounted`)
  try {
    expect(await call(trashApi.purge, { kind: 'Asset', id })).toEqual({ success: true })
  } finally {
    await rename(`${folder}.unmounted`, folder)
  }
  expect(await there(files)).toEqual(files)
  await assets.removeFiles()
  expect(await there(files)).toEqual([])
})
