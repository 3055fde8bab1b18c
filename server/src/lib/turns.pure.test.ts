import { expect, onTestFinished, test, vi } from 'vitest'
import { turns } from './turns.ts'

test('class 16: long work gives others a turn after 20 milliseconds, and not before', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const turn = turns()
  let hadTurn = false
  setImmediate(() => void (hadTurn = true))
  await turn()
  expect(hadTurn).toBe(false)
  vi.advanceTimersByTime(25)
  await turn()
  expect(hadTurn).toBe(true)
})
