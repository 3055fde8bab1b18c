import { expect, test } from 'vitest'
import { endLaunched, launch, ready } from './process.ts'

test('what a test leaves running is ended after it', async () => {
  const { child, ended } = launch(`console.log('is running'); setInterval(() => {}, 1000)`, {}, ['-e'])
  await ready(child, ended, 'is running')
  await endLaunched()
  expect(await ended).toMatchObject({ signal: 'SIGKILL' })
})
