import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { freeMemory } from './memory.ts'

test('freeMemory collects unreferenced objects', async () => {
  const garbage = new WeakRef({})
  await yieldToEventLoop()
  freeMemory()
  expect(garbage.deref()).toBeUndefined()
})
