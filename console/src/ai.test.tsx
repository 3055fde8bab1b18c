// What the AI screens and the pickers show before any request is sent.
import { aiApi } from '@mokuroku/contract/ai'
import { charactersApi } from '@mokuroku/contract/characters'
import { denial } from '@mokuroku/contract/denials'
import { mediaApi } from '@mokuroku/contract/media'
import { reasonText } from '@mokuroku/contract/reasons'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { keepDraft } from '#api/drafts.ts'
import {
  aCharacter,
  aHit,
  aMedia,
  anAsset,
  aTag,
  answer,
  answerEvent,
  requests,
  editor,
  fail,
  findToast,
  currentUrl,
  hits,
  hold,
  holdUploads,
  main,
  open,
  reader,
  withoutServer,
  write,
} from './testing.tsx'

withoutServer()

const IMAGE = new File(['x'], 'cover.png', { type: 'image/png' })

const ID = '0190c8c2-0000-7000-8000-000000000001'

const STATUS = {
  provider: 'model' as const,
  model: 'lantern-1',
  sources: [],
  isElsewhere: false,
  isAllowed: true,
  streamsPerUser: 2,
  tokensToday: 0,
  dailyTokens: 0,
}
beforeEach(() => answer(aiApi.status, STATUS))

const NOTHING_SAVED = {
  success: false,
  count: 0,
  message: reasonText('noneSaved'),
  errors: [{ id: 'm', message: 'Resource not found.', code: 'notFound' }],
  batch: null,
}

/** Responses as before, except that those to a path stream `body`. */
function streams(path: string, body: string): void {
  const { fetch: answered } = globalThis
  const headers = { 'content-type': 'text/event-stream' }
  vi.stubGlobal('fetch', async (...given: Parameters<typeof fetch>) =>
    typeof given[0] === 'string' && given[0].startsWith(path) ? new Response(body, { headers }) : answered(...given),
  )
}

/** Responses as before, except that those to a path have no body. */
function empty(path: string): typeof fetch {
  const { fetch: answered } = globalThis
  return async (...given) => (given[0] === path ? new Response(null) : answered(...given))
}

test('a comparison requires a topic', async () => {
  await open('/media/compare')
  expect(await screen.findByRole('heading', { level: 1, name: 'AI Media Comparison' })).toBeDefined()
  expect(screen.getByRole('link', { name: 'Back to Media List' }).getAttribute('href')).toBe('/media')
  await userEvent.type(main().getByLabelText('Topic'), '   ')
  await userEvent.click(main().getByRole('button', { name: 'Generate' }))
  expect(await screen.findByText('Please enter a topic')).toBeDefined()
  expect(requests.filter(({ path }) => path === aiApi.processMedia.path)).toEqual([])
})

test('who may not upload files cannot upload a cover for a comparison, and is told why', async () => {
  await open('/media/compare', {
    as: { ...reader, permissions: { ...reader.permissions, canCreateMedia: true, maxUploadSizeMB: 0 } },
  })
  const upload = await main().findByRole('button', { name: 'Upload Cover' })
  expect(upload.title).toBe('Your tier “Reader” does not allow uploads.')
})

test('the reason why AI is not available is shown in Chinese', async () => {
  answer(aiApi.status, { ...STATUS, isAllowed: false, reason: denial('assist', 'Reader') })
  await open('/media/compare', { language: 'zh' })
  expect(await main().findByText(/^您的等级“Reader”/)).toBeDefined()
})

test.each(['/media/compare', '/media/standardize'])(
  '%s: the note about the model says why it failed to load, and loads on Retry',
  async (path) => {
    fail(aiApi.status, 429)
    await open(path)
    const note = await main().findByText(
      'Failed to load which model answers. Too many requests. Please try again later.',
    )
    expect(note.getAttribute('role')).toBe('alert')
    answer(aiApi.status, STATUS)
    await userEvent.click(main().getByRole('button', { name: 'Retry' }))
    expect(await main().findByText('lantern-1')).toBeDefined()
  },
)

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

test('what is selected while an image uploads is kept, and Save waits for the image', async () => {
  const release = holdUploads(anAsset({ _id: 'i', type: 'IMAGE' }))
  hits(aHit({ _id: 'm' }))
  answer(mediaApi.find, aMedia())
  answer(aiApi.createMedia, aMedia({ _id: 'new' }))
  await open('/media/compare')
  await userEvent.click(await main().findByRole('button', { name: 'Edit JSON' }))
  await write({ translations: { en: { title: 'Sanshiro', description: '' } } })
  const save = main().getByRole('button', { name: 'Save Media' })
  await waitFor(() => expect(save.getAttribute('aria-disabled')).not.toBe('true'))
  await userEvent.upload(main().getByLabelText('Upload Cover', { selector: 'input' }), IMAGE)
  await userEvent.type(main().getByRole('combobox', { name: 'Search for related media' }), 'kokoro')
  await screen.findByRole('option')
  await userEvent.keyboard('{Enter}')
  await findToast('Related media added')
  await userEvent.click(save)
  expect(save.textContent).toBe('Uploading…')
  release(201)
  await waitFor(() => expect(currentUrl()).toBe('/media/new'))
  expect(requests.find(({ path }) => path === aiApi.createMedia.path)?.body).toMatchObject({
    cover: 'i',
    relatedMedia: ['m'],
  })
})

test('JSON that is invalid when an upload ends is kept, and has the image once it is corrected', async () => {
  const release = holdUploads(anAsset({ _id: 'i', type: 'IMAGE' }))
  await open('/media/compare')
  await userEvent.click(await main().findByRole('button', { name: 'Edit JSON' }))
  await userEvent.upload(main().getByLabelText('Upload Cover', { selector: 'input' }), IMAGE)
  const typed = '{ "cover": "", "translations": { "en": { "title": "Sanshiro", "description": "" } }'
  await write(typed)
  release(201)
  await findToast('Image uploaded successfully for Cover')
  const view = await editor()
  expect(view.state.doc.toString()).toBe(typed)
  await write(`${typed} }`)
  await waitFor(() =>
    expect(JSON.parse(view.state.doc.toString())).toMatchObject({
      cover: 'i',
      translations: { en: { title: 'Sanshiro' } },
    }),
  )
})

test('an image goes to its character, even if another one is removed during the upload', async () => {
  const release = holdUploads(anAsset({ _id: 'i', type: 'IMAGE' }))
  answer(aiApi.matchCharacters, { matches: [] })
  await open('/media/compare')
  await userEvent.click(await main().findByRole('button', { name: 'Edit JSON' }))
  const named = (name: string) => ({ translations: { en: { name, description: '' } } })
  await write({ translations: {}, characters: [named('Sensei'), named('Ojosan')] })
  await userEvent.upload(await main().findByLabelText('Upload an image of Ojosan', { selector: 'input' }), IMAGE)
  await userEvent.click(main().getByRole('button', { name: 'Remove Sensei' }))
  release(201)
  await findToast('Image uploaded successfully for Ojosan')
  const view = await editor()
  await waitFor(() => expect(JSON.parse(view.state.doc.toString())).toMatchObject({ characters: [{ cover: 'i' }] }))
})

test('a stored character is shown with its media, also with two of the same title', async () => {
  const named = { translations: {}, originalName: '先生' }
  answer(aiApi.matchCharacters, { matches: [[aCharacter(named)]] })
  answer(charactersApi.media, [aMedia(), aMedia({ _id: 'adaptation', mediaType: 'ANIME' })])
  answer(charactersApi.find, aCharacter({ ...named, _id: ID }))
  await open('/media/compare')
  await userEvent.click(await main().findByRole('button', { name: 'Edit JSON' }))
  const described = { translations: { en: { name: 'Sensei', description: '' } } }
  await write({ translations: {}, characters: [described, ID] })
  const match = within(await main().findByRole('group', { name: /Sensei/ }))
  expect(match.getByRole('link', { name: '先生' }).lang).toBe('ja')
  expect(await match.findAllByText('Kokoro')).toHaveLength(2)
  expect(vi.mocked(console.error).mock.calls.flat().join(' ')).not.toContain('same key')
  expect((await main().findByText('先生', { selector: 'span' })).lang).toBe('ja')
})

test('after a batch of which some media were refused, their texts stay accepted as chosen', async () => {
  const media = aMedia({ _id: 'b', translations: { en: { title: 'Botchan', description: '' } } })
  answer(mediaApi.find, ({ path }) => (path.endsWith('/b') ? media : aMedia()))
  const run = { _id: 'run1', provider: 'model', model: 'lantern-1', prompt: 'standardize/1', sources: [] }
  const texts = (title: string) => ({ en: { title, description: 'A novel.' } })
  const result = [
    { id: 'm', translations: texts('The Heart') },
    { id: 'b', translations: texts('The Young Master') },
  ]
  const line = { status: 'completed', run, result, errors: [] }
  streams(aiApi.processStandard.path, `data: ${JSON.stringify(line)}\n\n`)
  const errors = [{ id: 'b', message: 'Resource not found.', code: 'notFound' }]
  answer(aiApi.saveBatch, { success: true, count: 1, message: '', errors, batch: 'x' })
  await open('/media/standardize?id=m&with=b')
  await userEvent.click(await main().findByRole('button', { name: 'Process with AI' }))
  const group = await main().findByRole('group', { name: 'Proposed texts of Botchan' })
  const box = (name: RegExp) => within(group).getByRole<HTMLInputElement>('checkbox', { name })
  await userEvent.click(box(/Title/))
  await userEvent.click(box(/Description/))
  await userEvent.click(main().getByRole('button', { name: 'Save Standardized Translations' }))
  await findToast('Successfully updated 1 media items')
  await waitFor(() => expect(main().queryByRole('group', { name: 'Proposed texts of Kokoro' })).toBeNull())
  expect([box(/Title/).checked, box(/Description/).checked]).toEqual([true, false])
})

test('a text that somebody else has changed meanwhile is not replaced without being chosen again', async () => {
  const botchan = (title: string, description: string) =>
    aMedia({ _id: 'b', translations: { en: { title, description } } })
  const stored = { b: botchan('Botchan', '') }
  answer(mediaApi.find, ({ path }) => (path.endsWith('/b') ? stored.b : aMedia()))
  const run = { _id: 'run1', provider: 'model', model: 'lantern-1', prompt: 'standardize/1', sources: [] }
  const texts = {
    en: { title: 'The Young Master', description: 'A novel.' },
    fr: { title: 'Botchan', description: '' },
  }
  const line = { status: 'completed', run, result: [{ id: 'b', translations: texts }], errors: [] }
  streams(aiApi.processStandard.path, `data: ${JSON.stringify(line)}\n\n`)
  const message = 'This has been changed since you opened it.'
  answer(aiApi.saveBatch, {
    success: false,
    count: 0,
    message,
    errors: [{ id: 'b', message, code: 'stale' }],
    batch: null,
  })
  await open('/media/standardize?id=m&with=b')
  await userEvent.click(await main().findByRole('button', { name: 'Process with AI' }))
  const box = (name: RegExp) => main().getByRole<HTMLInputElement>('checkbox', { name })
  await main().findByRole('group', { name: 'Proposed texts of Botchan' })
  await userEvent.click(box(/Title · English/))
  stored.b = botchan('Master Darling', 'Of a teacher.')
  await userEvent.click(main().getByRole('button', { name: 'Save Standardized Translations' }))
  await main().findByRole('group', { name: 'Proposed texts of Master Darling' })
  const boxes = [/Title · English/, /Description · English/, /Title · French/].map((name) => box(name).checked)
  expect(boxes).toEqual([false, false, true])
})

test('media that were merged meanwhile are listed once, and what was proposed for the other one is said to be gone', async () => {
  const stored = { b: aMedia({ _id: 'b' }), c: aMedia({ _id: 'c' }) }
  answer(mediaApi.find, ({ path }) => (path.endsWith('/b') ? stored.b : path.endsWith('/c') ? stored.c : aMedia()))
  const run = { _id: 'run1', provider: 'model', model: 'lantern-1', prompt: 'standardize/1', sources: [] }
  const proposed = (id: string) => ({ id, translations: { fr: { title: `Titre ${id}`, description: '' } } })
  const line = { status: 'completed', run, result: [proposed('b'), proposed('c')], errors: [] }
  streams(aiApi.processStandard.path, `data: ${JSON.stringify(line)}\n\n`)
  const errors = ['b', 'c'].map((id) => ({ id, message: 'This has been changed.', code: 'stale' }))
  answer(aiApi.saveBatch, { success: false, count: 0, message: '', errors, batch: null })
  await open('/media/standardize?id=m&with=b%2Cc')
  await userEvent.click(await main().findByRole('button', { name: 'Process with AI' }))
  expect(await main().findAllByRole('group', { name: /^Proposed texts of/ })).toHaveLength(2)
  stored.c = stored.b
  await userEvent.click(main().getByRole('button', { name: 'Save Standardized Translations' }))
  const gone = await main().findByText(/^The proposed texts of 1 media item are no longer shown/)
  expect(gone.getAttribute('role')).toBe('alert')
  expect(main().getAllByRole('group', { name: /^Proposed texts of/ })).toHaveLength(1)
  expect(main().getByText('1 of 1 selected')).toBeDefined()
  expect(vi.mocked(console.error).mock.calls.flat().join(' ')).not.toContain('same key')
})

test.each(['before', 'after'])(
  'media saved while the others are standardized: they leave the list %s the answer for these has arrived',
  async (when) => {
    const media = aMedia({ _id: 'b', translations: { en: { title: 'Botchan', description: '' } } })
    answer(mediaApi.find, ({ path }) => (path.endsWith('/b') ? media : aMedia()))
    answer(aiApi.saveBatch, { success: true, count: 1, message: '', errors: [], batch: 'x' })
    const run = { _id: 'run1', provider: 'model', model: 'lantern-1', prompt: 'standardize/1', sources: [] }
    let arrive = () => {}
    const arrived = new Promise<void>((resolve) => (arrive = resolve))
    const answers = [
      { id: 'm', description: 'A novel.', ready: Promise.resolve() },
      { id: 'b', description: 'Another novel.', ready: arrived },
    ]
    const { fetch: answered } = globalThis
    vi.stubGlobal('fetch', async (...given: Parameters<typeof fetch>) => {
      const next = given[0] === aiApi.processStandard.path && answers.shift()
      if (!next) return answered(...given)
      await next.ready
      const result = [{ id: next.id, translations: { en: { title: '', description: next.description } } }]
      const line = { status: 'completed', run, result, errors: [] }
      return new Response(`data: ${JSON.stringify(line)}\n\n`, { headers: { 'content-type': 'text/event-stream' } })
    })
    await open('/media/standardize?id=m&with=b')
    await userEvent.click(await main().findByRole('button', { name: 'Process with AI' }))
    await userEvent.click(await main().findByRole('button', { name: 'Continue with the remaining one' }))
    const group = (name: string) => main().queryByRole('group', { name: `Proposed texts of ${name}` })
    const refresh = hold(mediaApi.find)
    await userEvent.click(main().getByRole('button', { name: 'Save Standardized Translations' }))
    await findToast('Successfully updated 1 media items')
    if (when === 'before') {
      refresh()
      await waitFor(() => expect(group('Kokoro')).toBeNull())
    }
    arrive()
    await waitFor(() => expect(group('Botchan')).not.toBeNull())
    refresh()
    await waitFor(() => expect([group('Kokoro'), group('Botchan')]).toEqual([null, expect.anything()]))
  },
)

test('related media are added once, and removed', async () => {
  hits(aHit({ _id: 'm' }))
  answer(mediaApi.find, aMedia())
  await open('/media/compare')
  await userEvent.click(await main().findByRole('button', { name: 'Edit JSON' }))
  const add = async () => {
    await userEvent.type(main().getByRole('combobox', { name: 'Search for related media' }), 'kokoro')
    await screen.findByRole('option')
    await userEvent.keyboard('{Enter}')
  }
  await add()
  await findToast('Related media added')
  await add()
  await findToast('This media is already added as related media')
  await userEvent.click(main().getByRole('button', { name: 'Remove Kokoro' }))
  await findToast('Related media removed')
  const view = await editor()
  await waitFor(() => expect(JSON.parse(view.state.doc.toString())).toMatchObject({ relatedMedia: [] }))
})

test.each([
  ['HTTP error! status: 503', () => fail(aiApi.processStandard, 503)],
  [
    'Server error. Please try again later. Request id: 0197-ab',
    () =>
      fail(aiApi.processStandard, 500, {
        code: 'internal',
        message: 'Server error. Please try again later.',
        requestId: '0197-ab',
      }),
  ],
  ['Failed to start AI processing', () => fail(aiApi.processStandard, 0)],
  ['Response body is null', () => vi.stubGlobal('fetch', empty(aiApi.processStandard.path))],
])('a standardization that does not begin says "%s"', async (sentence, prevent) => {
  answer(mediaApi.find, aMedia())
  prevent()
  await open('/media/standardize?id=m')
  await userEvent.click(await main().findByRole('button', { name: 'Process with AI' }))
  expect(await main().findByText(sentence)).toBeDefined()
})

test.each([
  ['fails', () => fail(aiApi.saveBatch), 'Failed to save standardized translations'],
  ['stores nothing', () => answer(aiApi.saveBatch, NOTHING_SAVED), reasonText('noneSaved')],
])('standardized translations are kept if the save %s', async (_, respond, sentence) => {
  const result = [{ id: 'm', translations: { en: { title: '', description: 'A novel.' } } }]
  answerEvent(aiApi.processStandard, { event: 'message', data: { content: JSON.stringify(result) } })
  answer(mediaApi.find, aMedia())
  respond()
  await open('/media/standardize?id=m')
  await userEvent.click(await main().findByRole('button', { name: 'Process with AI' }))
  await main().findByRole('group', { name: 'Proposed texts of Kokoro' })
  await userEvent.click(main().getByRole('button', { name: 'Save Standardized Translations' }))
  await findToast(sentence)
  expect(main().getByRole('group', { name: 'Proposed texts of Kokoro' })).toBeDefined()
})

test.each([
  ['content', 'status'],
  ['text', 'status'],
  ['text', 'nothing'],
])('reads standardized translations from lines with %s that end with %s', async (name, end) => {
  const result = [{ id: 'm', translations: { en: { title: '', description: 'A novel.' } } }]
  const lines = [{ [name]: JSON.stringify(result) }, ...(end === 'status' ? [{ status: 'completed' }] : [])]
  streams(aiApi.processStandard.path, lines.map((line) => `data: ${JSON.stringify(line)}\n\n`).join(''))
  answer(mediaApi.find, aMedia())
  await open('/media/standardize?id=m')
  await userEvent.click(await main().findByRole('button', { name: 'Process with AI' }))
  await main().findByRole('group', { name: 'Proposed texts of Kokoro' })
  expect(main().queryByText(/cut off/) === null).toBe(end === 'status')
})

test('a comparison reads a suggestion from the text if the end of its stream has none', async () => {
  const text = JSON.stringify({ translations: { en: { title: 'Sanshiro', description: '' } } })
  const events = [
    ['chunk', { content: `\`\`\`json\n${text}\n\`\`\`` }],
    ['complete', {}],
    ['end', {}],
  ] as const
  const body = events.map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join('')
  streams(aiApi.processMedia.path, body)
  await open('/media/compare')
  await userEvent.type(await main().findByLabelText('Topic'), 'Sanshiro')
  await userEvent.click(main().getByRole('button', { name: 'Generate' }))
  const source = await main().findByRole('region', { name: 'Source 1' })
  await within(source).findByText('Complete')
  expect(await main().findByRole('button', { name: 'Select all of source 1' })).toBeDefined()
  expect(within(source).queryByText(/cut off/)).toBeNull()
})

test('says that media selected in the list failed to load, and loads them on Retry', async () => {
  const media = aMedia({ _id: 'b', translations: { en: { title: 'Botchan', description: '' } } })
  let isThere = false
  answer(mediaApi.find, ({ path }) => (path.endsWith('/b') && !isThere ? (undefined as never) : aMedia()))
  await open('/media/standardize?id=m&with=b')
  await main().findByText('Failed to load one of the selected media')
  isThere = true
  answer(mediaApi.find, ({ path }) => (path.endsWith('/b') ? media : aMedia()))
  await userEvent.click(main().getByRole('button', { name: 'Retry' }))
  expect((await main().findByRole<HTMLInputElement>('checkbox', { name: /Botchan/ })).checked).toBe(true)
  expect(main().queryByText('Failed to load one of the selected media')).toBeNull()
})

test('proposals stay while selected media that failed to load are requested again', async () => {
  answer(mediaApi.find, ({ path }) => (path.endsWith('/b') ? (undefined as never) : aMedia()))
  const { fetch: answered } = globalThis
  const result = [{ id: 'm', translations: { en: { title: '', description: 'A novel.' } } }]
  const run = { _id: 'run1', provider: 'model', model: 'lantern-1', prompt: 'standardize/1', sources: [] }
  const line = { status: 'completed', run, result, errors: [] }
  vi.stubGlobal('fetch', async (...given: Parameters<typeof fetch>) =>
    given[0] === aiApi.processStandard.path
      ? new Response(`data: ${JSON.stringify(line)}\n\n`, { headers: { 'content-type': 'text/event-stream' } })
      : answered(...given),
  )
  await open('/media/standardize?id=m&with=b')
  const failed = (await main().findByText('Failed to load one of the selected media')).closest('[role=alert]')
  await userEvent.click(main().getByRole('button', { name: 'Process with AI' }))
  const proposed = () => main().queryByRole('group', { name: 'Proposed texts of Kokoro' })
  await waitFor(() => expect(proposed()).not.toBeNull())
  const reason = failed?.textContent
  const refresh = hold(mediaApi.find)
  const retry = main().getByRole('button', { name: 'Retry' })
  await userEvent.click(retry)
  await waitFor(() => expect(retry.getAttribute('aria-disabled')).toBe('true'))
  expect(proposed()).not.toBeNull()
  expect(failed?.isConnected).toBe(true)
  expect(failed?.textContent).toContain(reason)
  refresh()
  await waitFor(() => expect(retry.getAttribute('aria-disabled')).not.toBe('true'))
  expect(proposed()).not.toBeNull()
})

test('what was just typed as JSON is saved, and nothing can be changed while it is', async () => {
  answer(aiApi.createMedia, aMedia({ _id: 'new' }))
  await open('/media/compare')
  await userEvent.click(await main().findByRole('button', { name: 'Edit JSON' }))
  const save = main().getByRole('button', { name: 'Save Media' })
  const titled = (title: string) => ({ translations: { en: { title, description: '' } } })
  await write(titled('Sanshiro'))
  await waitFor(() => expect(save.getAttribute('aria-disabled')).not.toBe('true'))
  const release = hold(aiApi.createMedia)
  await write(titled('Sorekara'))
  await userEvent.click(save)
  expect(requests.find(({ path }) => path === aiApi.createMedia.path)?.body).toMatchObject(titled('Sorekara'))
  await waitFor(() => expect(document.querySelector('.cm-editor')?.closest('[inert]')).not.toBeNull())
  release()
  await waitFor(() => expect(currentUrl()).toBe('/media/new'))
})

test('without a model, an administrator is led to the settings of AI', async () => {
  answer(aiApi.status, { ...STATUS, provider: 'reference' as const, model: '' })
  await open('/media/compare')
  const link = await main().findByRole('link', { name: 'Set up a model' })
  expect(link.getAttribute('href')).toBe('/settings?section=ai')
})

test('a draft of a comparison from an earlier version of the console is restored', async () => {
  const draft = { id: 'd', text: '{"originalTitle":"Sorekara"}', base: '', at: new Date().toISOString() }
  keepDraft('me', 'media/compare', draft)
  await open('/media/compare')
  await userEvent.click(await main().findByRole('button', { name: 'Restore draft' }))
  expect(await main().findByText('Sorekara')).toBeDefined()
})

test('a comparison whose save had no response is saved by the same call from its restored draft', async () => {
  const creations = () => requests.filter(({ path }) => path === aiApi.createMedia.path)
  const save = async () => userEvent.click(main().getByRole('button', { name: 'Save Media' }))
  fail(aiApi.createMedia, 0)
  await open('/media/compare')
  await userEvent.click(await main().findByRole('button', { name: 'Edit JSON' }))
  await write({ translations: { en: { title: 'Sorekara', description: '' } } })
  await waitFor(() => expect(main().getByRole('button', { name: 'Save Media' }).ariaDisabled).not.toBe('true'))
  await save()
  await findToast('Failed to save media. Please try again.')
  cleanup()
  answer(aiApi.createMedia, aMedia({ _id: 'new' }))
  await open('/media/compare')
  await userEvent.click(await main().findByRole('button', { name: 'Restore draft' }))
  await save()
  await waitFor(() => expect(currentUrl()).toBe('/media/new'))
  const [first, second] = creations()
  expect(second).toEqual(first)
})

test.each([
  [
    'is changed',
    { originalTitle: 'それから' },
    'PUT /api/media/made',
    { originalTitle: 'それから', tags: ['t'], cover: 'c' },
  ],
  [
    'is left, and another one created, if only that can describe the change',
    { tags: ['Drama'] },
    'POST /api/ai/create-media',
    { tags: ['Drama'] },
  ],
] as const)('what a save without a response has created %s', async (_, change, request, body) => {
  const titled = { translations: { en: { title: 'Sorekara', description: '' } } }
  const save = async () => userEvent.click(main().getByRole('button', { name: 'Save Media' }))
  fail(aiApi.createMedia, 0)
  await open('/media/compare')
  await userEvent.click(await main().findByRole('button', { name: 'Edit JSON' }))
  await write(titled)
  await waitFor(() => expect(main().getByRole('button', { name: 'Save Media' }).ariaDisabled).not.toBe('true'))
  await save()
  await findToast('Failed to save media. Please try again.')
  const made = aMedia({ _id: 'made', tags: [aTag({ _id: 't' })], cover: { _id: 'c', url: '' } })
  answer(aiApi.createMedia, made)
  answer(mediaApi.update, made)
  await write({ ...titled, ...change })
  await save()
  await waitFor(() => expect(currentUrl()).toBe('/media/made'))
  const [first, second, third] = requests.filter(({ method }) => method !== 'GET')
  expect(second).toEqual(first)
  expect(`${third?.method} ${third?.path}`).toBe(request)
  expect(third?.body).toMatchObject({ ...titled, ...body })
})

test.each([
  ['translations.en.title', 'Title (English): Must not be empty', 'en', 'Edit JSON', 'Save Media'],
  ['characters.1.translations.en.name', 'Characters 2: Must not be empty', 'en', 'Edit JSON', 'Save Media'],
  ['translations.en.title', '标题（英语）：不能为空', 'zh', '编辑 JSON', '保存作品'],
] as const)('what is wrong with %s of a selection is named: %s', async (path, says, language, json, save) => {
  const errors = [{ path, message: 'Must not be empty', code: 'empty' }]
  fail(aiApi.createMedia, 400, { message: 'Some values are wrong.', errors })
  await open('/media/compare', { language })
  await userEvent.click(await main().findByRole('button', { name: json }))
  await write({ translations: { en: { title: 'Sorekara', description: '' } } })
  await waitFor(() => expect(main().getByRole('button', { name: save }).ariaDisabled).not.toBe('true'))
  await userEvent.click(main().getByRole('button', { name: save }))
  expect(await screen.findByText(says)).toBeDefined()
})

test('if others have changed what a save without a response has created, the conflict is resolved in place', async () => {
  const titled = (title: string) => ({ translations: { en: { title, description: '' } } })
  const save = async () => userEvent.click(main().getByRole('button', { name: 'Save Media' }))
  fail(aiApi.createMedia, 0)
  await open('/media/compare')
  await userEvent.click(await main().findByRole('button', { name: 'Edit JSON' }))
  await write(titled('Sorekara'))
  await waitFor(() => expect(main().getByRole('button', { name: 'Save Media' }).ariaDisabled).not.toBe('true'))
  await save()
  await findToast('Failed to save media. Please try again.')
  answer(aiApi.createMedia, aMedia({ _id: 'made', ...titled('Sorekara') }))
  const isStale = (theirs: string, version: number) =>
    fail(mediaApi.update, 412, {
      code: 'stale',
      message: 'Someone else changed this while you were editing.',
      base: titled('Sorekara'),
      mine: titled('And then'),
      theirs: titled(theirs),
      conflicts: ['translations.en.title'],
      version,
      updatedAt: '2026-01-05T00:00:00.000Z',
      savedBy: ['Aiko'],
    })
  isStale('After that', 2)
  await write(titled('And then'))
  await save()
  const heading = await main().findByRole('heading', { name: 'Someone else changed this' })
  expect(document.activeElement).toBe(heading)
  expect(main().queryByRole('button', { name: 'Save Media' })).toBeNull()
  isStale('Afterwards', 3)
  await userEvent.click(main().getByRole('button', { name: 'All mine' }))
  await userEvent.click(main().getByRole('button', { name: /^Save/ }))
  await main().findByText('Afterwards')
  // The choice was between other texts.
  expect(main().getByText('0 of 1 chosen')).toBeTruthy()
  const lastUpdate = () => requests.findLast(({ method }) => method === 'PUT')
  expect(lastUpdate()).toMatchObject({ path: '/api/media/made', base: '"2"', body: titled('And then') })
  answer(mediaApi.update, aMedia({ _id: 'made', version: 4 }))
  await userEvent.click(main().getByRole('button', { name: 'All mine' }))
  await userEvent.click(main().getByRole('button', { name: /^Save/ }))
  await waitFor(() => expect(currentUrl()).toBe('/media/made'))
  expect(lastUpdate()).toMatchObject({ path: '/api/media/made', base: '"3"', body: titled('And then') })
})
