import { expect, test, vi } from 'vitest'
import { db } from '#database/db.ts'
import { search } from '#store/search'
import { idle, withApp } from '#test/app.ts'
import { aMedia } from '#test/factories.ts'
import { withReadings } from './readings.ts'

withApp()

test('a title that is written while the dictionary takes long to load gets its reading afterwards', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const first = withReadings([{ language: 'ja', text: '東京物語' }])
  vi.advanceTimersByTime(14_000)
  await first
  vi.useRealTimers()
  const { _id } = await aMedia({ translations: { ja: { title: '秋刀魚の味', description: '' } } })
  expect(await db.selectFrom('jobs').select('_id').where('kind', '=', 'search.readings').execute()).toHaveLength(1)
  await idle()
  expect(await search.ids('Media', 'sanma no aji')).toEqual([_id])
})
