// What a response does once the user has left the screen that sent the request.
import { aiApi } from '@mokuroku/contract/ai'
import { batchesApi } from '@mokuroku/contract/batches'
import { importsApi } from '@mokuroku/contract/imports'
import { mediaApi } from '@mokuroku/contract/media'
import { viewsApi } from '@mokuroku/contract/views'
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { queryClient } from '#api/queryClient.ts'
import { router } from './routes.tsx'
import {
  aBatch,
  aMedia,
  anImport,
  answer,
  currentUrl,
  hold,
  holdUploads,
  list,
  main,
  open,
  withoutServer,
  write,
} from './testing.tsx'

withoutServer()

const press = async (name: string) => userEvent.click(await main().findByRole('button', { name }))
const dialog = async () => within(await screen.findByRole('dialog'))
const pressInDialog = async (name: string) => userEvent.click(await (await dialog()).findByRole('button', { name }))
const none = { count: 0, ids: [] }

/** Each sends a request, and returns what releases its response. */
const ACTIONS: Record<string, () => Promise<() => void>> = {
  'an upload of rows to import': async () => {
    await open('/import')
    await userEvent.type(await main().findByLabelText('Or paste cells'), 'name')
    const release = holdUploads({ _id: 'one' })
    await press('Check pasted rows')
    return () => release(201)
  },
  'the deletion of an import': async () => {
    const pagination = { total: 0, page: 1, limit: 20 }
    answer(importsApi.find, { ...anImport({ state: 'failed', total: 0 }), rows: [], pagination })
    answer(importsApi.remove, { success: true })
    const release = hold(importsApi.remove)
    await open('/import/one')
    await press('Delete import')
    return release
  },
  'the deletion of an entry': async () => {
    answer(mediaApi.find, aMedia())
    answer(mediaApi.remove, { success: true })
    const release = hold(mediaApi.remove)
    await open('/media/m')
    await press('Delete')
    await pressInDialog('Delete')
    return release
  },
  'the save of a comparison': async () => {
    answer(aiApi.createMedia, aMedia({ _id: 'new' }))
    const release = hold(aiApi.createMedia)
    await open('/media/compare')
    await press('Edit JSON')
    await write({ translations: { en: { title: 'Sanshiro', description: '' } } })
    await press('Save Media')
    return release
  },
  'a rollback': async () => {
    answer(batchesApi.find, aBatch())
    answer(batchesApi.results, { data: [], pagination: { total: 0, page: 1, limit: 20 } })
    answer(batchesApi.rollback, ({ body }) =>
      (body as { dryRun?: boolean }).dryRun
        ? { changes: { count: 2, ids: [] }, unchanged: none, refused: { ...none, reasons: [] } }
        : { batch: 'two' },
    )
    await open('/batches/one')
    await press('Roll back')
    await userEvent.type(await (await dialog()).findByLabelText(/^Reason/), 'a mistake')
    await pressInDialog('Preview')
    await (await dialog()).findByText(/^2 would be rolled back/)
    const release = hold(batchesApi.rollback)
    await pressInDialog('Roll back')
    return release
  },
  'the save of a view': async () => {
    list.media()
    answer(viewsApi.create, {
      _id: 'v',
      version: 1,
      name: 'Novels',
      entityType: 'Media',
      filters: {},
      sort: null,
      columns: [],
      shared: false,
      owner: null,
      updatedAt: '2026-01-05T00:00:00.000Z',
      createdAt: '2026-01-05T00:00:00.000Z',
    } as never)
    const release = hold(viewsApi.create)
    await open('/media?type=NOVEL')
    await press('Save view')
    await userEvent.type((await dialog()).getByLabelText('Name'), 'Novels{Enter}')
    return release
  },
}

test.each(Object.keys(ACTIONS))('%s that ends after its screen was left leads to no other screen', async (action) => {
  const release = await ACTIONS[action]?.()
  await waitFor(() => expect(queryClient.isMutating()).toBe(1))
  await act(() => router.navigate({ to: '/profile', ignoreBlocker: true }))
  await main().findByRole('heading', { level: 1, name: 'Your Profile' })
  release?.()
  await waitFor(() => expect(queryClient.isMutating()).toBe(0))
  expect(queryClient.getMutationCache().getAll().at(-1)?.state.status).toBe('success')
  expect(currentUrl()).toBe('/profile')
})
