import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { withApp } from '#test/app.ts'
import '../dailyWork.ts'
import { jobKinds } from './work.ts'

withApp()

test('the console names every kind of job, in both languages', () => {
  const file = new URL('../../../console/src/parts/serverTexts.ts', import.meta.url)
  const named = Array.from(readFileSync(file, 'utf8').matchAll(/^ {2}'?([\w.]+)'?: '/gm), ([, kind = '']) => kind)
  const kinds = jobKinds()
  expect(kinds).toContain('batch')
  expect(named.filter((each) => kinds.includes(each)).toSorted()).toEqual([...kinds, ...kinds].toSorted())
})
