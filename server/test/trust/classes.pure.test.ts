import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const list = read('docs/trust.md')

/** The test files that name a vulnerability class, by number: `describe('class 5: …` or `test('class 5: …`. */
const named = new Map<number, string[]>()
const files = globSync('{server,console,contract,scripts,e2e}/**/*.{test.ts,test.tsx,spec.ts}', {
  cwd: root,
  exclude: (name) => name === 'node_modules' || name === 'dist',
})
for (const path of files.map((each) => each.split(sep).join('/')).toSorted())
  for (const number of new Set([...read(path).matchAll(/['"`]class (\d+): /g)].map(([, digits]) => Number(digits))))
    named.set(number, [...(named.get(number) ?? []), path])

const CLASSES = Array.from({ length: 23 }, (_, at) => at + 1)

describe('the classes of docs/trust.md', () => {
  test.each(CLASSES)('class %i has a test named after it in every file that the list names', (number) => {
    const row = new RegExp(`^\\| ${number} +\\| .*$`, 'm').exec(list)?.[0] ?? ''
    const listed = [...row.matchAll(/\]\(\.\.\/([^)]+)\)/g)].map(([, path]) => path)
    expect(named.get(number) ?? []).not.toEqual([])
    expect(named.get(number)).toEqual(expect.arrayContaining(listed))
    expect(listed).not.toEqual([])
  })

  test('no test names an unknown class', () => {
    expect([...named.keys()].filter((number) => !CLASSES.includes(number))).toEqual([])
  })
})
