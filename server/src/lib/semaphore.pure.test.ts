import { expect, test } from 'vitest'
import { semaphore } from './semaphore.ts'

test('runs work in order and within the limit, even if some fails', async () => {
  const inTurn = semaphore(2)
  const started: number[] = []
  let [running, most] = [0, 0]
  const work = async (id: number) => {
    started.push(id)
    most = Math.max(most, ++running)
    await Promise.resolve()
    running--
    if (id % 3 === 0) throw new Error(`${id}`)
    return id
  }
  const settled = await Promise.allSettled([0, 1, 2, 3, 4, 5, 6].map((id) => inTurn(() => work(id))))
  expect(settled.map((each) => (each.status === 'fulfilled' ? each.value : undefined))).toEqual([
    undefined,
    1,
    2,
    undefined,
    4,
    5,
    undefined,
  ])
  expect(started).toEqual([0, 1, 2, 3, 4, 5, 6])
  expect(most).toBe(2)
})

test('stays within the limit when work arrives just as a slot passes to a waiter', async () => {
  const inTurn = semaphore(1)
  let [running, most] = [0, 0]
  const work = async () => {
    most = Math.max(most, ++running)
    for (let tick = 0; tick < 20; tick++) await Promise.resolve()
    running--
  }
  const first = Promise.withResolvers<undefined>()
  const all = [inTurn(() => first.promise), inTurn(work)]
  first.resolve(undefined)
  for (let tick = 0; tick < 10; tick++) {
    all.push(inTurn(work))
    await Promise.resolve()
  }
  await Promise.all(all)
  expect(most).toBe(1)
})
