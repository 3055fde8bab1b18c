import { mediaApi } from '@mokuroku/contract/media'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { db, engine } from '#database/db.ts'
import { machineFault } from '#lib/faults.ts'
import { signedIn, withApp } from '../app.ts'
import { mediaInput } from '../factories.ts'

withApp()

const large = () => mediaInput({ translations: { en: { title: 'Large', description: 'A lot to say. '.repeat(3000) } } })

// Limits the size of the database instead of filling a disk: it fails in the same way.
describe.runIf(process.env.ENGINE === 'sqlite')('when the database cannot grow', () => {
  test('refuses a save entirely, says why, keeps reading, and recovers when there is space', async () => {
    expect(engine).toBe('sqlite')
    const { call } = await signedIn()
    const { _id } = await call(mediaApi.create, { body: mediaInput() })
    const { rows } = await sql<{ page_count: number }>`PRAGMA page_count`.execute(db)
    await sql.raw(`PRAGMA max_page_count = ${rows[0]?.page_count}`).execute(db)
    const count = async () => (await db.selectFrom('media').select('_id').execute()).length
    let before = await count()
    const failed = async () => {
      for (;;) {
        before = await count()
        await call(mediaApi.create, { body: large() })
      }
    }
    await expect(failed()).rejects.toMatchObject({ status: 507, code: 'full' })
    expect(await count()).toBe(before)
    expect((await call(mediaApi.find, { id: _id }))._id).toBe(_id)
    await sql.raw('PRAGMA max_page_count = 1000000').execute(db)
    await call(mediaApi.create, { body: large() })
    expect(await count()).toBe(before + 1)
  })
})

test.each([
  [{ code: 'ENOSPC' }, 507],
  [{ code: 'EDQUOT' }, 507],
  [{ code: 'EFBIG' }, 507],
  [{ code: '53100' }, 507],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 13 }, 507],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 4874 }, 507],
  [{ code: 'EROFS' }, 503],
  [{ code: 'ESTALE' }, 503],
  [{ code: 'ENFILE' }, 503],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 6 }, 503],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 8 }, 503],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 14 }, 503],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 778 }, 503],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 517 }, 503],
  [{ code: 'ENOENT', syscall: 'open' }, 503],
  [{ code: 'STORAGE' }, 503],
  [{ code: '57014' }, 503],
  [{ code: '57P01' }, 503],
  [{ code: '53200' }, 503],
  [{ code: '25P04' }, 503],
  [{ code: '57P03' }, 503],
  [{ code: '08006' }, 503],
  [{ code: '25006' }, 503],
  [{ code: 'ENOENT', syscall: 'spawn' }, undefined],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 19 }, undefined],
  [{ code: '23505' }, undefined],
  [new TypeError('a mistake of ours'), undefined],
  [undefined, undefined],
])('maps %o to status %s', (error, status) => {
  expect(machineFault(error)?.status).toBe(status)
})
