import { expect, test } from 'vitest'
import { turns } from './turns.ts'

test('class 16: long work gives others a turn after 20 milliseconds, and not before', async () => {
  const turn = turns()
  let hadTurn = false
  setImmediate(() => void (hadTurn = true))
  await turn()
  expect(hadTurn).toBe(false)
  const began = performance.now()
  while (performance.now() - began <= 25);
  await turn()
  expect(hadTurn).toBe(true)
})
