import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { repeated } from './repeated.ts'

test('a failure of repeated work is not reported before the work is stopped', async () => {
  const stop = repeated(2, () => Promise.reject(new Error('It failed.')))
  await nextTurn()
  await expect(stop()).rejects.toThrow('It failed.')
})
