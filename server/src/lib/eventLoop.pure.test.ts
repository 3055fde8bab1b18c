import { expect, onTestFinished, test } from 'vitest'
import { watchLoop } from './eventLoop.ts'

/** Blocks the event loop. */
function block(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

test('class 16: reports the routes that block the event loop for more than a second, and the delay', async () => {
  const blocked: [number, string[]][] = []
  const loop = watchLoop((seconds, routes) => blocked.push([seconds, routes]))
  onTestFinished(loop.stop)
  await new Promise((started) => setTimeout(started, 100))
  loop.begin('GET /api/other')
  const answered = loop.begin('POST /api/slow')
  block(1300)
  answered()
  // A busy machine may block the loop at other times, too.
  const reported = () => blocked.find(([, routes]) => routes.includes('POST /api/slow'))
  await expect.poll(reported).toEqual([expect.any(Number), ['GET /api/other', 'POST /api/slow']])
  expect(reported()?.[0]).toBeGreaterThan(1)
  const { max, p99 } = loop.take()
  expect(max).toBeGreaterThan(1)
  expect(p99).toBeGreaterThan(0)
})
