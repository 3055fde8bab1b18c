import { expect, onTestFinished, test, vi } from 'vitest'
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
