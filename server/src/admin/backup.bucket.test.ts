import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { aBucket } from '#test/bucket.ts'
import { fillCatalogue, operator, restoreInto } from '#test/operator.ts'
import { placesOfFile } from '#test/instances.ts'

const somewhere = placesOfFile()

async function aCatalogue() {
  const place = await somewhere()
  return { ...place, ...(await fillCatalogue(place)), backup: join(dirname(place.folder), 'backup') }
}

test('a backup of assets in a bucket can be restored into another bucket', async () => {
  const [from, to, catalogue] = [await aBucket(), await aBucket(), await aCatalogue()]
  const files = join(catalogue.folder, 'files')
  for (const name of readdirSync(files).filter((each) => each !== 'incoming'))
    from.objects.set(name, { body: readFileSync(join(files, name)), at: new Date() })
  from.objects.set('of/somebody/else', { body: Buffer.from('else'), at: new Date() })
  rmSync(files, { recursive: true })
  expect(await operator(catalogue, ['backup', catalogue.backup], from.env)).toMatchObject({ code: 0 })
  const place = await somewhere()
  const { output } = await restoreInto(place, catalogue.backup, to.env)
  expect(output).toMatch(/^Restored into .* and the bucket assets$/m)
  const bodies = Object.fromEntries([...to.objects].map(([name, { body }]) => [name, body.toString()]))
  expect(bodies).toEqual({ [`${catalogue.asset}.webp`]: 'the picture', [`small-${catalogue.asset}.webp`]: 'small' })
  expect(readdirSync(join(place.folder, 'files'))).toEqual(['incoming'])
  expect(readdirSync(join(place.folder, 'files', 'incoming'))).toEqual([])
  await Promise.all([from.stop(), to.stop()])
})

test('a backup or restore fails if the bucket is unavailable, and leaves nothing behind', async () => {
  const [bucket, catalogue] = [await aBucket(), await aCatalogue()]
  for (const name of [`${catalogue.asset}.webp`, `small-${catalogue.asset}.webp`])
    bucket.objects.set(name, { body: Buffer.from('a file'), at: new Date() })
  bucket.fail({ kind: 'hangUp', method: 'GET', query: 'x-id', times: 100 })
  const failed = await operator(catalogue, ['backup', catalogue.backup], bucket.env)
  expect([failed.code, failed.errors]).toEqual([1, 'The bucket cannot be used'])
  expect(readdirSync(catalogue.backup)).toEqual([])
  bucket.fail()
  const backup = `${catalogue.backup}-2`
  expect(await operator(catalogue, ['backup', backup], bucket.env)).toMatchObject({ code: 0 })
  const place = await somewhere()
  bucket.fail({ kind: 'hangUp', method: 'PUT', times: 100 })
  expect(await restoreInto(place, backup, bucket.env)).toMatchObject({ code: 1 })
  expect(readdirSync(place.folder).filter((name) => name !== 'lock.sqlite')).toEqual([])
  bucket.fail()
  expect(await restoreInto(place, backup, bucket.env)).toMatchObject({ code: 0, errors: '' })
  await bucket.stop()
})
