import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lazy } from './lazy.ts'

test('runs once, also for concurrent calls, and again after a failure', async () => {
  let runs = 0
  const counted = lazy(async () => {
    runs += 1
    if (runs === 1) throw new Error('too many open files')
    return runs
  })
  await expect(Promise.all([counted(), counted()])).rejects.toThrow('too many open files')
  expect(await Promise.all([counted(), counted()])).toEqual([2, 2])
  expect(await counted()).toBe(2)
})

const SOURCES = join(import.meta.dirname, '..')
const ASSIGNED_ONCE = /(\w+) \?\?= (.*)/g

test('no source keeps a promise that may have failed: it is forgotten once it has settled, or made by lazy', async () => {
  const kept = []
  for await (const file of glob('**/*.ts', { cwd: SOURCES, exclude: ['**/*.test.ts', 'lib/lazy.ts'] })) {
    const text = readFileSync(join(SOURCES, file), 'utf8')
    for (const [, name = '', value = ''] of text.matchAll(ASSIGNED_ONCE)) {
      const isPromise = new RegExp(`\\b${name}\\??: Promise<`).test(text)
      if (isPromise && !value.includes('.finally(')) kept.push(`${file}: ${name}`)
    }
  }
  expect(kept).toEqual([])
})
