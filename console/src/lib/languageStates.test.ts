import { expect, test } from 'vitest'
import { languageStates } from './languageStates.ts'

const text = (title: string) => ({ title, description: '' })

test('a wanted language is filled, empty, or suspect', () => {
  const translations = { en: text('Botchan'), 'zh-Hant': text('少爺'), ja: text(''), ko: { description: 'x' } }
  expect(languageStates(['zh', 'en', 'ja', 'ko'], translations, 'title', ['zh-Hant'])).toEqual([
    { tag: 'zh', state: 'suspect' },
    { tag: 'en', state: 'filled' },
    { tag: 'ja', state: 'empty' },
    { tag: 'ko', state: 'empty' },
  ])
})

test('findings and texts of a broader tag do not count for a narrower one', () => {
  expect(languageStates(['zh-Hans'], { 'zh-Hans': text('少爷') }, 'title', ['zh'])).toEqual([
    { tag: 'zh-Hans', state: 'filled' },
  ])
  expect(languageStates(['zh-Hans'], { zh: text('少爷') }, 'title', [])).toEqual([{ tag: 'zh-Hans', state: 'empty' }])
})
