import { expect, onTestFinished, test, vi } from 'vitest'
import { setBackgroundLog } from '#lib/background.ts'
import { withReadings } from './readings.ts'

test('a write does not wait for a dictionary that takes long to load, and later ones use it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const label = { language: 'ja', text: '東京物語' }
  const first = withReadings([label])
  // Less than PostgreSQL allows a transaction to pause.
  vi.advanceTimersByTime(14_000)
  expect(await first).toEqual([label])
  vi.useRealTimers()
  await expect.poll(() => withReadings([label])).toMatchObject([{ reading: { written: 'トウキョウ モノガタリ' } }])
})

test('a failure of the dictionary is logged with its cause, and the next title is read by another thread', async () => {
  const error = vi.fn()
  setBackgroundLog({ error })
  onTestFinished(() => setBackgroundLog(undefined))
  // What the dictionary cannot read ends its thread.
  const label = { language: 'ja', text: ['秋刀魚'] as never }
  expect(await withReadings([label])).toEqual([label])
  expect(error.mock.calls).toEqual([[{ err: expect.any(Error) }, 'reading Japanese titles failed']])
  await expect
    .poll(() => withReadings([{ language: 'ja', text: '秋刀魚' }]))
    .toMatchObject([{ reading: { written: 'サンマ' } }])
})
