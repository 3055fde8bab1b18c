// The error messages of every JSON editor, area by area.
import { charactersApi } from '@mokuroku/contract/characters'
import { findingsApi } from '@mokuroku/contract/findings'
import { mediaApi } from '@mokuroku/contract/media'
import type { Route } from '@mokuroku/contract/route'
import { searchApi } from '@mokuroku/contract/search'
import { tagsApi } from '@mokuroku/contract/tags'
import { newTier, tiersApi } from '@mokuroku/contract/tiers'
import { usersApi } from '@mokuroku/contract/users'
import { EditorView } from '@codemirror/view'
import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test, vi } from 'vitest'
import { draftsOf } from '#api/drafts.ts'
import { problemsOf } from '#parts/entityEditor/check.ts'
import { editorTexts } from '#parts/entityEditor/texts.ts'
import { router } from './routes.tsx'
import {
  aCharacter,
  aMedia,
  answer,
  requests,
  aTag,
  aTier,
  aUser,
  editor,
  fail,
  failOnce,
  currentUrl,
  hold,
  main,
  open,
  problems,
  warnings,
  reader,
  findToast,
  withoutServer,
  write,
} from './testing.tsx'

withoutServer()

interface Area {
  path: string
  id: string
  find: Route
  update: Route
  create: Route
  /** Stubs the response with the entity that is edited. */
  there: () => void
  /** A part of the editor's text. */
  shown: string
  /** A changed version of what the editor holds. */
  changed: object
  says: { load: string; update: string; create: string; notFound: string }
}

const AREAS: Area[] = [
  {
    path: '/media',
    id: 'm',
    find: mediaApi.find,
    update: mediaApi.update,
    create: mediaApi.create,
    there: () => answer(mediaApi.find, aMedia()),
    shown: 'Kokoro',
    changed: {
      mediaType: 'NOVEL',
      translations: { en: { title: 'Changed', description: '' } },
      isOngoing: false,
      releaseDate: '1914-04-20T00:00:00Z',
    },
    says: {
      load: 'Failed to load media data',
      update: 'Failed to update media',
      create: 'Failed to save media. Please try again.',
      notFound: 'Media Not Found',
    },
  },
  {
    path: '/characters',
    id: 'c',
    find: charactersApi.find,
    update: charactersApi.update,
    create: charactersApi.create,
    there: () => answer(charactersApi.find, aCharacter()),
    shown: 'Sensei',
    changed: { translations: { en: { name: 'Changed', description: '' } } },
    says: {
      load: 'Failed to load character data',
      update: 'Failed to update character',
      create: 'Failed to create character',
      notFound: 'Character not found',
    },
  },
  {
    path: '/tags',
    id: 't',
    find: tagsApi.find,
    update: tagsApi.update,
    create: tagsApi.create,
    there: () => answer(tagsApi.find, aTag()),
    shown: 'Mystery',
    changed: {
      type: 'GENRE',
      translations: { en: { name: 'Changed', description: '' } },
      icon: null,
      color: '#123456',
      parentTag: null,
      status: 'ACTIVE',
    },
    says: {
      load: 'Failed to load tag data',
      update: 'Failed to update tag',
      create: 'Failed to create tag',
      notFound: 'Tag not found',
    },
  },
  {
    path: '/users',
    id: 'u',
    find: usersApi.find,
    update: usersApi.update,
    create: usersApi.create,
    there: () => answer(usersApi.find, aUser()),
    shown: 'natsume',
    changed: { username: 'changed', email: 'changed@example.org', password: 'a good password' },
    says: {
      load: 'Failed to load user data',
      update: 'Failed to update user',
      create: 'Failed to create user',
      notFound: 'User not found',
    },
  },
  {
    path: '/score-permissions',
    id: 's',
    find: tiersApi.find,
    update: tiersApi.update,
    create: tiersApi.create,
    there: () => {
      answer(tiersApi.find, aTier())
      answer(tiersApi.preview, { userCount: 0, gains: {}, losses: {}, first: [] })
    },
    shown: 'Editor',
    changed: { ...newTier(), name: 'Changed', requiredScore: 12 },
    says: {
      load: 'Failed to load permission tier',
      update: 'Failed to update permission tier',
      create: 'Failed to create permission tier',
      notFound: 'Permission tier not found',
    },
  },
]

const save = () => userEvent.click(main().getByRole('button', { name: 'Save Changes' }))
const text = async () => (await editor()).state.doc.toString()

describe.each(AREAS)('$path', ({ path, id, find, update, create, there, shown, changed, says }) => {
  test('shows an error when loading fails, and loads on Retry', async () => {
    fail(find)
    await open(`${path}/${id}/edit`)
    expect(await screen.findByText(says.load)).toBeDefined()
    expect(document.querySelector('.cm-editor')).toBeNull()
    there()
    await userEvent.click(main().getByRole('button', { name: 'Retry' }))
    expect(await text()).toContain(shown)
  })

  test('shows an entity that does not exist as not found', async () => {
    await open(`${path}/${id}/edit`)
    expect((await screen.findAllByText(says.notFound)).length).toBeGreaterThan(0)
    expect(main().queryByRole('button', { name: 'Retry' })).toBeNull()
  })

  test('a failed save shows an error, keeps the text, and can be retried', async () => {
    there()
    fail(update)
    await open(`${path}/${id}/edit`)
    await write(changed)
    await save()
    expect((await findToast(says.update)).textContent).toContain('Server error. Please try again later.')
    expect(JSON.parse(await text())).toEqual(changed)
    expect(currentUrl()).toBe(`${path}/${id}/edit`)
    const put = requests.find(({ method }) => method === 'PUT')
    expect(put?.base).toBe('"1"')
    expect(main().getByRole('button', { name: 'Save Changes' }).getAttribute('aria-disabled')).not.toBe('true')
    fail(update, 409, { message: 'Something else.' })
    await save()
    await findToast('Something else.')
    expect(requests.filter(({ method }) => method === 'PUT')).toHaveLength(2)
  })

  test('a failed creation shows an error and keeps the text', async () => {
    there()
    fail(create)
    await open(`${path}/new`)
    await write(changed)
    await save()
    expect((await findToast(says.create)).textContent).toContain('Server error. Please try again later.')
    expect(JSON.parse(await text())).toEqual(changed)
  })

  test('shows a validation error from the server at its value', async () => {
    there()
    const [field = ''] = Object.keys(changed)
    const sentence = 'The server has its reasons.'
    fail(update, 400, { message: 'Some values are wrong.', errors: [{ path: field, message: sentence }] })
    await open(`${path}/${id}/edit`)
    await write(changed)
    await save()
    await waitFor(() => expect(problems()).toContain(`${field}: ${sentence}`))
    expect(await findToast(says.update)).toBeDefined()
    await waitFor(() => expect(document.querySelectorAll('.cm-lintRange-error').length).toBeGreaterThan(0))
    expect(JSON.parse(await text())).toEqual(changed)
    await write({ ...changed, [field]: 0 })
    await waitFor(() => expect(problems()).not.toContain(sentence))
  })

  test('shows invalid input without sending a request', async () => {
    await open(`${path}/new`)
    await write('')
    await save()
    expect(await screen.findAllByText('Please provide valid JSON data.')).not.toEqual([])
    await write('{ "name": }')
    await save()
    expect(await screen.findAllByText('Invalid JSON format')).not.toEqual([])
    await write({ nonsense: 1 })
    await save()
    await waitFor(() => expect(problems()).toContain('nonsense: Unknown field'))
    expect(requests.filter(({ method, path: called }) => method === 'POST' && called === create.path)).toEqual([])
    expect(currentUrl()).toBe(`${path}/new`)
  })

  test.each(['user', 'moderator'] as const)(
    'a %s without permission gets a read-only editor with the reason',
    async (role) => {
      // Moderators may edit what belongs to the catalogue.
      if (role === 'moderator' && !['/users', '/score-permissions'].includes(path)) return
      there()
      await open(`${path}/${id}/edit`, { as: { ...reader, role } })
      expect(await screen.findByText('Read-only: you do not have permission to edit this.')).toBeDefined()
      expect(main().getByRole('button', { name: 'Save Changes' }).getAttribute('aria-disabled')).toBe('true')
      expect((await editor()).state.readOnly).toBe(true)
      if (path === '/media') expect(main().getAllByText(/^Your tier “Reader”/).length).toBeGreaterThan(0)
      expect(main().getByRole('link', { name: 'Your permissions' }).getAttribute('href')).toBe('/profile')
    },
  )
})

test('a text that cannot be validated has an invalid data format', () => {
  const said = problemsOf('{}', { state: 'format', flaws: [] }, [], editorTexts.get())
  expect(said).toEqual({ title: 'Invalid data format', problems: [] })
})

test.each([
  ['/media/new', '500px'],
  ['/characters/new', '500px'],
  ['/tags/new', '500px'],
  ['/users/new', '550px'],
  ['/score-permissions/new', '550px'],
])('the editor of %s is %s high, and a tab is two characters wide', async (path, height) => {
  await open(path)
  const { state } = await editor()
  const styles = state.facet(EditorView.styleModule).map((module) => module.getRules())
  expect(styles.join('')).toContain(`{height: ${height}`)
  expect(state.tabSize).toBe(2)
})

test('an unknown id is shown as not found', async () => {
  answer(searchApi.entries, { data: [] })
  await open('/media/new')
  await write({ relatedMedia: ['0198aaaa-bbbb-7ccc-8ddd-eeeeffff0000'] })
  await waitFor(() => expect(document.querySelector('.cm-title-missing')?.textContent).toBe('not found'))
})

test('the editor is shown in Chinese, including validation errors', async () => {
  await open('/media/new', { language: 'zh' })
  await editor()
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('新建作品')
  await write({ mediaType: 'OPERA' })
  await userEvent.click(main().getByRole('button', { name: '保存更改' }))
  expect((await screen.findAllByText(/校验未通过：/)).length).toBeGreaterThan(0)
  expect(problems()).toContain('mediaType: 必须是以下之一：ANIME、MANGA、NOVEL')
})

test('explains that JSON does not allow comments', async () => {
  await open('/media/new')
  await write('{\n  // the title\n  "originalTitle": “Kokoro”\n}')
  await save()
  expect(await screen.findAllByText('Invalid JSON format')).not.toEqual([])
  expect(problems()).toContain('Line 2, column 3: JSON does not allow comments. Delete this one.')
})

test('does not show the draft of another user', async () => {
  answer(mediaApi.find, aMedia())
  const draft = { id: 'd', text: 'theirs', base: '', version: 1, at: new Date().toISOString() }
  localStorage.setItem('draft:somebody-else:media/m:d', JSON.stringify(draft))
  await open('/media/m/edit')
  await editor()
  expect(screen.queryByText(/unsaved draft/)).toBeNull()
  cleanup()
  localStorage.setItem('draft:me:media/m:d', JSON.stringify(draft))
  await open('/media/m/edit')
  expect(await screen.findByText(/unsaved draft/)).toBeDefined()
})

test('asks before saving a tier whose effect on users could not be checked', async () => {
  answer(tiersApi.find, aTier())
  fail(tiersApi.preview)
  fail(tiersApi.update)
  await open('/score-permissions/s/edit')
  await write({ ...newTier(), name: 'Changed', requiredScore: 12 })
  await save()
  const question = await screen.findByRole('dialog')
  expect(question.textContent).toContain('Saving this may take permissions away')
  expect(requests.filter(({ method }) => method === 'PUT')).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Save anyway' }))
  expect(await findToast('Failed to update permission tier')).toBeDefined()
})

const COPY = {
  mediaType: 'NOVEL',
  translations: {
    en: { title: 'Inuyasha', description: 'A tale.' },
    ja: { title: '犬夜叉', description: '' },
    'zh-Hans': { title: '犬夜叉', description: '' },
  },
  isOngoing: false,
  releaseDate: '1996-11-13T00:00:00Z',
  cover: 'a',
  tags: ['t'],
}

describe('a new entry that could not be saved, and is changed and saved again', () => {
  const [first, second] = [COPY, { ...COPY, mediaType: 'MANGA' }]
  const writes = () =>
    requests
      .filter(({ path, method }) => path.startsWith('/api/media') && !path.includes('duplicates') && method !== 'GET')
      .map(({ method, path, body, base }) => [method, path, (body as typeof first).mediaType, base])
  const keysOf = () => requests.flatMap(({ path, key }) => (path === '/api/media' && key ? [key] : []))
  const A = ['POST', '/api/media', first.mediaType, null]
  const B = ['POST', '/api/media', second.mediaType, null]
  const B_CHANGES_A = ['PUT', '/api/media/m', second.mediaType, '"1"']
  const saveFirst = async (status: number) => {
    fail(mediaApi.create, status)
    await open('/media/new')
    await write(first)
    await save()
    await findToast('Failed to save media. Please try again.')
    answer(mediaApi.create, aMedia({ version: 3 }))
    answer(mediaApi.update, aMedia({ version: 4 }))
    await write(second)
  }

  test('is created once if the response was lost', async () => {
    await saveFirst(0)
    await save()
    await waitFor(() => expect(writes()).toEqual([A, A, B_CHANGES_A]))
    expect(new Set(keysOf()).size).toBe(1)
  })

  const restore = async () => {
    cleanup()
    await open('/media/new')
    await userEvent.click(await screen.findByRole('button', { name: 'Restore draft' }))
    await write(second)
    answer(mediaApi.create, aMedia({ version: 3 }))
    answer(mediaApi.update, aMedia({ version: 4 }))
    await save()
  }

  test('is created once if it was left after the response was lost, and its draft is restored', async () => {
    await saveFirst(0)
    // Another tab knows nothing else of the call.
    expect(draftsOf('me', 'media/new')[0]?.sent?.key).toBe(keysOf()[0])
    await restore()
    await waitFor(() => expect(writes()).toEqual([A, A, B_CHANGES_A]))
    expect(new Set(keysOf()).size).toBe(1)
  })

  test('is created once if it was left before the response, and its draft is restored', async () => {
    await open('/media/new')
    await write(first)
    const release = hold(mediaApi.create)
    fail(mediaApi.create, 0)
    await save()
    await waitFor(() => expect(writes()).toEqual([A]))
    await restore()
    release()
    await waitFor(() => expect(writes()).toEqual([A, A, B_CHANGES_A]))
  })

  test('is created as it is now if it was refused, and its draft is restored', async () => {
    await saveFirst(429)
    await restore()
    await waitFor(() => expect(writes()).toEqual([A, B]))
  })

  test('is created once, whatever the change is answered with', async () => {
    await saveFirst(0)
    fail(mediaApi.update, 503)
    await save()
    await waitFor(() => expect(writes()).toEqual([A, A, B_CHANGES_A]))
    answer(mediaApi.update, aMedia({ version: 5 }))
    await save()
    await waitFor(() => expect(writes()).toEqual([A, A, B_CHANGES_A, B_CHANGES_A]))
  })

  test('is created as it is now if the user was not allowed to', async () => {
    await saveFirst(429)
    await save()
    await waitFor(() => expect(writes()).toEqual([A, B]))
  })

  test('is created once if the user may not create it for a while', async () => {
    await saveFirst(503)
    fail(mediaApi.create, 403)
    await save()
    await waitFor(() => expect(writes()).toEqual([A, A]))
    answer(mediaApi.create, aMedia({ version: 3 }))
    await save()
    await waitFor(() => expect(writes()).toEqual([A, A, A, B_CHANGES_A]))
  })

  test('is created as it is now if it was rejected', async () => {
    await saveFirst(400)
    await save()
    await waitFor(() => expect(writes()).toEqual([A, B]))
  })

  test('is created as it is now if it is rejected the second time', async () => {
    await saveFirst(0)
    fail(mediaApi.create, 409)
    await save()
    await waitFor(() => expect(writes()).toEqual([A, A, B]))
  })
})

test('a new entry is changed, not created again, if Back returns to its editor before the next screen is loaded', async () => {
  const named = (title: string) => ({ translations: { en: { title, description: '' } } })
  answer(mediaApi.create, aMedia())
  await open('/media/new')
  const unsubscribe = router.subscribe('onBeforeLoad', ({ toLocation }) => {
    if (toLocation.pathname !== '/media/m') return
    unsubscribe()
    // Once the router has passed it on to the browser.
    queueMicrotask(() => history.back())
  })
  const { changed } = AREAS[0] ?? { changed: {} }
  await write({ ...changed, ...named('Kokoro') })
  await save()
  await findToast('Media saved successfully!')
  await waitFor(() => expect(currentUrl()).toBe('/media/new'))
  await write({ ...changed, ...named('Changed') })
  // This is unsaved again.
  await waitFor(() => expect(draftsOf('me', 'media/new')).toHaveLength(1))
  answer(mediaApi.update, aMedia({ ...named('Changed'), version: 2 }))
  await save()
  await waitFor(() => expect(currentUrl()).toBe('/media/m'))
  const writes = requests.filter(({ path, method }) => path.startsWith('/api/media') && method !== 'GET')
  expect(
    writes.filter(({ path }) => !path.includes('duplicates')).map(({ method, path, base }) => [method, path, base]),
  ).toEqual([
    ['POST', '/api/media', null],
    ['PUT', '/api/media/m', '"1"'],
  ])
  expect(draftsOf('me', 'media/new')).toEqual([])
})

test('shows findings while typing, without blocking a save', async () => {
  answer(mediaApi.find, aMedia())
  fail(mediaApi.update)
  await open('/media/m/edit')
  await waitFor(() => expect(warnings()).toContain('translations.zh.title: There is no title or name in Chinese.'))
  expect(warnings()).toContain('cover: There is no cover.')
  expect(problems()).toBe('')
  await write(COPY)
  const copy = 'translations.zh-Hans.title: The text in Simplified Chinese equals the Japanese or original one.'
  await waitFor(() => expect(warnings()).toContain(copy))
  expect(warnings()).not.toContain('There is no')
  await waitFor(() => expect(document.querySelector('.cm-lintRange-warning')?.textContent).toBe('"犬夜叉"'))
  await write({ ...COPY, translations: { ...COPY.translations, 'zh-Hans': { title: '犬夜叉传', description: '' } } })
  await waitFor(() => expect(document.querySelector('#warnings')?.hasAttribute('hidden')).toBe(true))
  await write(COPY)
  await save()
  await waitFor(() => expect(requests.some(({ method }) => method === 'PUT')).toBe(true))
})

test('saving an untouched new entry creates nothing and says so', async () => {
  answer(mediaApi.create, aMedia())
  await open('/media/new')
  await editor()
  await userEvent.keyboard('{Control>}s{/Control}')
  await findToast('Nothing has been entered yet, so nothing was saved.')
  await save()
  expect(requests.filter(({ method, path }) => method === 'POST' && path === mediaApi.create.path)).toEqual([])
  expect(currentUrl()).toBe('/media/new')
})

test('a save that was merged with one in another window does not claim that it was somebody else’s', async () => {
  answer(mediaApi.find, aMedia())
  answer(mediaApi.update, aMedia({ version: 3 }))
  await open('/media/m/edit')
  await write({ mediaType: 'NOVEL', translations: {}, isOngoing: true, releaseDate: '1914-04-20T00:00:00.000Z' })
  await save()
  await findToast('This was changed elsewhere while you were editing. Those changes and yours were merged.')
})

describe('a save whose response was lost', () => {
  const lost = async () => {
    answer(mediaApi.find, aMedia())
    fail(mediaApi.update, 0)
    await open('/media/m/edit')
    await write(COPY)
    await save()
    await findToast('Failed to update media')
  }
  const bases = () => requests.filter(({ method }) => method === 'PUT').map(({ base }) => base)

  test('does not conflict with the next one', async () => {
    await lost()
    const mine = { ...COPY, releaseDate: '1997-01-01T00:00:00Z' }
    const releaseDate = '1996-11-13T00:00:00.000Z'
    const stored = { ...COPY, releaseDate, characters: [], assets: [], relatedMedia: [], originalTitle: null }
    const conflict = { code: 'stale', mine, theirs: stored, conflicts: ['releaseDate'], version: 2, savedBy: ['mori'] }
    answer(mediaApi.update, aMedia({ version: 3 }))
    failOnce(mediaApi.update, 412, { ...conflict, updatedAt: '2026-01-06T09:30:00.000Z' })
    await write(mine)
    await save()
    await findToast('Media updated successfully')
    expect(bases()).toEqual(['"1"', '"1"', '"2"'])
    expect(screen.queryByText(/Those changes and yours were merged/)).toBeNull()
    expect(screen.queryByText('Failed to update media')).toBeNull()
  })

  test('conflicts with what others have saved', async () => {
    await lost()
    const theirs = { ...COPY, isOngoing: true }
    const conflict = { code: 'stale', mine: COPY, theirs, conflicts: ['isOngoing'], version: 3, savedBy: ['aoi'] }
    fail(mediaApi.update, 412, { ...conflict, updatedAt: '2026-01-06T09:30:00.000Z' })
    await save()
    await main().findByRole('heading', { name: 'Someone else changed this' })
    expect(bases()).toEqual(['"1"', '"1"'])
  })
})

test('shows findings in Chinese, and none for an untouched new entry', async () => {
  await open('/media/new', { language: 'zh' })
  await editor()
  expect(warnings()).toBe('')
  await write({ ...COPY, tags: [] })
  await waitFor(() => expect(warnings()).toContain('translations.zh-Hans.title: 简体中文文本与日语文本或原名相同。'))
  expect(warnings()).toContain('tags: 没有标签。')
})

test('hides a dismissed finding until the text changes', async () => {
  const translations = {
    en: { title: 'Kokoro', description: '' },
    zh: { title: '心', description: '' },
    ja: { title: '心', description: '' },
  }
  answer(mediaApi.find, aMedia({ translations }))
  const by = { username: 'mori', createdAt: '2026-01-05T00:00:00.000Z' }
  answer(findingsApi.find, { data: [], dismissed: [{ code: 'copied', language: 'zh', field: 'title', ...by }] })
  await open('/media/m/edit')
  await waitFor(() => expect(warnings()).toContain('cover: There is no cover.'))
  await waitFor(() => expect(warnings()).not.toContain('translations.zh.title'))
  const other = { title: '心（上）', description: '' }
  await write({ ...COPY, translations: { ...translations, zh: other, ja: other } })
  await waitFor(() => expect(warnings()).toContain('translations.zh.title: The text in Chinese equals'))
})

test('a save whose response breaks off is reported as failed, and the draft is kept', async () => {
  answer(mediaApi.find, aMedia())
  await open('/media/m/edit')
  await write(COPY)
  const sent = fetch
  const broken = new ReadableStream({ start: (body) => body.error(new TypeError('network error')) })
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) =>
    init?.method === 'PUT' ? Promise.resolve(new Response(broken, { status: 200 })) : sent(url, init),
  )
  await save()
  const said = await findToast('Failed to update media')
  expect(said.textContent).toContain('Network error. Please check your connection.')
  expect(currentUrl()).toBe('/media/m/edit')
  await waitFor(() => expect(draftsOf('me', 'media/m')).toHaveLength(1))
})

test('an editor says if no draft can be kept, because it is too long or this browser stores nothing', async () => {
  answer(mediaApi.find, aMedia())
  await open('/media/m/edit')
  const storage = localStorage
  vi.stubGlobal('localStorage', undefined)
  await write(COPY)
  expect(
    await main().findByText('Unsaved changes · no draft could be kept on this device. Save before you leave.'),
  ).toBeDefined()
  vi.stubGlobal('localStorage', storage)
})

test('a draft that is offered is not restored while a save is in progress, which would lose it', async () => {
  answer(mediaApi.find, aMedia())
  answer(mediaApi.update, aMedia({ version: 2 }))
  const draft = { id: 'd', text: '{ "mine": 1 }', base: '{}', version: 1, at: new Date().toISOString() }
  localStorage.setItem('draft:me:media/m:d', JSON.stringify(draft))
  await open('/media/m/edit')
  const release = hold(mediaApi.update)
  await write({ ...COPY, cover: '' })
  await save()
  await userEvent.click(main().getByRole('button', { name: 'Restore draft' }))
  release()
  await findToast('Media updated successfully')
  expect(draftsOf('me', 'media/m').map(({ id }) => id)).toEqual(['d'])
})

test('a tier cannot be edited while its effect on users is being checked, which would lose the edit', async () => {
  answer(tiersApi.find, aTier())
  answer(tiersApi.preview, { userCount: 0, gains: {}, losses: {}, first: [] })
  answer(tiersApi.update, aTier({ version: 2 }))
  await open('/score-permissions/s/edit')
  const view = await editor()
  const release = hold(tiersApi.preview)
  await write({ ...newTier(), name: 'Changed', requiredScore: 12 })
  await save()
  await waitFor(() => expect(view.state.readOnly).toBe(true))
  release()
  await findToast('Permission tier updated successfully')
})
