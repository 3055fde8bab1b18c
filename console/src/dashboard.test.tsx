import { type Activity, type ActivityType, dashboardApi, type Work } from '@mokuroku/contract/dashboard'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { keepDraft } from '#api/drafts.ts'
import { chooseLanguage } from '#api/preferences.ts'
import { queryClient } from '#api/queryClient.ts'
import { groupActivities } from './dashboard/groupActivities.ts'
import { pointsOf } from './dashboard/Trend.tsx'
import { workTexts } from './dashboard/workTexts.ts'
import { router } from './routes.tsx'
import { admin, answer, findToast, main, open, reader, withoutServer } from './testing.tsx'

withoutServer()

// Otherwise, all days would be one more after midnight.
vi.setSystemTime('2026-03-04T12:00:00Z')

const DAY_MS = 86_400_000
const day = (before: number) => new Date(Date.now() - before * DAY_MS).toISOString().slice(0, 10)
const stats = { mediaCount: 2, characterCount: 0, tagCount: 0, assetCount: 0, tagUsage: {} }
const work: Work = {
  findings: [
    { entityType: 'Tag', code: 'noDescription', count: 3, past: [] },
    { entityType: 'Media', code: 'missing', language: 'zh', count: 450, past: [{ day: day(7), count: 462 }] },
    { entityType: 'Media', code: 'duplicate', count: 22, past: [{ day: day(2), count: 22 }] },
  ],
  files: {
    unused: { count: 10, size: 26_214_400, past: [] },
    failed: { count: 0, size: 0, past: [] },
  },
  languages: [
    {
      tag: 'zh',
      shares: [{ entityType: 'Media', filled: 1, of: 2, past: [{ day: day(7), filled: 1, of: 4 }] }],
    },
  ],
}
const activity = (at: number, more: Partial<Activity> = {}): Activity => ({
  _id: String(at),
  type: 'ASSET_CREATED',
  description: '',
  username: 'admin',
  userId: 'u1',
  entityType: 'Asset',
  entityId: `a${at}`,
  title: `up-${at}.png`,
  isThere: true,
  createdAt: new Date(Date.now() - at * 60_000).toISOString(),
  ...more,
})

async function openDashboard(as?: typeof reader) {
  answer(dashboardApi.stats, stats)
  answer(dashboardApi.work, work)
  answer(dashboardApi.recentActivities, [
    activity(1),
    activity(2),
    activity(3),
    activity(4, { type: 'MEDIA_CREATED', entityType: 'Media', entityId: 'm1', title: 'Botchan' }),
  ])
  await open('/', as && { as })
  return within(await screen.findByRole('region', { name: /Needs work|待处理/ }))
}

test('users who may edit nothing are told why they cannot work through the items', async () => {
  const card = await openDashboard(reader)
  await userEvent.click(await card.findByRole('button', { name: 'Work through 450 without Chinese' }))
  await findToast('Your tier “Reader” does not allow editing your own content.')
  expect(card.queryByRole('link', { name: /Work through/ })).toBeNull()
})

test('work items link to their list and to the desk, and show their trend', async () => {
  const card = await openDashboard()
  const link = await card.findByRole('link', { name: '450 without Chinese' })
  expect(link.getAttribute('href')).toBe('/media?finding=missing%3Azh')
  const trend = (words: string) => card.getByText(words).parentElement
  expect(trend('-12 in 7 days')?.querySelector('svg')).not.toBeNull()
  expect(card.getByRole('link', { name: 'Work through 450 without Chinese' }).getAttribute('href')).toBe(
    '/work?finding=missing%3Azh',
  )
  expect(card.getByRole('link', { name: 'Work through 22 likely duplicates' }).getAttribute('href')).toBe(
    '/work?finding=duplicate',
  )
  expect(trend('Unchanged for 2 days')?.querySelector('svg')).toBeNull()
  expect(card.getByRole('link', { name: '3 without a description' }).getAttribute('href')).toBe(
    '/tags?finding=noDescription',
  )
  expect(card.getByRole('link', { name: '10 unused files, 25 MB' }).getAttribute('href')).toBe('/assets?unused=true')
  expect(card.queryByText(/failed uploads/)).toBeNull()
  expect(card.getAllByRole('listitem').map((row) => within(row).getAllByRole('link')[0]?.textContent)).toEqual([
    '450 without Chinese',
    '22 likely duplicates',
    '10 unused files, 25 MB',
    '3 without a description',
  ])
  const bar = main().getByRole('img', { name: '50%: 1 of 2' })
  expect(within(bar.closest('li') ?? bar).getByText('+25 points in 7 days')).toBeDefined()
  expect(main().getByRole('link', { name: '1 without Chinese' }).getAttribute('href')).toBe('/media?missing=zh')
})

test('a work item of one is in the singular', () => {
  const { sentences, unused, failed } = workTexts.get()
  expect([
    sentences.copied('1', 'Chinese'),
    sentences.copied('2', ''),
    sentences.duplicate('1'),
    unused('1', '25 MB'),
    failed('1'),
  ]).toEqual([
    '1 equals the original in Chinese',
    '2 equal the original',
    '1 likely duplicate',
    '1 unused file, 25 MB',
    '1 failed upload',
  ])
})

test('completeness says so if there is nothing to complete', async () => {
  const shares = work.languages
    .flatMap((each) => each.shares)
    .map((share) => ({ ...share, filled: 0, of: 0, past: [] }))
  answer(dashboardApi.stats, stats)
  answer(dashboardApi.work, { ...work, languages: [{ tag: 'zh', shares }] })
  answer(dashboardApi.recentActivities, [])
  await open('/')
  const card = within(await screen.findByRole('region', { name: 'Completeness' }))
  expect(await card.findByText('The catalogue is empty.')).toBeDefined()
  expect(card.queryByText('Chinese')).toBeNull()
})

const nothing: Work = { findings: [], languages: [] }
const none = { mediaCount: 0, characterCount: 0, tagCount: 0, assetCount: 0, tagUsage: {} }

test.each([
  ['en', 'Needs work', ['Add New Media', 'Import', 'Set the languages', 'Invite colleagues'], 'Nothing to do'],
  ['zh', '待处理', ['新建作品', '导入', '设置语言', '邀请同事'], '暂无待处理的事项'],
] as const)('an empty catalogue offers the first steps (%s)', async (language, title, steps, empty) => {
  answer(dashboardApi.stats, none)
  answer(dashboardApi.work, nothing)
  answer(dashboardApi.recentActivities, [])
  await open('/', { language })
  const card = within(await screen.findByRole('region', { name: title }))
  await card.findByRole('link', { name: steps[0] })
  expect(card.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(steps)
  answer(dashboardApi.stats, { ...none, tagCount: 1 })
  await act(() => queryClient.invalidateQueries())
  expect(await card.findByText(empty)).toBeDefined()
  expect(card.queryByRole('link')).toBeNull()
})

test('a reader of an empty catalogue is not offered steps that they may not take', async () => {
  answer(dashboardApi.stats, none)
  answer(dashboardApi.work, nothing)
  answer(dashboardApi.recentActivities, [])
  await open('/', { as: reader })
  const card = within(await screen.findByRole('region', { name: 'Needs work' }))
  expect(await card.findByText('Nothing to do')).toBeDefined()
})

test('activities offer Reset only if a type is chosen', async () => {
  answer(dashboardApi.activities, [])
  await open('/activities')
  await main().findByText('No activities found')
  expect(main().queryByRole('button', { name: 'Reset' })).toBeNull()
  cleanup()
  await open('/activities?type=RATING_ADDED')
  await userEvent.click(await main().findByRole('button', { name: 'Reset' }))
  await waitFor(() => expect(location.search).toBe(''))
})

test('drafts in this browser count as work, are listed by title, and can be discarded', async () => {
  const text = '{\n  "translations": { "en": { "title": "Half a \\"title\\"" } }\n}'
  keepDraft(reader._id, 'media/new', { id: 'a', text, base: '', at: new Date().toISOString() })
  const card = await openDashboard()
  await userEvent.click(await card.findByRole('link', { name: '1 of your drafts' }))
  const draft = await main().findByRole('link', { name: 'Half a "title"' })
  expect(draft.getAttribute('href')).toBe('/media/new')
  await userEvent.click(main().getByRole('button', { name: 'Discard the draft of Half a "title"' }))
  expect(await main().findByText('No drafts')).toBeDefined()
})

test('the second click of a double click does not discard the next draft', async () => {
  for (const entity of ['media/m1', 'media/m2'])
    keepDraft(reader._id, entity, { id: 'a', text: '{}', base: '', at: new Date().toISOString() })
  await open('/drafts', { as: reader })
  const discards = () => main().queryAllByRole('button', { name: /^Discard the draft/ })
  await waitFor(() => expect(discards()).toHaveLength(2))
  for (const detail of [1, 2]) fireEvent.click(discards()[0] as HTMLElement, { detail })
  expect(discards()).toHaveLength(1)
})

test('a draft of one text is named by it, and links to its entry; an invalid escape is shown as it is', async () => {
  const keep = (entity: string, text: string) =>
    keepDraft(reader._id, entity, { id: 'a', text, base: '', at: new Date().toISOString() })
  keep('work/media/m1/ja/title', 'こころ')
  keep('work/tags/t1/zh/description', '')
  keep('media/m2', '{ "title": "C:\\users" }')
  keep('media/compare', '{"translations":{"en":{"title":"Sanshiro"}}}')
  await open('/drafts')
  const links = await main().findAllByRole('link')
  const shown = links.map((link) => [link.textContent, link.getAttribute('href')])
  expect(shown).toEqual(
    expect.arrayContaining([
      ['こころ', '/media/m1'],
      ['Tag', '/tags/t1/edit'],
      ['C:\\users', '/media/m2/edit'],
      ['Sanshiro', '/media/compare'],
    ]),
  )
  expect(main().getByText('Media · Japanese ·')).toBeDefined()
})

test('a draft of a long text can be read whole, wherever its link leads', async () => {
  const beginning = 'あ'.repeat(80)
  const keep = (id: string, text: string) =>
    keepDraft(reader._id, `work/media/${id}/ja/description`, { id: 'a', text, base: '', at: new Date().toISOString() })
  keep('m1', `${beginning}い\nう`)
  keep('m2', 'こころ')
  await open('/drafts')
  expect(await main().findByRole('link', { name: beginning })).toBeDefined()
  // Only of the one that its link does not show whole.
  await userEvent.click(main().getByText('Full text'))
  const { textContent, lang } = main().getByText(/^あ+い/)
  expect([textContent, lang]).toEqual([`${beginning}い\nう`, 'ja'])
})

test('a draft without a title is named in the language of the console, without another for its glyphs', async () => {
  keepDraft(admin._id, 'media/new', { id: 'a', text: '{}', base: '', at: new Date().toISOString() })
  keepDraft(admin._id, 'work/media/m1/ja/title', { id: 'a', text: '心', base: '', at: new Date().toISOString() })
  await open('/drafts', { language: 'zh' })
  const langOf = async (name: RegExp) => (await main().findByRole('link', { name })).getAttribute('lang')
  expect(await langOf(/^新建/)).toBeNull()
  expect(await langOf(/^心$/)).toBe('ja')
})

test('groups consecutive activities of one user into a link to the filtered activities', async () => {
  await openDashboard()
  const grouped = await main().findByRole('link', { name: /^3 files uploaded: ?up-1\.png ?, ?up-2\.png ?…$/ })
  expect(grouped.getAttribute('href')).toBe('/activities?type=ASSET_CREATED')
  expect(main().getByRole('link', { name: 'Media created: Botchan' }).getAttribute('href')).toBe('/media/m1')
  await chooseLanguage('zh')
  expect(await main().findByRole('link', { name: /^上传了 3 个文件： ?up-1\.png ?、 ?up-2\.png ?…$/ })).toBeDefined()
  expect(main().getByRole('link', { name: '450 个缺少中文' })).toBeDefined()
})

test('activities are shown in the language of the user', async () => {
  const translations = { en: { name: 'Botchan' }, zh: { name: '少爷' } }
  const created = { type: 'MEDIA_CREATED', entityType: 'Media', entityId: 'm1', title: 'Botchan' } as const
  const answered = [activity(4, { ...created, translations }), activity(5, created)]
  answer(dashboardApi.activities, answered)
  answer(dashboardApi.recentActivities, answered)
  answer(dashboardApi.stats, stats)
  answer(dashboardApi.work, work)
  await open('/activities?type=MEDIA_CREATED')
  expect(await main().findAllByRole('link', { name: 'Media created: Botchan' })).toHaveLength(2)
  await chooseLanguage('zh')
  expect(await main().findByRole('link', { name: /^新建作品： ?少爷$/ })).toBeDefined()
  expect(main().getByText('少爷').getAttribute('lang')).toBe('zh')
  expect(main().getByRole('link', { name: /^新建作品： ?Botchan$/ })).toBeDefined()
  router.history.push('/')
  expect(await main().findByRole('link', { name: /： ?少爷 ?、 ?Botchan$/ })).toBeDefined()
})

test('activities of a type that only a newer server knows have its description and the default icon', async () => {
  answer(dashboardApi.stats, stats)
  answer(dashboardApi.work, work)
  // No type of this contract, which is why the compiler has to be told.
  const type = 'SERIES_STARTED' as ActivityType
  answer(dashboardApi.recentActivities, [
    activity(1, { type, entityType: 'Series', description: 'Series started: Kokoro' }),
    activity(2, { type, entityType: 'Series', description: 'Series started: Sanshiro' }),
  ])
  await open('/')
  for (const description of ['Series started: Kokoro', 'Series started: Sanshiro']) {
    const item = (await main().findByText(description)).closest('li')
    expect(item?.querySelector('svg')?.classList).toContain('lucide-history')
  }
})

test('an activity links to its user, and to its entity unless that is deleted', async () => {
  const gone = { type: 'MEDIA_CREATED', entityType: 'Media', entityId: 'm1', title: 'Botchan', isThere: false } as const
  answer(dashboardApi.activities, [activity(4, gone), activity(5, { userId: null, username: 'system' })])
  await open('/activities')
  await main().findByText('Botchan')
  expect(main().queryByRole('link', { name: /Botchan/ })).toBeNull()
  expect(main().getByRole('link', { name: 'admin' }).getAttribute('href')).toBe('/media?createdBy=u1')
  expect(main().queryByRole('link', { name: 'system' })).toBeNull()
})

test('shows the loading texts while data is loading', async () => {
  let go = () => undefined as void
  const held = new Promise<void>((resolve) => (go = resolve))
  const { fetch: answered } = globalThis
  vi.stubGlobal('fetch', async (...given: Parameters<typeof fetch>) => {
    if (typeof given[0] === 'string' && given[0].startsWith('/admin/')) await held
    return answered(...given)
  })
  await openDashboard()
  for (const text of ['Loading...', 'Loading chart data...', 'Loading recent activities...'])
    expect((await main().findAllByText(text)).length).toBeGreaterThan(0)
  go()
  expect(await main().findByText('Total characters in database')).toBeDefined()
})

test('the five newest activities are shown, each with an icon of its type, who did it and when', async () => {
  const types = ['MEDIA_CREATED', 'CHARACTER_CREATED', 'TRANSLATION_UPDATED', 'RATING_ADDED', 'TAG_CREATED'] as const
  answer(dashboardApi.stats, stats)
  answer(dashboardApi.work, work)
  answer(
    dashboardApi.recentActivities,
    [...types, ...types].map((type, at) => activity(at, { type, username: `user${at}` })),
  )
  await open('/')
  const card = within(await screen.findByRole('region', { name: 'Recent Activities' }))
  await card.findByText('user0')
  const rows = card.getAllByRole('listitem')
  expect(rows.map((row) => within(row).getByText(/^user/).textContent)).toEqual(types.map((_, at) => `user${at}`))
  expect(new Set(rows.map((row) => row.querySelector('svg')?.getAttribute('class'))).size).toBe(types.length)
  expect(rows.map((row) => row.querySelector('time')?.textContent).slice(0, 2)).toEqual([
    expect.stringMatching(/^March 4, 2026 at 12:00\sPM$/),
    expect.stringMatching(/^March 4, 2026 at 11:59\sAM$/),
  ])
})

test('another user, another activity type or a long pause starts a new group', () => {
  const sizes = (...activities: Activity[]) => groupActivities(activities).map((group) => group.activities.length)
  expect(sizes(activity(1), activity(2), activity(3))).toEqual([3])
  expect(sizes(activity(1), activity(2, { username: 'kay' }), activity(3))).toEqual([1, 1, 1])
  expect(sizes(activity(1), activity(2, { type: 'ASSET_DELETED' }))).toEqual([1, 1])
  expect(sizes(activity(1), activity(30))).toEqual([1, 1])
  expect(sizes()).toEqual([])
})

test('a sparkline stays within its height', () => {
  expect(pointsOf([0, 10])).toBe('1.0,16.0 63.0,2.0')
})
