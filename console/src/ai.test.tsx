// What the AI screens and the pickers show before any request is sent.
import { aiApi } from '@mokuroku/contract/ai'
import { charactersApi } from '@mokuroku/contract/characters'
import { mediaApi } from '@mokuroku/contract/media'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { answer, asked, fail, findToast, main, open, withoutServer, write } from './testing.tsx'

withoutServer()

beforeEach(() =>
  answer(aiApi.status, {
    provider: 'model',
    model: 'lantern-1',
    sources: [],
    isElsewhere: false,
    isAllowed: true,
    streamsPerUser: 2,
    tokensToday: 0,
    dailyTokens: 0,
  }),
)

test('a comparison requires a topic', async () => {
  await open('/media/compare')
  expect(await screen.findByRole('heading', { level: 1, name: 'AI Media Comparison' })).toBeDefined()
  expect(screen.getByRole('link', { name: 'Back to Media List' }).getAttribute('href')).toBe('/media')
  await userEvent.type(main().getByLabelText('Topic'), '   ')
  await userEvent.click(main().getByRole('button', { name: 'Generate' }))
  expect(await screen.findByText('Please enter a topic')).toBeDefined()
  expect(asked.filter(({ method }) => method === 'POST')).toEqual([])
})

test.each([
  ['/media/compare', 'Search for related media', 'Failed to load your recent media'],
  ['/media/compare', 'Search for characters', 'Failed to load your recent characters'],
  ['/media/standardize', 'Search media', 'Failed to load your recent media'],
  ['/media', /^Search/, 'Failed to load your recent media'],
  ['/characters', /^Search/, 'Failed to load your recent characters'],
])('%s: the picker (%s) says which entries failed to load', async (path, label, sentence) => {
  fail(mediaApi.list)
  fail(charactersApi.list)
  await open(path)
  const [picker] = await main().findAllByRole('combobox', { name: label })
  await userEvent.click(picker ?? document.body)
  expect(await screen.findByText(sentence)).toBeDefined()
})

test('does not enhance when there are no translations or the JSON is invalid', async () => {
  await open('/tags/new')
  const enhance = () => userEvent.click(main().getByRole('button', { name: 'AI Enhance Translations' }))
  await main().findByRole('button', { name: 'AI Enhance Translations' })
  await enhance()
  expect(await findToast('No translations to enhance')).toBeDefined()
  await write('{')
  await enhance()
  expect((await screen.findAllByText('Invalid JSON format')).length).toBeGreaterThan(0)
})
