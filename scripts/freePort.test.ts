import { expect, test } from 'vitest'
import { freePort } from './freePort.ts'

test('gives no port twice, though nothing listens on it yet', async () => {
  // So many that some would be equal by chance.
  const ports = []
  for (let count = 0; count < 500; count += 1) ports.push(await freePort())
  expect(new Set(ports).size).toBe(ports.length)
})
