// Setting an image as the cover of a media item.
import type { Asset } from '@mokuroku/contract/assets'
import { assetsApi } from '@mokuroku/contract/assets'
import { mediaApi } from '@mokuroku/contract/media'
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { queryClient } from '#api/queryClient.ts'
import {
  aHit,
  aMedia,
  anAsset,
  answer,
  requests,
  fail,
  findToast,
  hits,
  list,
  main,
  open,
  reader,
  settled,
  withoutServer,
} from './testing.tsx'

withoutServer()

const image = (given: Partial<Asset> = {}) =>
  anAsset({ _id: 'i', type: 'IMAGE', filename: '表紙.png', mimeType: 'image/png', ...given })
const puts = () => requests.filter(({ method }) => method === 'PUT')
const before = { _id: 'old', url: '/files/old' }

/** Opens the dialog from the detail screen of an image. */
async function dialog() {
  answer(assetsApi.find, image())
  list.media()
  hits(aHit({ _id: 'm', match: { text: 'こころ', language: 'ja', kind: 'exact' } }))
  await open('/assets/i')
  await userEvent.click(await main().findByRole('button', { name: 'Set as cover' }))
  return within(await screen.findByRole('dialog', { name: 'Set as cover of…' }))
}

test('sets an image as the cover of a searched media item, and Undo restores the previous cover', async () => {
  const inside = await dialog()
  expect(document.activeElement).toBe(inside.getByRole('combobox', { name: 'Search media' }))
  answer(mediaApi.find, aMedia({ version: 4, cover: before }))
  answer(mediaApi.update, aMedia({ version: 5, cover: { _id: 'i', url: '/files/i' } }))
  await userEvent.type(inside.getByRole('combobox', { name: 'Search media' }), 'こころ')
  await userEvent.click(await inside.findByRole('option'))
  const toast = await findToast('New cover for Kokoro')
  expect(puts()).toMatchObject([{ path: '/api/media/m', base: '"4"', body: { cover: 'i', mediaType: 'NOVEL' } }])
  expect(screen.queryByRole('dialog')).toBeNull()
  await userEvent.click(within(toast).getByRole('button', { name: 'Undo' }))
  await findToast('Restored the previous cover of Kokoro')
  expect(puts()[1]).toMatchObject({ base: '"5"', body: { cover: 'old' } })
})

test('does not overwrite a concurrent change, and keeps the dialog open', async () => {
  const inside = await dialog()
  answer(mediaApi.find, aMedia())
  fail(mediaApi.update, 412, { code: 'stale', message: 'x' })
  await userEvent.type(inside.getByRole('combobox', { name: 'Search media' }), 'kokoro')
  await userEvent.click(await inside.findByRole('option'))
  expect((await findToast('Failed to set the cover')).textContent).toContain('This cover was changed elsewhere')
  expect(screen.getByRole('dialog')).toBeDefined()
})

test('says that the image has been deleted in the meantime', async () => {
  const inside = await dialog()
  answer(mediaApi.find, aMedia())
  const message = 'There is no asset with the id 01'
  fail(mediaApi.update, 400, { code: 'invalid', message, errors: [{ path: 'cover', message, code: 'notThere' }] })
  await userEvent.type(inside.getByRole('combobox', { name: 'Search media' }), 'kokoro')
  await userEvent.click(await inside.findByRole('option'))
  const { textContent } = await findToast('Failed to set the cover')
  expect(textContent).toContain('The image has been deleted in the meantime.')
  expect(textContent).not.toContain(message)
})

test('offers only ready images, and disables the action without edit permission', async () => {
  list.assets(image(), anAsset(), image({ _id: 'p', filename: 'half.png', status: 'PROCESSING' }))
  await open('/assets', { as: reader })
  const button = await main().findByRole('button', { name: 'Set 表紙.png as a cover' })
  expect(button.getAttribute('aria-disabled')).toBe('true')
  expect(main().queryByRole('button', { name: 'Set half.png as a cover' })).toBeNull()
  expect(main().queryByRole('button', { name: 'Set opening.ogg as a cover' })).toBeNull()
})

test('on a media item, one click sets an image as the cover, and the current cover is labelled', async () => {
  answer(mediaApi.find, aMedia({ cover: before }))
  list.assets(image({ _id: 'old', filename: 'old.png' }), image())
  answer(mediaApi.update, aMedia({ version: 2, cover: { _id: 'i', url: '/files/i' } }))
  await open('/media/m')
  const button = await main().findByRole('button', { name: 'Set 表紙.png as a cover' })
  expect(main().queryByRole('button', { name: 'Set old.png as a cover' })).toBeNull()
  expect(main().getByText('old.png').closest('li')?.textContent).toContain('Cover')
  await userEvent.click(button)
  await findToast('New cover for Kokoro')
  await waitFor(() => expect(puts()).toMatchObject([{ base: '"1"', body: { cover: 'i' } }]))
})

test('the suggestions stay in place until a press elsewhere is over, so that it hits what it was aimed at', async () => {
  const inside = await dialog()
  await userEvent.type(inside.getByRole('combobox', { name: 'Search media' }), 'kokoro')
  await inside.findByRole('option')
  const user = userEvent.setup()
  await user.pointer({ keys: '[MouseLeft>]', target: inside.getByRole('button', { name: 'Close' }) })
  expect(inside.getByRole('option')).toBeDefined()
  await user.pointer({ keys: '[/MouseLeft]', target: document.body })
  await waitFor(() => expect(inside.queryByRole('option')).toBeNull())
})

test('an image that is deleted while its uses are on screen is reported once, in place', async () => {
  answer(assetsApi.find, image())
  answer(assetsApi.uses, { total: 0, by: [], first: [] })
  await open('/assets/i')
  await main().findByText('Not used anywhere')
  fail(assetsApi.find, 404)
  fail(assetsApi.uses, 404)
  await act(() => queryClient.invalidateQueries())
  await main().findByText('Deleted in the meantime')
  await settled()
  expect(screen.queryByText('Resource not found.')).toBeNull()
})
