// Applies the worked example of docs/adding-a-kind.md to a copy of the repository, then compiles and tests the copy.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { linkPackages } from './linkPackages.ts'

const root = path.resolve(import.meta.dirname, '..')
const copy = mkdtempSync(path.join(tmpdir(), 'mokuroku-kind-'))
afterAll(() => rmSync(copy, { recursive: true }))

const page = readFileSync(path.join(root, 'docs/adding-a-kind.md'), 'utf8')
const diff = `${/```diff\n([\s\S]*?)\n```/.exec(page)?.[1] ?? ''}\n`
const touched = [...diff.matchAll(/^diff --git a\/(\S+)/gm)].map(([, file = '']) => file)

/** Runs a program from the copy's node_modules in the copy. Returns its output if it failed, '' otherwise. */
function run(program: string, ...words: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(copy, 'node_modules', program), ...words], {
    cwd: copy,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  })
  return status === 0 ? '' : `${stdout}\n${stderr}`
}

beforeAll(() => {
  const left = /(^|\/)(node_modules|dist|\.git|data|data-demo)(\/|$)/
  cpSync(root, copy, { recursive: true, filter: (from) => !left.test(path.relative(root, from)) })
  linkPackages(copy)
  const patch = path.join(copy, 'kind.patch')
  writeFileSync(patch, diff)
  // Within a repository that has the folder of temporary files, it would change nothing.
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: path.dirname(copy) }
  const { status, stderr } = spawnSync('git', ['apply', patch], { cwd: copy, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`The change of docs/adding-a-kind.md does not apply any more: ${stderr}`)
})

test('adding a kind touches at most 14 files, and the documentation names each', () => {
  expect(touched.length).toBeLessThanOrEqual(14)
  expect(touched.filter((file) => !page.includes(`| \`${file}\` |`))).toEqual([])
})

test('the documented example compiles', () => {
  // A single checker: the other cores run other tests, and parallel checkers duplicate much of the work.
  expect(run('typescript/bin/tsc', '-b', '--pretty', 'false', '--checkers', '1')).toBe('')
})

test('the documented example passes its own tests and those for every kind', () => {
  const files = ['server/src/studios', 'server/test/activities.test.ts', 'console/src/areas.test.tsx']
  expect(run('vitest/vitest.mjs', 'run', '--project', 'sqlite', '--project', 'console-dom', ...files)).toBe('')
})

test('the documented example passes every test of kinds and calls that names it', () => {
  const folders = ['test', 'src/database', 'src/ledger', 'src/lists', 'src/trash'].map((name) => `server/${name}`)
  // These need the built server.
  const started = '--exclude=**/faults/**'
  expect(run('vitest/vitest.mjs', 'run', '--project', 'sqlite', '-t', 'studio|Studio', started, ...folders)).toBe('')
})
