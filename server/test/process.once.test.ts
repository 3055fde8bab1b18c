import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { endLaunched, launch, ready, refusedStart } from './process.ts'

test('what a test leaves running is ended after it', async () => {
  const { child, ended } = launch(`console.log('is running'); setInterval(() => {}, 1000)`, {}, ['-e'])
  await ready(child, ended, 'is running')
  await endLaunched()
  expect(await ended).toMatchObject({ signal: 'SIGKILL' })
})

test.each([['--port', '8080'], ['--help']])(
  'the server does not start with the arguments %s, and says so',
  async (...words) => {
    const folder = mkdtempSync(join(tmpdir(), 'mokuroku-words-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    expect(await refusedStart({ DATA_DIR: join(folder, 'data') }, { words })).toMatchObject({
      code: 1,
      errors: `Mokuroku cannot start. It takes no arguments: ${words[0]}. It is configured by environment variables (README.md).\n`,
    })
    expect(readdirSync(folder)).toEqual([])
  },
)
