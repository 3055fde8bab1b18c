import { expect, test } from 'vitest'
import { lazy } from './lazy.ts'

test('runs once, also for concurrent calls, and again after a failure', async () => {
  let runs = 0
  const counted = lazy(async () => {
    runs += 1
    if (runs === 1) throw new Error('too many open files')
    return runs
  })
  await expect(Promise.all([counted(), counted()])).rejects.toThrow('too many open files')
  expect(await Promise.all([counted(), counted()])).toEqual([2, 2])
  expect(await counted()).toBe(2)
})
