// Marks that show whether the wanted languages of a row are filled, empty or suspect.
import { findingsApi } from '@mokuroku/contract/findings'
import { siteApi } from '@mokuroku/contract/site'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { aMedia, answer, requests, aTag, list, main, open, withoutServer } from './testing.tsx'

withoutServer()

const text = (title: string) => ({ title, description: '' })

test('a page requests its findings once, and each row shows the state of its languages', async () => {
  answer(siteApi.find, { name: 'Site', defaultLanguage: 'en', languages: ['en', 'zh-Hans', 'ja'], findings: [] })
  answer(findingsApi.marks, {
    data: [
      { entityId: 'a', code: 'copied', language: 'zh-Hans' },
      { entityId: 'b', code: 'missing', language: 'zh-Hans' },
    ],
  })
  list.media(
    aMedia({ _id: 'a', translations: { en: text('Titan'), 'zh-Hans': text('巨人'), fr: text('Titans') } }),
    aMedia({ _id: 'b', translations: { ja: text('坊っちゃん') } }),
    aMedia({ _id: 'c', originalTitle: 'Nameless', translations: {} }),
  )
  await open('/media')
  const rowOf = (name: string) => screen.findByRole('row', { name: new RegExp(name) })
  expect(await screen.findByText('Simplified Chinese: suspect')).toBeDefined()
  expect((await rowOf('Titan')).textContent).toContain('English: filled')
  expect((await rowOf('Titan')).textContent).toContain('Japanese: empty')
  expect((await rowOf('Titan')).textContent).toContain('+1')
  expect((await rowOf('坊っちゃん')).textContent).toContain('Simplified Chinese: empty')
  expect((await rowOf('Nameless')).textContent).toContain('No translations')
  const calls = requests.filter(({ path }) => path === '/api/findings/marks')
  expect(calls.map(({ query }) => query)).toEqual([{ entityType: 'Media', ids: 'a,b,c' }])
})

test('cards show the state of their languages', async () => {
  answer(findingsApi.marks, { data: [{ entityId: 't', code: 'spaces', language: 'en' }] })
  list.tags(aTag())
  await open('/tags')
  expect(await main().findByText('English: suspect')).toBeDefined()
})

test('of many wanted languages, a row shows how many are filled, and which', async () => {
  const languages = ['en', 'fr', 'de', 'es', 'it', 'pt', 'nl', 'sv', 'da', 'fi', 'pl', 'cs', 'ja']
  answer(siteApi.find, { name: 'Site', defaultLanguage: 'en', languages, findings: [] })
  list.media(aMedia({ translations: { en: text('Titan'), fr: text('Titans') } }))
  await open('/media')
  expect((await screen.findByTitle('English, French: filled')).textContent).toContain('●2')
  expect(screen.getByTitle(/^German, .*, Japanese: empty$/).textContent).toContain('○11')
})
