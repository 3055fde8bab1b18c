import { FINDING_CODES } from '@mokuroku/contract/findings'
import { MediaQuery } from '@mokuroku/contract/media'
import { TagQuery } from '@mokuroku/contract/tags'
import * as z from 'zod/mini'
import { expect, test } from 'vitest'
import { DeskQuery, filterIn, findingOf, languageOf, taskOf } from './target.ts'

const WANTED = ['zh-Hans', 'en']
const taskIn = (address: object, finding = '') => taskOf(z.parse(DeskQuery, address), finding, WANTED)
const since = '2026-01-05T00:00:00.000Z'

test.each([
  [{}, 'missing:zh', 'text', 'title', 'zh'],
  [{}, 'copied', 'text', 'title', undefined],
  [{ entityType: 'Character' }, 'script:ja', 'text', 'name', 'ja'],
  [{}, 'noDescription', 'text', 'description', 'zh-Hans'],
  [{}, 'noTags', 'pick', 'title', 'zh-Hans'],
  [{}, 'noCover', 'image', 'title', 'zh-Hans'],
  [{}, 'duplicate', 'merge', 'title', 'zh-Hans'],
  [{ target: 'ja' }, 'noCover', 'text', 'title', 'ja'],
  [{}, '', 'text', 'title', 'zh-Hans'],
  [{ target: 'JA', field: 'description' }, '', 'text', 'description', 'ja'],
  [{ field: 'cover' }, '', 'text', 'title', 'zh-Hans'],
] as const)('%j with the finding %s is a %s task: %s in %s', (address, finding, fill, field, language) => {
  expect(taskIn(address, finding)).toMatchObject({ fill, field, language })
})

test.each(FINDING_CODES)('%s has a known kind of task', (code) => {
  expect(['text', 'pick', 'image', 'choice', 'links', 'merge']).toContain(taskIn({}, code).fill)
})

test('the finding of an entity determines the language of its task', () => {
  const findings = [
    { code: 'noCover', since },
    { code: 'copied', language: 'zh-Hant', field: 'title', since },
  ] as const
  expect(languageOf(taskIn({}, 'copied'), findings, WANTED)).toBe('zh-Hant')
  expect(languageOf(taskIn({}, 'copied:zh'), findings, WANTED)).toBe('zh-Hant')
  expect(languageOf(taskIn({}, 'copied:ja'), findings, WANTED)).toBe('ja')
  expect(findingOf(taskIn({}, 'noCover'), findings)?.code).toBe('noCover')
  expect(findingOf(taskIn({}, 'missing:zh'), findings)).toBeUndefined()
})

test('keeps only the filters of the kind, without page and sort', () => {
  const address = {
    entityType: 'Tag',
    view: 'matrix',
    page: '2',
    sort: 'createdAt',
    missing: 'zh',
    hasCover: 'true',
    what: 'ever',
  }
  expect(filterIn(MediaQuery, address)).toEqual({ missing: 'zh', hasCover: 'true' })
  expect(filterIn(TagQuery, address)).toEqual({ missing: 'zh' })
  expect(filterIn(MediaQuery, { type: 'OPERA', tags: '', search: 'x' })).toEqual({ search: 'x' })
})
