// What single screens show in case of unusual server responses.
import { assetsApi } from '@mokuroku/contract/assets'
import { charactersApi } from '@mokuroku/contract/characters'
import { dashboardApi } from '@mokuroku/contract/dashboard'
import { historyApi } from '@mokuroku/contract/history'
import { mediaApi } from '@mokuroku/contract/media'
import { notificationsApi } from '@mokuroku/contract/notifications'
import { ratingsApi } from '@mokuroku/contract/ratings'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import {
  admin,
  aMedia,
  anAsset,
  answer,
  aRating,
  requests,
  fail,
  hold,
  currentUrl,
  holdUploads,
  list,
  main,
  open,
  reader,
  findToast,
  settled,
  withoutServer,
} from './testing.tsx'
import { lostConnection } from '#api/connection.ts'
import { router } from './routes.tsx'

withoutServer()

const card = (name: RegExp) => within(main().getByRole('region', { name }))

describe('the dashboard', () => {
  const stats = { mediaCount: 8522, characterCount: 74, tagCount: 79, assetCount: 113, tagUsage: {} }

  test.each([
    [403, {}, 'Access denied. You do not have permission for this action.'],
    [404, {}, 'Resource not found.'],
    [429, {}, 'Too many requests. Please try again later.'],
    [500, {}, 'Server error. Please try again later.'],
    [502, {}, 'Server error. Please try again later.'],
    [503, {}, 'Server error. Please try again later.'],
    [504, {}, 'Server error. Please try again later.'],
    [409, { message: 'A sentence of the server' }, 'A sentence of the server'],
    [418, {}, 'An unexpected error occurred'],
    [0, {}, 'Network error. Please check your connection.'],
  ])('shows the message for status %i, and Retry repeats the call', async (status, body, text) => {
    fail(dashboardApi.stats, status, body)
    await open('/')
    expect((await screen.findAllByText(text)).length).toBeGreaterThan(0)
    answer(dashboardApi.stats, stats)
    await userEvent.click(main().getAllByRole('button', { name: 'Retry' })[0] ?? document.body)
    expect(await screen.findByText('8,522')).toBeDefined()
  })

  test('Retry keeps its place, the message and the focus until there is an answer', async () => {
    fail(dashboardApi.stats, 409)
    fail(dashboardApi.recentActivities, 409)
    await open('/')
    await main().findAllByRole('button', { name: 'Retry' })
    const said = () =>
      main()
        .getAllByRole('status')
        .map((each) => each.textContent)
    for (const [route, at, message] of [
      [dashboardApi.stats, 0, 'Error'],
      [dashboardApi.recentActivities, -1, 'Failed to load this'],
    ] as const) {
      const retry = main().getAllByRole('button', { name: 'Retry' }).at(at)
      const release = hold(route)
      await userEvent.click(retry ?? document.body)
      await waitFor(() => expect(retry?.getAttribute('aria-disabled')).toBe('true'))
      expect(main().getAllByText(message)).not.toEqual([])
      expect(said()).toContain('Loading...')
      release()
      await waitFor(() => expect(retry?.getAttribute('aria-disabled')).toBeNull())
      expect(document.activeElement).toBe(retry)
      expect(said()).toContain('Failed to load this')
    }
  })

  test('shows the reason from the server beside the message for its status', async () => {
    const message = 'The database is unavailable.'
    fail(dashboardApi.stats, 503, { code: 'unavailable', message })
    await open('/')
    const both = `Server error. Please try again later. ${message}`
    expect((await screen.findAllByText(both)).length).toBeGreaterThan(0)
  })

  test('lists both series of the chart by category, and says that there are no activities', async () => {
    const tagUsage = { GENRE: { count: 2, totalUsage: 7 }, CONTENT_WARNING: { count: 3, totalUsage: 1200 } }
    answer(dashboardApi.stats, { ...stats, tagUsage })
    answer(dashboardApi.recentActivities, [])
    await open('/')
    const table = await main().findByRole('table', { name: 'Tag Usage by Category' })
    expect(
      within(table)
        .getAllByRole('row')
        .map((row) => [...row.children].map((cell) => cell.textContent)),
    ).toEqual([
      ['Category', 'Tags Count', 'Total Usage'],
      ['GENRE', '2', '7'],
      ['CONTENT WARNING', '3', '1,200'],
    ])
    expect(main().getByRole('img', { name: 'Tag Usage by Category' }).textContent).toMatch(/Tags Count.*Total Usage/)
    expect(await main().findByText('No recent activities found')).toBeDefined()
  })

  test('says that there are no tags yet', async () => {
    const none = { count: 0, totalUsage: 0 }
    const tagUsage = { GENRE: none, THEME: none, CHARACTER_TRAIT: none, CONTENT_WARNING: none, CUSTOM: none }
    answer(dashboardApi.stats, { ...stats, tagUsage })
    await open('/')
    expect(await screen.findByText('No tags yet')).toBeDefined()
    expect(main().queryByRole('img', { name: 'Tag Usage by Category' })).toBeNull()
  })
})

test.each([
  ['/media', mediaApi.list],
  ['/ratings', ratingsApi.list],
  ['/activities', dashboardApi.activities],
  ['/translations', historyApi.recent],
] as const)('%s shows no pages while it is failing, nor during Retry', async (path, route) => {
  hold(historyApi.statistics)
  fail(route, 409)
  await open(path)
  const retry = await main().findByRole('button', { name: 'Retry' })
  const pages = () => main().queryByRole('navigation', { name: 'Pages' })
  expect(pages()).toBeNull()
  hold(route)
  await userEvent.click(retry)
  await waitFor(() => expect(retry.getAttribute('aria-disabled')).toBe('true'))
  expect(pages()).toBeNull()
})

describe('a media item', () => {
  const given = () => {
    answer(mediaApi.find, aMedia())
    answer(charactersApi.ofMedia, [])
    answer(ratingsApi.ofMedia, [])
    list.assets()
  }

  test('with an unknown id is shown as not found, with a link back', async () => {
    await open('/media/x')
    expect(await screen.findByText('The requested media could not be found.')).toBeDefined()
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Media Not Found')
    list.media()
    await userEvent.click(main().getByRole('link', { name: 'Back to Media List' }))
    await waitFor(() => expect(currentUrl()).toBe('/media'))
  })

  test('that is loaded again does not show why another one failed', async () => {
    fail(mediaApi.find, 409)
    await open('/media/b')
    await screen.findByText('Failed to load media details')
    fail(mediaApi.find, 404)
    router.history.push('/media/a')
    await screen.findByRole('heading', { level: 1, name: 'Media Not Found' })
    const release = hold(mediaApi.find)
    answer(mediaApi.find, aMedia())
    router.history.push('/media/b')
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'Media Not Found' })).toBeNull())
    release()
    expect(await screen.findByRole('heading', { level: 1, name: 'Kokoro' })).toBeDefined()
  })

  test('has cards that fail and are retried independently', async () => {
    given()
    fail(charactersApi.ofMedia)
    fail(ratingsApi.ofMedia)
    fail(assetsApi.list)
    await open('/media/m')
    expect(await screen.findByText('Failed to load characters')).toBeDefined()
    expect(await screen.findByText('Failed to load ratings')).toBeDefined()
    expect(await screen.findByText('Failed to load assets')).toBeDefined()
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Kokoro')
    answer(charactersApi.ofMedia, [])
    await userEvent.click(card(/^Characters/).getByRole('button', { name: 'Retry' }))
    expect(await screen.findByText('No characters associated with this media')).toBeDefined()
    expect(screen.getByText('Failed to load ratings')).toBeDefined()
  })

  test('shows ratings of deleted users as Anonymous, and assets other than images with an icon', async () => {
    given()
    answer(ratingsApi.ofMedia, [aRating({ userId: 'gone', mediaId: 'm', score: 4.9, comment: 'Well.' })])
    list.assets(anAsset())
    await open('/media/m')
    expect(await screen.findByText('Anonymous')).toBeDefined()
    expect(screen.getByText('Well.')).toBeDefined()
    expect(
      card(/^Ratings & Reviews/)
        .getAllByText('4.9')
        .some((one) => one.closest('[data-tone="danger"]')),
    ).toBe(true)
    const audio = await card(/^Media Assets/).findByRole('link', { name: /opening\.ogg/ })
    expect(audio.querySelector('svg')).not.toBeNull()
    expect(audio.getAttribute('target')).toBe('_blank')
  })

  test('requests ten of its public assets that are ready', async () => {
    given()
    await open('/media/m')
    await screen.findByText('No assets available')
    expect(requests.find(({ path }) => path === assetsApi.list.path)?.query).toEqual({
      relatedTo: JSON.stringify({ model: 'MEDIA', id: 'm' }),
      limit: '10',
      skip: '0',
      isPublic: 'true',
      status: 'READY',
    })
  })
})

test('a rating that fails to load or save shows an error, and keeps the input', async () => {
  fail(ratingsApi.find)
  await open('/ratings/r')
  expect(await main().findByText('Failed to load rating details')).toBeDefined()
  expect(main().getByRole('link', { name: 'Back to Ratings' })).toBeDefined()
  answer(ratingsApi.find, aRating())
  await userEvent.click(main().getByRole('button', { name: 'Retry' }))
  await userEvent.click(await main().findByRole('button', { name: 'Edit Rating' }))
  const score = main().getByRole<HTMLInputElement>('spinbutton', { name: 'Score' })
  fail(ratingsApi.update, 0)
  await userEvent.clear(score)
  await userEvent.type(score, '6.6{Enter}')
  expect((await findToast('Failed to update rating')).textContent).toContain(
    'Network error. Please check your connection.',
  )
  expect(score.value).toBe('6.6')
  answer(ratingsApi.update, aRating({ score: 6.6, version: 2 }))
  await userEvent.type(score, '{Enter}')
  expect(await screen.findByText('Rating updated successfully')).toBeDefined()
})

test('a rating that does not exist is shown as not found', async () => {
  await open('/ratings/x')
  expect(await screen.findByRole('heading', { level: 1, name: 'Rating not found' })).toBeDefined()
})

test('uploads are not shown to the next user, nor continued as theirs', async () => {
  list.assets()
  holdUploads(anAsset())
  const openUploads = async () =>
    userEvent.click((await main().findAllByRole('button', { name: /^Upload Asset/ }))[0] ?? document.body)
  await open('/assets')
  await openUploads()
  const dialog = () => within(screen.getByRole('dialog'))
  const input = document.querySelector<HTMLInputElement>('dialog input[type=file]')
  const files = ['a', 'b', 'c'].map((name) => new File(['x'], `${name}.png`, { type: 'image/png' }))
  await userEvent.upload(input ?? document.body, files)
  expect(dialog().getAllByRole('listitem')).toHaveLength(3)
  cleanup()
  await open('/assets', { as: { ...admin, _id: 'other' } })
  await openUploads()
  expect(dialog().queryAllByRole('listitem')).toEqual([])
})

test('who may not upload videos is not offered it, and told so before a video is sent', async () => {
  list.assets()
  await open('/assets', { as: reader })
  await userEvent.click((await main().findAllByRole('button', { name: /^Upload Asset/ }))[0] ?? document.body)
  const dialog = within(screen.getByRole('dialog'))
  expect(dialog.getByText('Images (JPEG, PNG, GIF, WebP, AVIF) and audio, up to 2 MB each')).toBeDefined()
  const input = dialog.getByLabelText<HTMLInputElement>(/^Drop files here/)
  expect(input.accept).not.toContain('video')
  fireEvent.change(input, { target: { files: [new File(['x'], 'opening.mp4', { type: 'video/mp4' })] } })
  const [row] = dialog.getAllByRole('listitem')
  expect(row?.textContent).toContain('Your tier “Reader” does not allow uploading videos.')
  expect(requests.filter(({ method }) => method === 'POST')).toEqual([])
})

test('the browser asks before it closes the tab while files are uploaded', async () => {
  list.assets()
  const release = holdUploads(anAsset())
  await open('/assets')
  await userEvent.click((await main().findAllByRole('button', { name: /^Upload Asset/ }))[0] ?? document.body)
  const input = document.querySelector<HTMLInputElement>('dialog input[type=file]')
  await userEvent.upload(input ?? document.body, new File(['x'], 'a.png', { type: 'image/png' }))
  const closes = () => fireEvent(window, new Event('beforeunload', { cancelable: true }))
  expect(closes()).toBe(false)
  release(201)
  await waitFor(() => expect(closes()).toBe(true))
})

test('files wait while the connection is lost, can be cancelled, and are sent once when it is back', async () => {
  list.assets()
  // Any answer would end the lost connection.
  hold(notificationsApi.stream)
  const release = holdUploads(anAsset())
  await open('/assets')
  await userEvent.click((await main().findAllByRole('button', { name: /^Upload Asset/ }))[0] ?? document.body)
  await settled()
  act(() => lostConnection.set('offline'))
  const input = document.querySelector<HTMLInputElement>('dialog input[type=file]')
  const files = ['a', 'b'].map((name) => new File(['x'], `${name}.png`, { type: 'image/png' }))
  await userEvent.upload(input ?? document.body, files)
  const rows = () => within(screen.getByRole('dialog')).getAllByRole('listitem')
  expect(rows().map((row) => row.textContent)).toEqual([
    'a.pngWaiting for the connection',
    'b.pngWaiting for the connection',
  ])
  expect(fireEvent(window, new Event('beforeunload', { cancelable: true }))).toBe(false)
  await userEvent.click(screen.getByRole('button', { name: 'Cancel b.png' }))
  const uploaded = () => requests.filter(({ method, path }) => method === 'POST' && path === assetsApi.upload.path)
  expect(uploaded()).toEqual([])
  act(() => lostConnection.set(undefined))
  release(201)
  await waitFor(() => expect(rows()[0]?.textContent).toContain('Uploaded'))
  expect(rows()).toHaveLength(1)
  expect(uploaded()).toHaveLength(1)
})
