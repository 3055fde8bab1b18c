// What the general settings offer beside their fields.
import { type FoldResult, languagesApi } from '@mokuroku/contract/languages'
import { newSettings, type Settings, settingsApi } from '@mokuroku/contract/settings'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { answer, asked, findToast, open, withoutServer } from './testing.tsx'

withoutServer()

const { siteName, defaultLanguage, languages, findings, sessionHours, ...ai } = newSettings()
const SETTINGS: Settings = {
  _id: 'settings',
  version: 3,
  createdAt: '2026-01-05T00:00:00.000Z',
  updatedAt: '2026-01-05T00:00:00.000Z',
  general: { siteName, defaultLanguage, languages, findings },
  ai: { ...ai, hasKey: false },
  security: { sessionHours },
  mail: { isConfigured: false, server: '', from: '' },
  variables: { baseUrl: '', model: '', hasKey: false, hasSearch: false },
}
const FOLD: FoldResult = {
  from: 'zh',
  to: 'zh-Hans',
  kinds: [
    { entityType: 'Media', count: 2, kept: 1 },
    { entityType: 'Character', count: 0, kept: 0 },
    { entityType: 'Tag', count: 1, kept: 0 },
  ],
  first: [{ entityType: 'Media', _id: 'm', title: '心', kept: true }],
  batch: null,
}

test('which checks are on can be chosen', async () => {
  answer(settingsApi.find, SETTINGS)
  answer(settingsApi.update, SETTINGS)
  await open('/settings')
  const checks = within(await screen.findByRole('group', { name: 'Checks' }))
  expect(checks.getByLabelText<HTMLInputElement>('No cover').checked).toBe(true)
  await userEvent.click(checks.getByLabelText('Stray spaces'))
  await userEvent.click(checks.getByLabelText('No cover'))
  await userEvent.click(screen.getByRole('button', { name: 'Save Changes' }))
  await waitFor(() => expect(asked.find(({ method }) => method === 'PUT')?.body).toBeDefined())
  expect(asked.find(({ method }) => method === 'PUT')?.body).toEqual({
    general: {
      findings: [
        'missing',
        'copied',
        'script',
        'mixed',
        'spaces',
        'noTags',
        'noDescription',
        'duplicate',
        'brokenLink',
      ],
    },
  })
})

test('plain Chinese becomes Simplified Chinese after a question that says what changes', async () => {
  answer(settingsApi.find, SETTINGS)
  answer(languagesApi.preview, FOLD)
  answer(languagesApi.fold, { ...FOLD, batch: 'b' })
  await open('/settings')
  expect(await screen.findByText('2 media')).toBeDefined()
  expect(screen.getByText('1 tag')).toBeDefined()
  expect(screen.getByText(/Of these, 1 also have texts in Simplified Chinese/)).toBeDefined()
  expect(screen.getByRole('link', { name: '心' }).getAttribute('href')).toBe('/media/m')
  await userEvent.click(screen.getByRole('button', { name: 'Make Simplified Chinese' }))
  expect(asked.some(({ method, path }) => method === 'POST' && path === '/api/languages/fold')).toBe(false)
  const question = within(screen.getByRole('dialog'))
  await userEvent.click(question.getByRole('button', { name: 'Make Simplified Chinese' }))
  expect(await findToast('Changed: 3')).toBeDefined()
  expect(asked.find(({ method }) => method === 'POST')?.body).toEqual({ from: 'zh', to: 'zh-Hans' })
})

test('where nothing is in plain Chinese, nothing is offered', async () => {
  answer(settingsApi.find, SETTINGS)
  answer(languagesApi.preview, { ...FOLD, kinds: [], first: [] })
  await open('/settings')
  await screen.findByRole('group', { name: 'Checks' })
  await waitFor(() => expect(asked.some(({ path }) => path === '/api/languages/fold')).toBe(true))
  expect(screen.queryByText('Plain Chinese')).toBeNull()
})

test('what is offered is said in Chinese, too', async () => {
  answer(settingsApi.find, SETTINGS)
  answer(languagesApi.preview, FOLD)
  await open('/settings', { language: 'zh' })
  expect(await screen.findByText('未注明字体的中文')).toBeDefined()
})
