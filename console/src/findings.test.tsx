import { type Finding, findingsApi } from '@mokuroku/contract/findings'
import { likelyOf } from '@mokuroku/contract/duplicates'
import { charactersApi } from '@mokuroku/contract/characters'
import { mediaApi } from '@mokuroku/contract/media'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import {
  aCharacter,
  aMedia,
  answer,
  failMissing,
  requests,
  findToast,
  main,
  open,
  reader,
  withoutServer,
} from './testing.tsx'

withoutServer()

const since = '2026-01-01T00:00:00.000Z'
const missing: Finding = { code: 'missing', language: 'zh', field: 'title', since }

function given() {
  let isSettled = false
  answer(mediaApi.find, aMedia())
  answer(findingsApi.find, () => ({
    data: [{ code: 'duplicate', since } as const, ...(isSettled ? [] : [missing])],
    dismissed: isSettled ? [{ ...missing, username: 'mori', createdAt: since }] : [],
  }))
  answer(findingsApi.dismiss, () => {
    isSettled = true
    return { success: true }
  })
  answer(findingsApi.undismiss, () => {
    isSettled = false
    return { success: true }
  })
}
const NOT_A_PROBLEM = 'Not a problem: There is no title or name in Chinese.'

test('a finding links to all entries that have it, and can be dismissed and undone', async () => {
  given()
  await open('/media/m')
  await main().findByText('Found by the checks (2)')
  const links = main().getAllByRole('link', { name: /^Show all with this finding: / })
  expect(new Set(links.map((link) => link.getAttribute('aria-label'))).size).toBe(2)
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    '/media?finding=duplicate',
    '/media?finding=missing%3Azh',
  ])
  await userEvent.click(main().getByRole('button', { name: NOT_A_PROBLEM }))
  await findToast('Finding dismissed')
  expect(await main().findByText(/^Dismissed by mori/)).toBeDefined()
  expect(requests.find(({ path }) => path === '/api/findings/dismiss')?.body).toEqual({
    entityId: 'm',
    code: 'missing',
    language: 'zh',
    field: 'title',
  })
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await main().findByRole('button', { name: NOT_A_PROBLEM })).toBeDefined()
})

test('dismissing a finding that somebody else has settled is no failure', async () => {
  given()
  failMissing(findingsApi.dismiss, 'Finding')
  await open('/media/m')
  await main().findByText('Found by the checks (2)')
  await userEvent.click(main().getByRole('button', { name: NOT_A_PROBLEM }))
  const { parentElement } = await findToast('This finding no longer exists.')
  expect(parentElement?.textContent).not.toContain('Failed')
})

test('the finding of a duplicate links to the other entry, which is read once the findings are opened', async () => {
  given()
  const other = aMedia({ _id: 'other', translations: { en: { title: 'Kokoro again', description: '' } } })
  answer(likelyOf('Media'), { data: [{ entity: other, evidence: { titles: ['Kokoro'], daysApart: 0 } }] })
  await open('/media/m')
  const summary = await main().findByText('Found by the checks (2)')
  const reads = () => requests.filter(({ path }) => path === '/api/media/duplicates')
  expect(reads()).toEqual([])
  await userEvent.click(summary)
  const link = await main().findByRole('link', { name: /^Kokoro again/ })
  expect(link.getAttribute('href')).toBe('/media/other')
  expect(reads()).toHaveLength(1)
  expect(reads()[0]?.body).toMatchObject({ _id: 'm' })
})

test('the editor shows the findings collapsed, and disables dismissal without permission', async () => {
  given()
  await open('/media/m/edit', { as: reader })
  const summary = await main().findByText('Found by the checks (2)')
  expect(summary.closest('details')?.open).toBe(false)
  const button = main().getByRole('button', { name: NOT_A_PROBLEM })
  await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('true'))
  await userEvent.click(button)
  expect(requests.some(({ path }) => path === '/api/findings/dismiss')).toBe(false)
})

test('the finding of a duplicate says nothing of fields that the kind does not have', async () => {
  answer(charactersApi.find, aCharacter({ _id: 'c' }))
  answer(findingsApi.find, { data: [{ code: 'duplicate', since }], dismissed: [] })
  await open('/characters/c/edit')
  await main().findByText('Another entry has the same title or name, and is probably the same.')
})
