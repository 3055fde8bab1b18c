// What detail screens show, and where their buttons lead.
import { assetsApi, uploadsApi } from '@mokuroku/contract/assets'
import { charactersApi } from '@mokuroku/contract/characters'
import { mediaApi } from '@mokuroku/contract/media'
import { ratingsApi } from '@mokuroku/contract/ratings'
import type { Route } from '@mokuroku/contract/route'
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { signOut } from '#api/signIn.ts'
import {
  aCharacter,
  aMedia,
  aRating,
  anAsset,
  answer,
  requests,
  button,
  fail,
  findToast,
  currentUrl,
  hold,
  holdUploads,
  list,
  main,
  open,
  reader,
  settled,
  withoutServer,
} from './testing.tsx'
import { router } from './routes.tsx'

withoutServer()

const heading = () => screen.getByRole('heading', { level: 1 })
const named = (name: string) => screen.findByRole('heading', { level: 1, name })
const link = (name: string) => main().getByRole('link', { name })
const text = (title: string, description = '') => ({ title, description })
const unused = { total: 0, by: [], first: [] }

function aMediaAlone(given: Parameters<typeof aMedia>[0] = {}) {
  answer(mediaApi.find, aMedia(given))
  answer(charactersApi.ofMedia, [])
  answer(ratingsApi.ofMedia, [])
  answer(mediaApi.uses, unused)
  list.assets()
  list.media(aMedia(given))
}

test.each([mediaApi.find, charactersApi.find])('has a heading while it is loading', async (find) => {
  hold(find)
  await open(find.path.replace('/api', '').replace(':id', 'm'))
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Details')
})

describe('a media item', () => {
  test.each([
    ['America/Los_Angeles', '2020-04-01T00:00:00.000Z'],
    ['Pacific/Kiritimati', '2020-04-01T23:30:00.000Z'],
  ])('has the release date that was entered, in its list as well, to a user in %s', async (zone, releaseDate) => {
    vi.stubEnv('TZ', zone)
    onTestFinished(() => void vi.unstubAllEnvs())
    aMediaAlone({ releaseDate })
    await open('/media/m')
    await named('Kokoro')
    expect(main().getAllByText('April 1, 2020')).toHaveLength(2)
    await act(() => router.navigate({ to: '/media' }))
    expect((await main().findByText('2020-04-01')).title).toBe('April 1, 2020')
  })

  test('shows empty states, including a missing description in one language', async () => {
    const thai = 'ปู่ที่น้ำเชี่ยว'
    aMediaAlone({ translations: { en: text('Kokoro', 'First line'), th: text(thai) } })
    await open('/media/m')
    await named('Kokoro')
    for (const said of ['No characters associated with this media', 'No ratings yet', 'No assets available'])
      expect(await main().findByText(said)).toBeDefined()
    expect(main().getAllByText('No ratings').length).toBeGreaterThan(0)
    expect(main().getByText('First line')).toBeDefined()
    await userEvent.click(main().getByRole('tab', { name: 'Thai' }))
    expect(await main().findByText('No description in this language')).toBeDefined()
  })

  test('counts with separators', async () => {
    aMediaAlone({ ratingCount: 1234, characterCount: 8483 })
    answer(charactersApi.ofMedia, [aCharacter()])
    await open('/media/m')
    expect(await main().findByText('1,234')).toBeDefined()
    expect(main().getAllByText('1,234 ratings')).toHaveLength(2)
    expect(await main().findByText('The first 1 of 8,483')).toBeDefined()
  })

  test('shows the original name of a character once, in its language', async () => {
    aMediaAlone()
    answer(charactersApi.ofMedia, [aCharacter({ translations: {}, originalName: '先生' })])
    await open('/media/m')
    expect((await main().findByRole('link', { name: '先生' })).lang).toBe('ja')
    expect(main().getAllByText('先生')).toHaveLength(1)
  })

  test('opened by its URL, links back to the full list and to its editor', async () => {
    aMediaAlone()
    await open('/media/m')
    await named('Kokoro')
    expect(link('Edit').getAttribute('href')).toBe('/media/m/edit')
    expect(link('Back to Media List').getAttribute('aria-current')).toBeNull()
    await userEvent.click(link('Back to Media List'))
    await waitFor(() => expect(currentUrl()).toBe('/media'))
  })

  test('is prefetched when its row is hovered', async () => {
    aMediaAlone()
    await open('/media')
    await userEvent.hover(await main().findByRole('link', { name: 'Kokoro' }))
    await waitFor(() => expect(requests.some(({ path }) => path === '/api/media/m')).toBe(true))
    expect(currentUrl()).toBe('/media')
  })

  test('that fails to load shows an error, Retry and a link back', async () => {
    fail(mediaApi.find, 0)
    await open('/media/m')
    await named('Error')
    expect(main().getByText('Failed to load media details')).toBeDefined()
    expect(main().getByText('Network error. Please check your connection.')).toBeDefined()
    expect(link('Back to Media List')).toBeDefined()
    aMediaAlone()
    await userEvent.click(button('Retry'))
    await named('Kokoro')
  })

  test.each([
    [
      'en',
      'Rate this',
      'Score',
      'Save',
      'Deleted in the meantime',
      /^This media item has been deleted in the meantime/,
    ],
    ['zh', '评分', '分数', '保存', '已被删除', /^此作品已被删除/],
  ] as const)('that is deleted while it is rated says so, and keeps what was entered (%s)', async (...texts) => {
    const [language, rate, score, save, notice, reason] = texts
    answer(mediaApi.find, aMedia())
    answer(ratingsApi.ofMedia, [])
    await open('/media/m', { language })
    await userEvent.click(await main().findByRole('button', { name: rate }))
    await userEvent.type(main().getByLabelText(score), '7')
    const fault = { path: 'mediaId', message: 'There is no media with the id m', code: 'notThere' }
    fail(ratingsApi.create, 400, { code: 'invalid', message: `mediaId: ${fault.message}`, errors: [fault] })
    fail(mediaApi.find, 404)
    await userEvent.click(main().getByRole('button', { name: save }))
    expect(await screen.findByText(reason)).toBeDefined()
    expect(await main().findByText(notice)).toBeDefined()
    expect(main().getByLabelText<HTMLInputElement>(score).value).toBe('7')
    answer(mediaApi.find, aMedia())
    answer(ratingsApi.create, aRating())
    await userEvent.click(main().getByRole('button', { name: save }))
    await waitFor(() => expect(main().queryByText(notice)).toBeNull())
  })

  test('that cannot be rated for another reason is not called deleted', async () => {
    aMediaAlone()
    answer(ratingsApi.ofMedia, [])
    await open('/media/m')
    await userEvent.click(await main().findByRole('button', { name: 'Rate this' }))
    await userEvent.type(main().getByLabelText('Score'), '7')
    const fault = { path: 'mediaId', message: 'Must be an id', code: 'id' }
    fail(ratingsApi.create, 400, { code: 'invalid', message: `mediaId: ${fault.message}`, errors: [fault] })
    await userEvent.click(main().getByRole('button', { name: 'Save' }))
    await findToast('Failed to save rating')
    expect(screen.queryByText(/has been deleted in the meantime/)).toBeNull()
  })

  test('is shown in Chinese', async () => {
    aMediaAlone({ translations: { en: text('English'), 'zh-Hans': text('中文') } })
    await open('/media/m', { language: 'zh' })
    expect((await named('中文')).lang).toBe('zh-Hans')
    expect(main().getByRole('tab', { selected: true }).textContent).toBe('简体中文')
    expect(await main().findByText('该作品暂无角色')).toBeDefined()
  })
})

const RESTORED: { path: string; name: string; says: string[]; remove: Route; restore: Route; there: () => void }[] = [
  {
    path: '/media',
    name: 'Kokoro',
    says: ['Are you sure you want to delete this media?', 'Media deleted', 'Media restored'],
    remove: mediaApi.remove,
    restore: mediaApi.restore,
    there: () => aMediaAlone({ _id: 'x' }),
  },
  {
    path: '/characters',
    name: 'Sensei',
    says: ['Not used anywhere.', 'Character deleted', 'Character restored'],
    remove: charactersApi.remove,
    restore: charactersApi.restore,
    there: () => {
      answer(charactersApi.find, aCharacter({ _id: 'x' }))
      answer(charactersApi.uses, unused)
      list.characters(aCharacter({ _id: 'x' }))
    },
  },
]

test.each(RESTORED)('deleting returns to $path, and Undo restores the entity', async (each) => {
  const { path, name, says, remove, restore, there } = each
  there()
  answer(remove, { success: true })
  answer(restore, {})
  await open(`${path}/x`)
  await named(name)
  await userEvent.click(button('Delete'))
  const question = within(await screen.findByRole('dialog'))
  expect(await question.findByText(says[0] ?? '')).toBeDefined()
  const confirm = question.getByRole('button', { name: 'Delete' })
  expect(confirm.className).toContain('primary')
  await userEvent.click(confirm)
  await waitFor(() => expect(currentUrl()).toBe(path))
  await userEvent.click(within(await findToast(says[1] ?? '')).getByRole('button', { name: 'Undo' }))
  await findToast(says[2] ?? '')
  const written = requests.filter(({ method }) => method !== 'GET').map((call) => [call.method, call.path])
  expect(written).toEqual([
    ['DELETE', `/api${path}/x`],
    ['POST', `/api${path}/x/restore`],
  ])
})

test('a deletion that is confirmed before the uses are loaded does not say that these could not be', async () => {
  aMediaAlone({ _id: 'x' })
  answer(mediaApi.remove, { success: true })
  // The server has deleted it by the time it answers.
  fail(mediaApi.uses, 404)
  const [releaseUses, releaseRemoval] = [hold(mediaApi.uses), hold(mediaApi.remove)]
  await open('/media/x')
  await named('Kokoro')
  await userEvent.click(button('Delete'))
  const question = within(await screen.findByRole('dialog'))
  await question.findByText('Checking where it is used…')
  await userEvent.click(question.getByRole('button', { name: 'Delete' }))
  releaseUses()
  await settled()
  expect(question.queryByText('Could not check where it is used.')).toBeNull()
  releaseRemoval()
  await findToast('Media deleted')
})

/** Opens a media item, and deletes it. */
async function deleteMedia() {
  aMediaAlone({ _id: 'x' })
  answer(mediaApi.remove, { success: true })
  await open('/media/x')
  await named('Kokoro')
  await userEvent.click(button('Delete'))
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
}

test.each([
  [0, true],
  [429, true],
  [503, true],
  [403, false],
  [404, false],
])('an Undo that failed with %i is offered again: %s', async (status, isOffered) => {
  await deleteMedia()
  fail(mediaApi.restore, status)
  await userEvent.click(within(await findToast('Media deleted')).getByRole('button', { name: 'Undo' }))
  await findToast('Failed to restore media')
  if (!isOffered) return expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  answer(mediaApi.restore, aMedia({ _id: 'x' }))
  await userEvent.click(within(await findToast('Media deleted')).getByRole('button', { name: 'Undo' }))
  await findToast('Media restored')
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
})

test('an Undo that failed after the user signed out is not offered again', async () => {
  await deleteMedia()
  fail(mediaApi.restore, 503)
  const release = hold(mediaApi.restore)
  await userEvent.click(within(await findToast('Media deleted')).getByRole('button', { name: 'Undo' }))
  act(() => signOut())
  release()
  await findToast('Failed to restore media')
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
})

describe('a character', () => {
  test('shows a loading state, then an error, and loads on Retry', async () => {
    fail(charactersApi.find)
    const release = hold(charactersApi.find)
    const opened = open('/characters/c')
    const loading = await screen.findByText('Loading character details...')
    expect(loading.closest('[aria-busy="true"]')).not.toBeNull()
    release()
    await opened
    expect(await screen.findByText('Failed to load character details')).toBeDefined()
    expect(link('Back to Characters')).toBeDefined()
    answer(charactersApi.find, aCharacter())
    await userEvent.click(button('Retry'))
    await named('Sensei')
  })

  test('that does not exist is shown as not found', async () => {
    await open('/characters/c')
    await named('Character not found')
  })

  test('cannot be edited or deleted without permission', async () => {
    answer(charactersApi.find, aCharacter())
    await open('/characters/c', { as: reader })
    await named('Sensei')
    for (const name of ['Edit', 'Delete']) expect(button(name).getAttribute('aria-disabled')).toBe('true')
  })

  test('without media says so in Chinese', async () => {
    answer(charactersApi.find, aCharacter())
    answer(charactersApi.media, [])
    await open('/characters/c', { language: 'zh' })
    expect(await main().findByText('此角色尚未关联任何作品。')).toBeDefined()
  })
})

describe('an asset', () => {
  test('that fails to load shows an error, and loads on Retry', async () => {
    fail(assetsApi.find)
    await open('/assets/a')
    expect(await screen.findByText('Failed to load asset details')).toBeDefined()
    answer(assetsApi.find, anAsset())
    await userEvent.click(button('Retry'))
    await named('opening.ogg')
  })

  test('shows its facts', async () => {
    const uploadedBy = { _id: 'u', username: 'natsume', avatar: '' }
    const times = { createdAt: '2026-01-05T08:00:00.000Z', updatedAt: '2026-02-06T09:30:00.000Z' }
    const dimensions = { width: 640, height: 480 }
    answer(assetsApi.find, anAsset({ type: 'VIDEO', isPublic: false, dimensions, uploadedBy, ...times }))
    answer(assetsApi.uses, unused)
    await open('/assets/a')
    const facts = await main().findAllByRole('term')
    const shown = Object.fromEntries(facts.map((name) => [name.textContent, name.nextElementSibling?.textContent]))
    expect(shown).toMatchObject({
      Status: 'Ready',
      Type: 'Video',
      'MIME type': 'audio/ogg',
      Size: '1.5 KB',
      Dimensions: '640 × 480',
      Visibility: expect.stringContaining('Private'),
      'Uploaded by': 'Nnatsume',
      'Upload date': 'January 5, 2026 at 08:00 AM',
      'Last modified': 'February 6, 2026 at 09:30 AM',
    })
  })

  test('that is being processed says why its state cannot be refreshed', async () => {
    answer(assetsApi.find, anAsset({ status: 'PROCESSING' }))
    answer(assetsApi.uses, unused)
    await open('/assets/a')
    expect(await main().findByText('The file is being processed')).toBeDefined()
    fail(assetsApi.find, 0)
    expect(await main().findByText('Not refreshed: Network error. Please check your connection.')).toBeDefined()
    answer(assetsApi.find, anAsset())
    await waitFor(() => expect(main().queryByText(/Not refreshed/)).toBeNull())
  })

  test.each([
    ['VIDEO', { maxUploadSizeMB: 2 }, 'Your tier “Reader” does not allow uploading videos.'],
    ['AUDIO', { maxUploadSizeMB: 0 }, 'Your tier “Reader” does not allow uploads.'],
  ] as const)(
    'of type %s says why the file of it cannot be replaced with the limit %o',
    async (type, limit, reason) => {
      const uploadedBy = { _id: reader._id, username: reader.username, avatar: '' }
      answer(assetsApi.find, anAsset({ type, uploadedBy }))
      answer(assetsApi.uses, unused)
      await open('/assets/a', {
        as: { ...reader, permissions: { ...reader.permissions, canEditOwnContent: true, ...limit } },
      })
      expect((await main().findByRole('button', { name: 'Replace file' })).title).toBe(reason)
      expect(main().getByRole('button', { name: 'Delete' }).title).toBe('')
    },
  )

  test('says why a file cannot replace its own, until another one is chosen', async () => {
    answer(assetsApi.find, anAsset({ version: 3 }))
    answer(assetsApi.uses, unused)
    fail(uploadsApi.begin, 403, { code: 'forbidden', message: 'You may not do this.' })
    await open('/assets/a')
    const choose = async (file: File) =>
      userEvent.upload(await main().findByLabelText('Replace file', { selector: 'input' }), file)
    const refused = () => within(main().getByRole('list', { name: 'Replace file' })).getAllByRole('listitem')
    await choose(new File([''], 'empty.ogg', { type: 'audio/ogg' }))
    expect((await findToast('Failed to replace the file of opening.ogg')).textContent).toContain('This file is empty.')
    expect(refused().map(({ textContent }) => textContent)).toEqual(['empty.oggThis file is empty.'])
    await choose(new File(['x'], 'other.ogg', { type: 'audio/ogg' }))
    await waitFor(() => expect(refused()[0]?.textContent).toMatch(/^other\.ogg.*You may not do this\.$/))
    expect(refused()).toHaveLength(1)
    expect(screen.getAllByText('Failed to replace the file of opening.ogg')).toHaveLength(2)
    const sent = requests.find(({ method, path }) => method === 'POST' && path === uploadsApi.begin.path)
    expect(sent?.body).toMatchObject({ filename: 'other.ogg', size: 1, replaces: { _id: 'a', version: 3 } })
    await userEvent.click(main().getByRole('button', { name: 'Remove other.ogg from this list' }))
    expect(main().queryByRole('list', { name: 'Replace file' })).toBeNull()
    expect(document.activeElement).toBe(main().getByRole('button', { name: 'Replace file' }))
  })

  test('is named by the panel of uploads while its file is replaced, and afterwards', async () => {
    answer(assetsApi.find, anAsset())
    answer(assetsApi.uses, unused)
    list.assets(anAsset())
    const complete = { _id: 'u', filename: 'new.ogg', size: 1, offset: 1, expiresAt: '2026-02-06T09:30:00.000Z' }
    answer(uploadsApi.begin, complete)
    const respond = holdUploads({ ...complete, asset: anAsset({ version: 2 }) })
    await open('/assets/a')
    const input = await main().findByLabelText('Replace file', { selector: 'input' })
    await userEvent.upload(input, new File(['x'], 'new.ogg', { type: 'audio/ogg' }))
    await act(() => router.navigate({ to: '/assets' }))
    await userEvent.click(await main().findByRole('button', { name: /^Upload Asset/ }))
    const files = within(await screen.findByRole('list', { name: 'Files' }))
    const replaced = files.getByRole('link', { name: 'Replaces the file of opening.ogg' })
    expect(replaced.getAttribute('href')).toBe('/assets/a')
    respond(200)
    await files.findByText(/File replaced/)
    expect(files.queryByText(/^Replaces/)).toBeNull()
    await findToast('File replaced: opening.ogg')
  })

  test('whose new file is damaged is not reported like one that is shown', async () => {
    answer(assetsApi.find, anAsset())
    answer(assetsApi.uses, unused)
    const complete = { _id: 'u', filename: 'other.ogg', size: 1, offset: 1, expiresAt: '2026-02-06T09:30:00.000Z' }
    answer(uploadsApi.begin, complete)
    const failure = 'The file is damaged or incomplete and cannot be decoded.'
    const respond = holdUploads({ ...complete, asset: anAsset({ version: 2, status: 'ERROR', failure }) })
    await open('/assets/a')
    const input = await main().findByLabelText('Replace file', { selector: 'input' })
    await userEvent.upload(input, new File(['x'], 'other.ogg', { type: 'audio/ogg' }))
    respond(200)
    expect((await findToast('File replaced: opening.ogg')).textContent).toContain(failure)
  })

  test('whose new file has been sent completely can no longer be kept as it was', async () => {
    answer(assetsApi.find, anAsset({ version: 3 }))
    answer(assetsApi.uses, unused)
    const complete = { _id: 'u', filename: 'other.ogg', size: 1, offset: 1, expiresAt: '2026-02-06T09:30:00.000Z' }
    answer(uploadsApi.begin, complete)
    const respond = holdUploads({ ...complete, asset: anAsset({ version: 4 }) })
    await open('/assets/a')
    const input = await main().findByLabelText('Replace file', { selector: 'input' })
    await userEvent.upload(input, new File(['x'], 'other.ogg', { type: 'audio/ogg' }))
    await main().findByText('Checking the file…')
    await userEvent.click(button('Cancel other.ogg'))
    // Beside the file, and as the reason why it cannot be cancelled.
    await waitFor(() => expect(screen.getAllByText('Checking the file…')).toHaveLength(2))
    answer(assetsApi.find, anAsset({ version: 4, mimeType: 'audio/wav' }))
    respond(200)
    await findToast('File replaced: opening.ogg')
    await main().findByText('audio/wav')
    expect(main().queryByRole('list', { name: 'Replace file' })).toBeNull()
    expect(requests.map(({ method }) => method)).not.toContain('DELETE')
  })

  test('that does not exist is shown as not found', async () => {
    await open('/assets/nothing')
    await named('Asset not found')
  })

  test('is shown in Chinese, and so is the list', async () => {
    answer(assetsApi.find, anAsset())
    answer(assetsApi.uses, unused)
    list.assets(anAsset())
    await open('/assets/a', { language: 'zh' })
    expect(await main().findByText('使用位置')).toBeDefined()
    await userEvent.click(main().getByRole('link', { name: /素材/ }))
    expect(await main().findByRole('button', { name: '上传素材' })).toBeDefined()
    expect(heading().textContent).toBe('素材')
  })
})
