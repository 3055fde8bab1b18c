import { expect, test } from 'vitest'
import { FIRST, freePort } from './freePort.ts'

test('gives no port twice, though nothing listens on it yet', async () => {
  // So many that some would be equal by chance.
  const ports = []
  for (let count = 0; count < 500; count += 1) ports.push(await freePort())
  expect(new Set(ports).size).toBe(ports.length)
})

const errorAt = async (port: number): Promise<unknown> =>
  fetch(`http://127.0.0.1:${port}`, { signal: AbortSignal.timeout(2000) }).catch((error: Error) => error.cause)

test('gives only ports to which fetch connects', async () => {
  expect(await errorAt(FIRST - 1)).toMatchObject({ message: 'bad port' })
  for (let port = FIRST; port < FIRST + 1000; port += 1)
    expect(await errorAt(port)).not.toMatchObject({ message: 'bad port' })
})
