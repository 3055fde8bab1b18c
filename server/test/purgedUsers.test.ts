// What an account has for itself is permanently deleted with it, also what calls write meanwhile.
import { authApi } from '@mokuroku/contract/auth'
import { importsApi } from '@mokuroku/contract/imports'
import { viewsApi } from '@mokuroku/contract/views'
import { expect, test } from 'vitest'
import { SYSTEM } from '#access/permissions.ts'
import { db, transaction } from '#database/db.ts'
import { lockRows } from '#database/locks.ts'
import { purge } from '#ledger/purge.ts'
import { definitionOf } from '#ledger/registry.ts'
import { removeIn } from '#ledger/write.ts'
import { signedIn, withApp } from '#test/app.ts'
import { untilWaiting } from '#test/waiting.ts'
import { references } from '../src/admin/checks/references.ts'
import { anImport } from './trust/entities.ts'
import { aPerson } from './trust/people.ts'

withApp()

const context = { actor: SYSTEM }
const remove = (id: string) => transaction((tx) => removeIn(definitionOf('User'), tx, id, context))

async function orphans(): Promise<string[]> {
  const found: string[] = []
  for await (const { what } of references.run()) found.push(what)
  return found
}

test('calls that wait while their account is deleted store no preferences and no view for it', async () => {
  const { call, user } = await signedIn()
  const { _id: id } = user
  let calls: Promise<unknown>[] = []
  await transaction(async (tx) => {
    await lockRows(tx, [{ kind: 'User', id }])
    calls = [
      call(authApi.updatePreferences, { body: { columns: { Media: ['title'] } } }),
      call(viewsApi.create, { body: { name: 'Own', entityType: 'Media', filters: {}, shared: false } }),
    ].map((each) => each.catch((error: unknown) => error))
    await untilWaiting(calls.length)
    await removeIn(definitionOf('User'), tx, id, context)
  })
  expect(await Promise.all(calls)).toMatchObject([{ status: 401 }, { status: 401 }])
  await purge('User', id, context)
  expect(await orphans()).toEqual([])
})

test('an administrator who maps the import of a deleted account stores no mapping for it', async () => {
  const { call } = await signedIn()
  const owner = await aPerson('moderator')
  const [id, other] = [await anImport(owner, 'ready'), await anImport(owner, 'ready')]
  const mapped = async (each: string) => {
    await call(importsApi.map, { id: each, body: { mapping: { title: 'translations.en.title' } } })
    return db.selectFrom('importMappings').select('userId').where('userId', '=', owner.user._id).execute()
  }
  expect(await mapped(id)).toHaveLength(1)
  await remove(owner.user._id)
  await purge('User', owner.user._id, context)
  expect(await mapped(other)).toEqual([])
  expect(await orphans()).toEqual([])
})

test('verify finds what an account left behind when it was deleted, and deletes it', async () => {
  const { user } = await signedIn()
  await remove(user._id)
  await purge('User', user._id, context)
  await db.insertInto('preferences').values({ userId: user._id, columns: {}, editor: null }).execute()
  const issues = []
  for await (const issue of references.run()) issues.push(issue)
  const what = `preferences: userId names User ${user._id}, which was permanently deleted`
  expect(issues).toMatchObject([{ what }])
  await issues[0]?.repair?.()
  expect(await orphans()).toEqual([])
})
