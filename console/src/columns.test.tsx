// Columns of lists: chosen by each user, or given in the URL.
import { authApi } from '@mokuroku/contract/auth'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { queryClient } from '#api/queryClient.ts'
import {
  aCharacter,
  aMedia,
  answer,
  requests,
  aTag,
  fail,
  currentUrl,
  hold,
  list,
  main,
  open,
  withoutServer,
} from './testing.tsx'

withoutServer()

const heads = () =>
  main()
    .queryAllByRole('columnheader')
    .map(({ textContent }) => textContent)
const kept = () => requests.filter(({ path }) => path === '/api/auth/preferences').map(({ body }) => body)
const keeps = () => answer(authApi.updatePreferences, ({ body }) => body as { columns: Record<string, string[]> })
const dialog = async () => within(await screen.findByRole('dialog', { name: 'Columns of this list' }))

test('the chosen columns are saved with the account', async () => {
  keeps()
  list.media(aMedia())
  await open('/media')
  await screen.findByRole('link', { name: 'Kokoro' })
  expect(heads()).toEqual(['Title', 'Type', 'Release Date', 'Status', 'Rating', 'Actions'])
  await userEvent.click(main().getByRole('button', { name: 'Columns' }))
  const first = (await dialog()).getByRole('checkbox', { name: 'Type' })
  expect(document.activeElement).toBe(first)
  await userEvent.click((await dialog()).getByRole('checkbox', { name: 'Updated' }))
  await waitFor(() => expect(heads()).toContain('Updated'))
  await userEvent.click((await dialog()).getByRole('checkbox', { name: 'Type' }))
  await waitFor(() => expect(heads()).toEqual(['Title', 'Release Date', 'Status', 'Rating', 'Updated', 'Actions']))
  expect(kept()).toEqual([
    { columns: { Media: ['type', 'releaseDate', 'status', 'rating', 'updatedAt'] } },
    { columns: { Media: ['releaseDate', 'status', 'rating', 'updatedAt'] } },
  ])
  await userEvent.dblClick((await dialog()).getByRole('button', { name: 'Default columns' }))
  await waitFor(() => expect(heads()).toContain('Type'))
  // Sent once, although it was pressed twice.
  expect(kept().slice(2)).toEqual([{ columns: { Media: [] } }])
  expect(currentUrl()).toBe('/media')
})

test('columns in the URL set the order, and choices then change the URL instead of the account', async () => {
  list.media(aMedia())
  await open('/media?columns=rating%2Ctype%2Cnothing')
  await screen.findByRole('link', { name: 'Kokoro' })
  expect(heads()).toEqual(['Title', 'Rating', 'Type', 'Actions'])
  expect(requests.find(({ path }) => path === '/api/media')?.query).not.toHaveProperty('columns')
  await userEvent.click(main().getByRole('button', { name: 'Columns' }))
  await userEvent.click((await dialog()).getByRole('checkbox', { name: 'Rating' }))
  await waitFor(() => expect(currentUrl()).toBe('/media?columns=type'))
  expect(kept()).toEqual([])
})

test('a row names ten tags and counts the others', async () => {
  const tags = Array.from({ length: 12 }, (_, at) => aTag({ _id: `t${at}` }))
  list.media(aMedia({ tags }))
  await open('/media?columns=tags')
  expect((await screen.findByText('+2 more')).parentElement?.querySelectorAll('a')).toHaveLength(10)
})

test.each(['/characters', '/tags'])('%s can be shown as cards or as a table', async (path) => {
  keeps()
  list.characters(aCharacter())
  list.tags(aTag())
  await open(path)
  await waitFor(() => expect(main().queryAllByRole('checkbox').length).toBeGreaterThan(1))
  expect(heads()).toEqual([])
  await userEvent.click(main().getByRole('button', { name: 'Columns' }))
  await userEvent.selectOptions((await dialog()).getByLabelText('Layout'), 'Table')
  await waitFor(() => expect(heads()[0]).toBe('Name'))
  await userEvent.selectOptions((await dialog()).getByLabelText('Layout'), 'Cards')
  await waitFor(() => expect(heads()).toEqual([]))
})

test('quick choices apply at once and all count; they are saved one after the other', async () => {
  keeps()
  list.media(aMedia())
  await open('/media')
  await screen.findByRole('link', { name: 'Kokoro' })
  await userEvent.click(main().getByRole('button', { name: 'Columns' }))
  const first = hold(authApi.updatePreferences)
  for (const name of ['Type', 'Status']) await userEvent.click((await dialog()).getByRole('checkbox', { name }))
  const both = ['Title', 'Release Date', 'Rating', 'Actions']
  expect(heads()).toEqual(both)
  expect(kept()).toEqual([{ columns: { Media: ['releaseDate', 'status', 'rating'] } }])
  const second = hold(authApi.updatePreferences)
  first()
  await waitFor(() => expect(kept()[1]).toEqual({ columns: { Media: ['releaseDate', 'rating'] } }))
  expect(heads()).toEqual(both)
  second()
  await waitFor(() => expect(queryClient.isMutating()).toBe(0))
  expect(heads()).toEqual(both)
})

test('columns that cannot be saved are shown as before', async () => {
  fail(authApi.updatePreferences, 503)
  list.media(aMedia())
  await open('/media')
  await screen.findByRole('link', { name: 'Kokoro' })
  const before = heads()
  await userEvent.click(main().getByRole('button', { name: 'Columns' }))
  const release = hold(authApi.updatePreferences)
  await userEvent.click((await dialog()).getByRole('checkbox', { name: 'Type' }))
  expect(heads()).not.toContain('Type')
  release()
  await waitFor(() => expect(heads()).toEqual(before))
})
