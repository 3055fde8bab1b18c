import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '#test/folder.ts'
import { closeSandbox, sandbox, type Sandboxed, SandboxStarved } from './sandbox.ts'

afterAll(closeSandbox)

test('the time limits of a job start when it runs, not when its process starts', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const folder = temporaryFolder()
  const [file, gate] = [join(folder, 'job.mjs'), join(folder, 'gate')]
  writeFileSync(
    file,
    `import { existsSync } from 'node:fs'
import { limited } from '${new URL('worker.ts', import.meta.url).href}'
while (!existsSync('${gate}')) await new Promise((resolve) => setTimeout(resolve, 10))
export const answer = limited(async () => 'done')`,
  )
  const run = sandbox<{ answer: (given: Sandboxed<object>) => Promise<string> }>(pathToFileURL(file))
  const answer = run('answer', {}, { cpuMs: 1000, memoryMB: 768 })
  // Longer than the job may take, and than this process then waits for it to end itself.
  await vi.advanceTimersByTimeAsync(10_000)
  writeFileSync(gate, '')
  expect(await answer).toBe('done')
})

test('a job that says again and again that it begins does not put off its end', async () => {
  const file = join(temporaryFolder(), 'job.mjs')
  writeFileSync(file, `export const answer = () => new Promise(() => setInterval(() => process.send('begin'), 100))`)
  const run = sandbox<{ answer: (given: Sandboxed<object>) => Promise<string> }>(pathToFileURL(file))
  await expect(run('answer', {}, { cpuMs: 250, memoryMB: 768 })).rejects.toBeInstanceOf(SandboxStarved)
})
