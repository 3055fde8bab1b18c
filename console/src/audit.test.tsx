// What the audit log shows, and how it is filtered.
import { auditApi, type AuditRow } from '@mokuroku/contract/audit'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { router } from './routes.tsx'
import { answer, requests, currentUrl, main, open, reader, select, withoutServer } from './testing.tsx'

withoutServer()

const ID = '0b0b0b0b-0000-4000-8000-000000000000'
const anEntry = (given: Partial<AuditRow> = {}): AuditRow => ({
  seq: 7,
  _id: 'e',
  createdAt: '2026-01-05T00:00:00.000Z',
  area: 'access',
  action: 'access.forbidden',
  outcome: 'refused',
  actorId: ID,
  actorName: 'natsume',
  session: 's',
  address: '127.0.0.1',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
  entityType: 'User',
  entityId: ID,
  label: 'natsume',
  details: { route: 'PUT /api/users/:id', reason: 'Only administrators can do this.' },
  hash: 'f'.repeat(64),
  avatar: '',
  ...given,
})
const shows = (...data: AuditRow[]) => answer(auditApi.list, { data, older: null, newer: null })
const rows = async () => {
  await main().findByRole('table', { name: 'Audit Log' })
  return main()
    .getAllByRole('row')
    .filter((row) => row.closest('tbody'))
}
const queries = () => requests.filter(({ path }) => path === auditApi.list.path).map(({ query }) => query)

beforeEach(() => {
  answer(auditApi.state, { entries: 7, deletedSeq: 0, hash: 'f'.repeat(64), checked: null })
  shows(anEntry())
})

test('filters are kept in the URL, start from the newest entries, and are cleared by Reset', async () => {
  await open('/audit?before=9')
  await rows()
  await userEvent.selectOptions(select('Outcome'), 'Refused')
  await waitFor(() => expect(currentUrl()).toBe('/audit?outcome=refused'))
  await userEvent.type(main().getByRole('searchbox', { name: 'Search the audit log' }), 'nat')
  await waitFor(() => expect(currentUrl()).toBe('/audit?outcome=refused&search=nat'))
  const [row] = await rows()
  expect(row?.textContent).toContain('Was denied access')
  shows()
  await userEvent.selectOptions(select('Category'), 'Settings')
  expect(await main().findByText('No entries found')).toBeDefined()
  expect(main().getByText('No entries match these filters.')).toBeDefined()
  expect(queries().at(-1)).toMatchObject({ area: 'settings', outcome: 'refused', search: 'nat' })
  shows(anEntry())
  router.history.back()
  expect(await rows()).toHaveLength(1)
  await userEvent.type(main().getByLabelText('From'), '2026-01-05')
  await userEvent.type(main().getByLabelText('To'), '2026-01-05')
  await waitFor(() => expect(currentUrl()).toMatch(/from=.*&outcome=refused&search=.*&to=/))
  await userEvent.click(main().getAllByRole('button', { name: 'Reset' })[0] ?? document.body)
  await waitFor(() => expect(currentUrl()).toBe('/audit'))
})

test('a date is kept while its year is typed, and filters once it is complete', async () => {
  await open('/audit')
  await rows()
  const from = main().getByLabelText<HTMLInputElement>('From')
  for (const value of ['0002-01-05', '0020-01-05', '0202-01-05']) {
    fireEvent.change(from, { target: { value } })
    expect(from.value).toBe(value)
  }
  expect(currentUrl()).toBe('/audit')
  fireEvent.change(from, { target: { value: '2026-01-05' } })
  await waitFor(() => expect(currentUrl()).toContain('from=2026-01-0'))
  expect(from.value).toBe('2026-01-05')
  router.history.back()
  await waitFor(() => expect(from.value).toBe(''))
})

test('the details of an entry lead to all entries by the same user', async () => {
  await open('/audit?outcome=refused&search=nat')
  await rows()
  await userEvent.click(main().getByRole('button', { name: 'Was denied access' }))
  const details = within(await screen.findByRole('dialog'))
  for (const text of [ID, 'access.forbidden', 'PUT /api/users/:id', 'Hash'])
    expect(screen.getByRole('dialog').textContent).toContain(text)
  await userEvent.click(details.getByRole('button', { name: 'All by natsume' }))
  await waitFor(() => expect(currentUrl()).toContain(`actor=${ID}`))
  await userEvent.click(await main().findByRole('button', { name: 'Clear filter: By natsume' }))
  await waitFor(() => expect(currentUrl()).toBe('/audit?outcome=refused&search=nat'))
})

test('Next shows older entries, Previous shows newer ones', async () => {
  answer(auditApi.list, ({ query: { before } }) =>
    before
      ? { data: [anEntry({ seq: 3 })], older: null, newer: 3 }
      : { data: [anEntry({ seq: 9 })], older: 4, newer: null },
  )
  await open('/audit?area=audit')
  const numbers = () => main().findByText(/^Entries [\d,]+ to [\d,]+$/)
  const first = (await numbers()).textContent
  await userEvent.click(main().getByRole('button', { name: 'Next' }))
  await waitFor(() => expect(currentUrl()).toMatch(/before=4/))
  await waitFor(async () => expect((await numbers()).textContent).not.toBe(first))
  await userEvent.click(main().getByRole('button', { name: 'Previous' }))
  await waitFor(() => expect(currentUrl()).toMatch(/after=3/))
  await waitFor(async () => expect((await numbers()).textContent).toBe(first))
})

test('a moderator sees why access is denied, and has no sidebar link', async () => {
  await open('/audit', { as: { ...reader, role: 'moderator' } })
  expect(await main().findByText('Access denied. You do not have permission for this action.')).toBeDefined()
  expect(main().getByText('Only administrators can read the audit log.')).toBeDefined()
  expect(main().queryByRole('table')).toBeNull()
  expect(screen.queryByRole('link', { name: 'Audit Log' })).toBeNull()
  expect(queries()).toEqual([])
})

test('a log of one entry says so in the singular', async () => {
  answer(auditApi.state, { entries: 1, deletedSeq: 0, hash: 'f'.repeat(64), checked: null })
  await open('/audit')
  expect(await main().findByText('1 entry')).toBeDefined()
})

test.each([
  [
    'en',
    'Cancelled: Send an email',
    'Mail: The mail server cannot be reached',
    'Media: Only administrators can do this.',
  ],
  ['zh', '取消：发送邮件', '邮件：无法连接邮件服务器', 'Media：只有管理员可以执行此操作。'],
] as const)('what the server recorded as a code is shown in words: %s', async (language, ...expected) => {
  const settings = { area: 'settings', outcome: 'failed' } as const
  shows(
    anEntry({ ...settings, action: 'settings.jobChanged', details: { what: 'cancel', kind: 'mail.send' } }),
    anEntry({ ...settings, _id: 'f', action: 'settings.tested', details: { what: 'mail', code: 'unreachable' } }),
    anEntry({ _id: 'g', label: 'Media', details: { reason: 'Only administrators can do this.' } }),
  )
  await open('/audit', { language })
  for (const text of expected) expect(await main().findByText(text, { exact: false })).toBeDefined()
})

test('the audit log is shown in Chinese', async () => {
  shows(
    anEntry({ area: 'signIn', action: 'signIn.done', outcome: 'ok', details: {} }),
    anEntry({
      _id: 'f',
      seq: 8,
      action: 'ai.called',
      outcome: 'ok',
      details: { model: 'm-1', inputTokens: 1000, outputTokens: 234 },
    }),
    anEntry({ _id: 'g', seq: 9 }),
  )
  await open('/audit', { language: 'zh' })
  expect(await screen.findByRole('heading', { level: 1, name: '审计日志' })).toBeDefined()
  expect(await main().findByRole('button', { name: '登录' })).toBeDefined()
  expect(main().getByText('m-1、1,234 Token').closest('[lang]')?.getAttribute('lang')).toMatch(/^zh/)
  expect(
    main()
      .getByText(/只有管理员/)
      .closest('[lang]')
      ?.getAttribute('lang'),
  ).toMatch(/^zh/)
  expect(await main().findByRole('button', { name: '校验' })).toBeDefined()
  await userEvent.click(main().getByRole('button', { name: '登录' }))
  expect((await screen.findByRole('dialog')).textContent).toContain('用户 · natsume')
})
