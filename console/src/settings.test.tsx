// The settings screens: access, content, and controls beside the fields of the general settings.
import { type FoldResult, languagesApi } from '@mokuroku/contract/languages'
import { CATALOGUE, kinds } from '@mokuroku/contract/kinds'
import { jobsApi, type QueuedJob } from '@mokuroku/contract/jobs'
import { indexApi, type IndexState } from '@mokuroku/contract/search'
import { newSettings, type Settings, settingsApi } from '@mokuroku/contract/settings'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { queryClient } from '#api/queryClient.ts'
import { AREAS } from '#lib/areas.ts'
import {
  answer,
  requests,
  fail,
  findToast,
  currentUrl,
  hold,
  main,
  open,
  reader,
  settled,
  signInAgain,
  withoutServer,
} from './testing.tsx'

withoutServer()

const { keepVersionsDays, keepActivitiesDays, keepAuditDays, ...others } = newSettings()
const { siteName, defaultLanguage, languages, findings, sessionHours, ...ai } = others
const SETTINGS: Settings = {
  _id: 'settings',
  version: 3,
  createdAt: '2026-01-05T00:00:00.000Z',
  updatedAt: '2026-01-05T00:00:00.000Z',
  general: { siteName, defaultLanguage, languages, findings },
  ai: { ...ai, hasKey: false },
  security: { sessionHours },
  retention: { keepVersionsDays, keepActivitiesDays, keepAuditDays },
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

test('an API key that was typed is not kept when the session ends', async () => {
  answer(settingsApi.find, SETTINGS)
  await open('/settings?section=ai')
  fireEvent.change(await main().findByLabelText('Model'), { target: { value: 'small' } })
  fireEvent.change(main().getByLabelText('API key'), { target: { value: 'a secret' } })
  fail(settingsApi.update, 401)
  await userEvent.click(main().getByRole('button', { name: 'Save Changes' }))
  await signInAgain('/settings?section=ai')
  expect((await main().findByLabelText<HTMLInputElement>('Model')).value).toBe('small')
  expect(main().getByLabelText<HTMLInputElement>('API key').value).toBe('')
})

test.each([
  [['mori'], 'You changed this in another window', 'Other window: One', 'This window: Two'],
  [['mori', 'Aiko'], 'Someone else changed this', 'Theirs: One', 'Yours: Two'],
])('a conflict with what %o saved says so', async (savedBy, title, theirs, mine) => {
  answer(settingsApi.find, SETTINGS)
  await open('/settings')
  fireEvent.change(await main().findByLabelText('Site name'), { target: { value: 'Two' } })
  fail(settingsApi.update, 412, {
    code: 'stale',
    message: 'Changed.',
    mine: { siteName: 'Two' },
    theirs: { siteName: 'One' },
    conflicts: ['siteName'],
    version: 4,
    updatedAt: '2026-01-05T00:00:00.000Z',
    savedBy,
  })
  await userEvent.click(main().getByRole('button', { name: 'Save Changes' }))
  const notice = (await main().findByText(title)).closest('[role=status]')
  expect(notice?.textContent).toContain(theirs)
  expect(notice?.textContent).toContain(mine)
})

test.each([
  ['security', 'Session length', { sessionHours: 8 }, '24', ['Theirs: 8 hours', 'Yours: 1 day']],
  ['retention', 'Activities', { keepActivitiesDays: 0 }, '365', ['Theirs: Forever', 'Yours: 1 year']],
] as const)('a conflict in %s says how long in words, and is scrolled to', async (name, label, theirs, mine, words) => {
  answer(settingsApi.find, SETTINGS)
  await open(`/settings?section=${name}`)
  fireEvent.change(await main().findByLabelText(label), { target: { value: mine } })
  fail(settingsApi.update, 412, {
    code: 'stale',
    message: 'Changed.',
    mine: {},
    theirs,
    conflicts: Object.keys(theirs),
    version: 4,
    updatedAt: '2026-01-05T00:00:00.000Z',
  })
  const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView')
  await userEvent.click(main().getByRole('button', { name: 'Save Changes' }))
  const notice = (await main().findByText('Someone else changed this')).closest('[role=status]')
  for (const each of words) expect(notice?.textContent).toContain(each)
  expect(scrolled.mock.contexts.some((element) => notice?.contains(element as Element))).toBe(true)
  scrolled.mockRestore()
})

test('unsaved settings are there after signing in again, with the version that they began with', async () => {
  answer(settingsApi.find, SETTINGS)
  await open('/settings')
  fireEvent.change(await main().findByLabelText('Site name'), { target: { value: 'Our catalogue' } })
  fail(settingsApi.update, 401)
  await userEvent.click(main().getByRole('button', { name: 'Save Changes' }))
  answer(settingsApi.find, { ...SETTINGS, version: 4 })
  answer(settingsApi.update, { ...SETTINGS, version: 5 })
  await signInAgain('/settings')
  expect((await main().findByLabelText<HTMLInputElement>('Site name')).value).toBe('Our catalogue')
  await userEvent.click(main().getByRole('button', { name: 'Save Changes' }))
  await findToast('Settings saved')
  expect(requests.findLast(({ method }) => method === 'PUT')).toMatchObject({
    base: '"3"',
    body: { general: { siteName: 'Our catalogue' } },
  })
})

test('an invalid language gets the focus, so that its error is read', async () => {
  answer(settingsApi.find, SETTINGS)
  await open('/settings')
  const field = await main().findByLabelText('Add a language')
  for (const text of ['no language', 'en']) {
    fireEvent.change(field, { target: { value: text } })
    const button = main().getByRole('button', { name: 'Add' })
    await userEvent.click(button)
    expect(field.getAttribute('aria-invalid')).toBe('true')
    expect(document.activeElement).toBe(field)
    await userEvent.click(button)
    expect(document.activeElement).toBe(field)
  }
  // The focus does not move: the error is announced.
  await userEvent.keyboard('{Enter}')
  expect((await main().findByRole('alert')).id).toBe(
    field
      .getAttribute('aria-describedby')
      ?.split(' ')
      .find((id) => id.endsWith('-error')),
  )
})

test('the enabled checks can be chosen', async () => {
  answer(settingsApi.find, SETTINGS)
  answer(settingsApi.update, SETTINGS)
  await open('/settings')
  const checks = within(await screen.findByRole('group', { name: 'Checks' }))
  expect(checks.getByLabelText<HTMLInputElement>('No cover').checked).toBe(true)
  await userEvent.click(checks.getByLabelText('Stray spaces'))
  await userEvent.click(checks.getByLabelText('No cover'))
  await userEvent.click(screen.getByRole('button', { name: 'Save Changes' }))
  await waitFor(() => expect(requests.find(({ method }) => method === 'PUT')?.body).toBeDefined())
  expect(requests.find(({ method }) => method === 'PUT')?.body).toEqual({
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

test('converts Chinese without a script to Simplified Chinese after a preview and a confirmation', async () => {
  answer(settingsApi.find, SETTINGS)
  answer(languagesApi.preview, FOLD)
  answer(languagesApi.fold, { ...FOLD, batch: 'b' })
  await open('/settings')
  expect(await screen.findByText('2 media')).toBeDefined()
  expect(screen.getByText('1 tag')).toBeDefined()
  expect(screen.getByText(/Of these, 1 also have texts in Simplified Chinese/)).toBeDefined()
  expect(screen.getByRole('link', { name: '心' }).getAttribute('href')).toBe('/media/m')
  await userEvent.click(screen.getByRole('button', { name: 'Make Simplified Chinese' }))
  expect(requests.some(({ method, path }) => method === 'POST' && path === '/api/languages/fold')).toBe(false)
  const question = within(screen.getByRole('dialog'))
  await userEvent.click(question.getByRole('button', { name: 'Make Simplified Chinese' }))
  expect(await findToast('Changed: 3')).toBeDefined()
  expect(requests.find(({ method }) => method === 'POST')?.body).toEqual({ from: 'zh', to: 'zh-Hans' })
})

test('an entry to convert is opened by the router, which adds the base path', async () => {
  answer(settingsApi.find, SETTINGS)
  answer(languagesApi.preview, FOLD)
  await open('/settings')
  await userEvent.click(await screen.findByRole('link', { name: '心' }))
  expect(await main().findByRole('heading', { name: 'Media Not Found' })).toBeDefined()
})

test('offers no conversion if no text is in Chinese without a script', async () => {
  answer(settingsApi.find, SETTINGS)
  answer(languagesApi.preview, { ...FOLD, kinds: [], first: [] })
  await open('/settings')
  await screen.findByRole('group', { name: 'Checks' })
  await waitFor(() => expect(requests.some(({ path }) => path === '/api/languages/fold')).toBe(true))
  await settled()
  expect(screen.queryByText('Chinese without a script')).toBeNull()
})

test('shows the conversion in Chinese', async () => {
  answer(settingsApi.find, SETTINGS)
  answer(languagesApi.preview, FOLD)
  await open('/settings', { language: 'zh' })
  expect(await screen.findByText('未注明简繁的中文')).toBeDefined()
})

const name = () => main().findByLabelText<HTMLInputElement>('Site name')
const save = () => userEvent.click(main().getByRole('button', { name: 'Save Changes' }))

test('shows an invalid value at its field, and saves nothing', async () => {
  answer(settingsApi.find, SETTINGS)
  await open('/settings')
  await userEvent.clear(await name())
  await userEvent.type(await name(), ' ')
  await save()
  expect(await main().findByText('A name of 1 to 60 characters')).toBeDefined()
  await userEvent.click(main().getByRole('button', { name: 'Discard changes' }))
  expect((await name()).value).toBe('Mokuroku')
  // The button is `aria-disabled`, and explains why when pressed.
  await save()
  expect(await findToast('No changes to save.')).toBeDefined()
  expect(requests.filter(({ method }) => method === 'PUT')).toEqual([])
})

test('after a refusal because another administrator has removed the language, the languages are as they are now', async () => {
  const general = { ...SETTINGS.general, languages: ['en', 'zh', 'ja'] }
  answer(settingsApi.find, { ...SETTINGS, general })
  await open('/settings')
  const list = within(await main().findByRole('group', { name: 'Languages' }))
  await userEvent.selectOptions(main().getByLabelText('Default language'), 'ja')
  answer(settingsApi.find, { ...SETTINGS, version: 4, general: { ...general, languages: ['en', 'zh'] } })
  const errors = [{ path: 'general.defaultLanguage', message: 'Must be one of the languages', code: 'languageOther' }]
  const message = 'general.defaultLanguage: Must be one of the languages'
  fail(settingsApi.update, 400, { code: 'invalid', message, errors })
  await userEvent.click(main().getByRole('button', { name: 'Save Changes' }))
  expect(await main().findByText('Must be one of the languages')).toBeDefined()
  const { textContent } = await findToast('Failed to save settings')
  expect(textContent).toContain('Default language: Must be one of the languages')
  await waitFor(() => expect(list.queryByRole('link', { name: 'Japanese' })).toBeNull())
  expect(list.getByRole('link', { name: 'English' })).toBeDefined()
  expect(main().getByLabelText<HTMLSelectElement>('Default language').value).toBe('ja')
})

test('keeps what is changed during a save', async () => {
  answer(settingsApi.find, SETTINGS)
  answer(settingsApi.update, { ...SETTINGS, version: 4, general: { ...SETTINGS.general, siteName: 'Library' } })
  await open('/settings')
  await userEvent.clear(await name())
  await userEvent.type(await name(), 'Library')
  const release = hold(settingsApi.update)
  await save()
  await userEvent.type(await name(), ' of Kyoto')
  release()
  await findToast('Settings saved')
  expect((await name()).value).toBe('Library of Kyoto')
  await save()
  const puts = () => requests.filter(({ method }) => method === 'PUT')
  await waitFor(() => expect(puts()).toHaveLength(2))
  expect(puts()[1]).toMatchObject({ base: '"4"', body: { general: { siteName: 'Library of Kyoto' } } })
})

test('asks before leaving unsaved settings', async () => {
  answer(settingsApi.find, SETTINGS)
  await open('/settings')
  await userEvent.type(await name(), '!')
  await userEvent.click(main().getByRole('link', { name: 'Mail' }))
  expect((await screen.findByRole('dialog')).textContent).toContain('not saved')
  await userEvent.click(screen.getByRole('button', { name: 'Stay' }))
  expect((await name()).value).toBe('Mokuroku!')
  await userEvent.click(screen.getByRole('link', { name: 'Dashboard' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Leave without saving' }))
  await waitFor(() => expect(currentUrl()).toBe('/'))
})

test('a moderator can read every section, and sees why nothing can be changed', async () => {
  answer(settingsApi.find, SETTINGS)
  await open('/settings', { as: { ...reader, role: 'moderator' } })
  expect(await main().findByText('You can read the settings, but not change them.')).toBeDefined()
  expect((await name()).readOnly).toBe(true)
  await save()
  expect(await screen.findAllByText('Only administrators can change the settings.')).toHaveLength(2)
  const sections = within(main().getByRole('navigation', { name: 'Sections' }))
  for (const link of sections.getAllByRole('link')) {
    await userEvent.click(link)
    await waitFor(() => expect(link.getAttribute('aria-current')).toBe('page'))
    expect((await main().findAllByRole('heading', { level: 2 })).length).toBeGreaterThan(0)
  }
})

test('a user sees that access is denied, and still sees the licences', async () => {
  fail(settingsApi.find, 403, { message: 'Access denied.' })
  await open('/settings', { as: reader })
  expect((await main().findByRole('alert')).textContent).toContain(
    'Access denied. You do not have permission for this action.',
  )
  expect(main().getByRole('link', { name: 'CC BY 4.0' })).toBeDefined()
  expect(main().getByRole('link', { name: 'Back to Dashboard' }).getAttribute('href')).toBe('/')
})

test('shows an error when the settings fail to load, and loads them on Retry', async () => {
  fail(settingsApi.find)
  await open('/settings')
  expect(await main().findByText('Failed to load settings')).toBeDefined()
  answer(settingsApi.find, SETTINGS)
  await userEvent.click(main().getByRole('button', { name: 'Retry' }))
  expect(await name()).toBeDefined()
})

test('lists the server instances, and marks the one that responded', async () => {
  answer(settingsApi.find, SETTINGS)
  const server = { version: '0.1.0', schema: '029-instances.sql', startedAt: '2026-01-05T10:00:00.000Z' }
  answer(settingsApi.about, {
    version: '0.1.0',
    parts: [],
    instances: [
      { ...server, _id: 'a', host: 'alpha', storage: 'bucket files at https://s3.example.org', isThis: false },
      { ...server, _id: 'b', host: 'beta', storage: 'bucket files at https://s3.example.org', isThis: true },
    ],
  })
  await open('/settings?section=about')
  const servers = (await screen.findByText('alpha')).closest('ul')
  const [one, two] = servers ? within(servers).getAllByRole('listitem') : []
  expect(one?.textContent).toMatch(/^alphaVersion 0\.1\.0, started January 5, 2026.*Assets in the bucket files at/)
  expect(two?.textContent).toMatch(/^betathis one/)
})

test('in Chinese, the sentences about a server and the sample have no spaces between them', async () => {
  answer(settingsApi.find, SETTINGS)
  const server = { version: '0.1.0', schema: '029-instances.sql', startedAt: '2026-01-05T10:00:00.000Z' }
  const instances = [{ ...server, _id: 'a', host: 'alpha', storage: 'folder', isThis: true }]
  answer(settingsApi.about, { version: '0.1.0', parts: [], instances })
  await open('/settings?section=about', { language: 'zh' })
  const one = (await main().findByText('alpha')).closest('li')
  expect(one?.textContent).toMatch(/。数据库结构 029-instances\.sql。文件存放在其数据文件夹中。$/)
  expect(main().getByRole('link', { name: 'CC BY 4.0' }).parentElement?.textContent).toContain('CC BY 4.0，并为')
})

const JOB: QueuedJob = {
  _id: 'a',
  kind: 'mail.send',
  state: 'failed',
  done: 0,
  total: 0,
  attempts: 8,
  error: 'The mail server is away',
  createdAt: '2026-01-05T10:00:00.000Z',
  dueAt: '2026-01-05T10:00:00.000Z',
  startedAt: null,
  finishedAt: '2026-01-05T11:00:00.000Z',
  isRepeated: false,
  canRetry: true,
  canCancel: false,
}

test('lists background jobs with their errors, and can retry or cancel them', async () => {
  const running: QueuedJob = {
    ...JOB,
    _id: 'b',
    kind: 'new.kind',
    state: 'running',
    done: 30,
    total: 600,
    error: null,
    finishedAt: null,
    canRetry: false,
    canCancel: true,
  }
  answer(settingsApi.find, SETTINGS)
  answer(jobsApi.list, { data: [JOB, running], pagination: { total: 2, page: 1, limit: 20 } })
  answer(jobsApi.retry, { ...JOB, state: 'queued' })
  answer(jobsApi.cancel, { ...running, state: 'cancelled' })
  await open('/settings?section=jobs')
  expect((await screen.findByText('The mail server is away')).closest('li')?.textContent).toMatch(
    /^Send an emailFailedFinished January 5, 2026.*attempt 8/,
  )
  expect(screen.getByText('new.kind').closest('li')?.textContent).toMatch(/30 of 600/)
  await userEvent.click(screen.getByRole('button', { name: 'Retry: Send an email' }))
  await userEvent.click(screen.getByRole('button', { name: 'Cancel: new.kind' }))
  await waitFor(() =>
    expect(requests.filter(({ method }) => method === 'POST').map(({ path }) => path)).toEqual([
      '/api/jobs/a/retry',
      '/api/jobs/b/cancel',
    ]),
  )
})

test('background jobs that cannot be refreshed stay on screen, with the reason, until they can', async () => {
  const jobs = { data: [JOB], pagination: { total: 1, page: 1, limit: 20 } }
  answer(settingsApi.find, SETTINGS)
  answer(jobsApi.list, jobs)
  await open('/settings?section=jobs')
  await screen.findByText('Send an email')
  fail(jobsApi.list, 409, { message: 'Too old' })
  await queryClient.refetchQueries({ queryKey: [jobsApi.list.path] })
  expect((await main().findByText('Not refreshed: Too old')).closest('[role=status]')).not.toBeNull()
  expect(screen.getByText('Send an email')).toBeDefined()
  expect(screen.queryByRole('alert')).toBeNull()
  answer(jobsApi.list, jobs)
  await queryClient.refetchQueries({ queryKey: [jobsApi.list.path] })
  await waitFor(() => expect(screen.queryByText('Not refreshed: Too old')).toBeNull())
})

test('the state of the index that cannot be refreshed stays on screen, with the reason', async () => {
  answer(settingsApi.find, SETTINGS)
  answer(indexApi.state, {
    status: 'indexing',
    done: 30,
    total: 600,
    isRunning: true,
    entries: Object.fromEntries(CATALOGUE.map((kind) => [kinds[kind].plural, 1])) as IndexState['entries'],
    rebuiltAt: null,
  })
  await open('/settings?section=search', { language: 'zh' })
  await main().findByRole('progressbar')
  for (const { zh } of CATALOGUE.map((kind) => AREAS[kind])) expect(main().getByText(zh.list)).toBeDefined()
  fail(indexApi.state, 409, { message: 'Too old' })
  expect(await main().findByText('未能刷新：Too old')).toBeDefined()
  expect(main().getByRole('progressbar')).toBeDefined()
})

test('the result of a test appears in a status that was there before, so that it is announced', async () => {
  answer(settingsApi.find, SETTINGS)
  answer(settingsApi.testMail, { success: true, to: 'mori@example.org' })
  await open('/settings?section=mail')
  const button = await main().findByRole('button', { name: 'Send test message to myself' })
  const statuses = main().getAllByRole('status')
  await userEvent.click(button)
  await waitFor(() => expect(statuses.map(({ textContent }) => textContent).join()).toContain('mori@example.org'))
  const failure = { code: 'refused', detail: '550 No such user' } as const
  answer(settingsApi.testMail, { success: false, to: 'mori@example.org', failure })
  await userEvent.click(button)
  await waitFor(() => expect(statuses.map(({ textContent }) => textContent).join()).toContain(failure.detail))
})

test('the focus stays on Next while the next page of background jobs is loading', async () => {
  answer(settingsApi.find, SETTINGS)
  answer(jobsApi.list, { data: [JOB], pagination: { total: 60, page: 1, limit: 20 } })
  await open('/settings?section=jobs')
  const next = await screen.findByRole('button', { name: 'Next' })
  const release = hold(jobsApi.list)
  await userEvent.click(next)
  expect(document.activeElement).toBe(next)
  // In a browser, it would lose the focus.
  expect(next).toHaveProperty('disabled', false)
  release()
  await waitFor(() => expect(requests.at(-1)?.query.page).toBe('2'))
  expect(document.activeElement).toBe(next)
})

test('a page of background jobs that has become empty leads back to the others', async () => {
  answer(settingsApi.find, SETTINGS)
  answer(jobsApi.list, ({ query: { page } }) =>
    page === '2'
      ? { data: [], pagination: { total: 20, page: 2, limit: 20 } }
      : { data: [JOB], pagination: { total: 21, page: 1, limit: 20 } },
  )
  await open('/settings?section=jobs')
  await userEvent.click(await screen.findByRole('button', { name: 'Next' }))
  expect(await screen.findByText('This page is empty.')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Previous' }))
  expect(await screen.findByText('Send an email')).toBeDefined()
})

test('an administrator sets how long versions, activities and the audit log are kept', async () => {
  answer(settingsApi.find, SETTINGS)
  answer(settingsApi.update, { ...SETTINGS, retention: { ...SETTINGS.retention, keepAuditDays: 365 } })
  await open('/settings?section=retention')
  await screen.findByText(/^Anything older is deleted once a day. This cannot be undone/)
  const box = (label: string) => screen.getByRole<HTMLSelectElement>('combobox', { name: label })
  for (const label of ['Versions of entries', 'Activities', 'Audit log'])
    expect(box(label).selectedOptions[0]?.text).toBe('Forever')
  await userEvent.selectOptions(box('Audit log'), '1 year')
  await userEvent.click(screen.getByRole('button', { name: 'Save Changes' }))
  await findToast('Settings saved')
  expect(requests.find(({ method }) => method === 'PUT')?.body).toEqual({ retention: { keepAuditDays: 365 } })
})
