import { expect, test } from 'vitest'
import { semaphore } from './semaphore.ts'

test('no more is under way than the limit, in order, also where work fails or comes when a place is free again', async () => {
  const inTurn = semaphore(2)
  const begun: number[] = []
  let [running, most] = [0, 0]
  const work = async (id: number) => {
    begun.push(id)
    most = Math.max(most, ++running)
    await Promise.resolve()
    running--
    if (id % 3 === 0) throw new Error(`${id}`)
    return id
  }
  const results = Array.from({ length: 10 }, (_, id) => {
    const result = inTurn(() => work(id))
    // Comes in the moment in which another ends.
    if (id < 2) void result.catch(() => undefined).then(() => inTurn(() => work(100 + id)).catch(() => undefined))
    return result
  })
  const settled = await Promise.allSettled(results)
  expect(settled.map((each) => (each.status === 'fulfilled' ? each.value : undefined))).toEqual([
    undefined,
    1,
    2,
    undefined,
    4,
    5,
    undefined,
    7,
    8,
    undefined,
  ])
  await inTurn(() => Promise.resolve())
  expect(begun.filter((id) => id < 100)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect(begun).toHaveLength(12)
  expect(most).toBe(2)
})
