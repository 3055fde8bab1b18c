// The profile screen.
import { authApi, type Me } from '@mokuroku/contract/auth'
import { newTier } from '@mokuroku/contract/tiers'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { router } from './routes.tsx'
import {
  admin,
  answer,
  requests,
  aTier,
  aUser,
  fail,
  findToast,
  hold,
  list,
  main,
  open,
  reader,
  withoutServer,
} from './testing.tsx'

withoutServer()

const moment = '2026-01-05T00:00:00.000Z'
const session = {
  _id: 's',
  address: '127.0.0.1',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
  createdAt: moment,
  lastSeen: moment,
  expiresAt: '2099-01-05T00:00:00.000Z',
  current: true,
}

beforeEach(() => {
  answer(authApi.profile, aUser({ _id: reader._id, username: reader.username }))
  answer(authApi.sessions, { data: [session] })
  list.tiers()
})

test('shows a taken name at its field, and keeps the input', async () => {
  const message = 'This username is already taken.'
  fail(authApi.updateProfile, 409, { code: 'duplicate', message, errors: [{ path: 'username', message }] })
  await open('/profile', { as: reader })
  const name = await main().findByLabelText<HTMLInputElement>('Username')
  await userEvent.clear(name)
  await userEvent.type(name, 'NATSUME')
  await userEvent.click(main().getByRole('button', { name: 'Save' }))
  expect(await main().findByText(message)).toBeDefined()
  expect(name.value).toBe('NATSUME')
  expect(name.getAttribute('aria-invalid')).toBe('true')
})

test.each([
  ['en', 'Change it in your account'],
  ['zh', '在您的账号中更改'],
] as const)('an administrator finds where to change their own email (%s)', async (language, name) => {
  answer(authApi.profile, aUser({ _id: admin._id, role: 'admin' }))
  await open('/profile', { language })
  expect((await main().findByRole('link', { name })).getAttribute('href')).toBe('/users/me/edit')
})

test('nothing can be typed while the name is being saved, which would be lost', async () => {
  answer(authApi.updateProfile, aUser({ _id: reader._id, username: 'soseki' }))
  const release = hold(authApi.updateProfile)
  await open('/profile', { as: reader })
  const name = await main().findByLabelText<HTMLInputElement>('Username')
  await userEvent.clear(name)
  await userEvent.type(name, 'soseki{Enter}')
  await waitFor(() => expect(name.readOnly).toBe(true))
  release()
  await waitFor(() => expect(name.readOnly).toBe(false))
})

test('an unchanged name is not saved, and Save says why', async () => {
  await open('/profile', { as: reader })
  const name = await main().findByLabelText('Username')
  await userEvent.type(name, 'x{Backspace}{Enter}')
  await findToast('No changes to save.')
  expect(requests.filter(({ method }) => method === 'PUT')).toEqual([])
  await userEvent.type(name, 'x')
  expect(main().getByRole('button', { name: 'Save' }).getAttribute('aria-disabled')).not.toBe('true')
})

test('a button that shows a password says what it does next', async () => {
  await open('/profile', { as: reader })
  const [button] = await main().findAllByRole('button', { name: 'Show password' })
  await userEvent.click(button ?? main().getByRole('form'))
  expect(button?.getAttribute('aria-label')).toBe('Hide password')
  expect(button?.getAttribute('aria-pressed')).toBeNull()
  expect(main().getByLabelText<HTMLInputElement>('Current password').type).toBe('text')
})

test('says once that the session has ended, whatever is saved', async () => {
  fail(authApi.updateProfile, 401)
  fail(authApi.changePassword, 401)
  await open('/profile', { as: reader })
  await userEvent.type(await main().findByLabelText('Username'), 'x')
  await userEvent.type(main().getByLabelText('Current password'), 'old password')
  await userEvent.type(main().getByLabelText('New password'), 'new password')
  const save = main().getByRole('button', { name: 'Save' })
  const change = main().getByRole('button', { name: 'Change password' })
  save.click()
  change.click()
  await findToast('Session expired. Please login again.')
  await waitFor(() => expect(requests.filter(({ method }) => method === 'PUT')).toHaveLength(2))
  expect(screen.getByRole('log').children).toHaveLength(1)
})

test('after a lost response, a wrong password may be the one that was just changed', async () => {
  const wrong = { errors: [{ path: 'current', message: 'Incorrect', code: 'wrongPassword' }] }
  fail(authApi.changePassword, 400, wrong)
  await open('/profile', { as: reader })
  await userEvent.type(await main().findByLabelText('Current password'), 'old password')
  await userEvent.type(main().getByLabelText('New password'), 'new password')
  const change = main().getByRole('button', { name: 'Change password' })
  await userEvent.click(change)
  expect(await main().findByText('The current password is incorrect.')).toBeDefined()
  fail(authApi.changePassword, 0)
  await userEvent.click(change)
  await findToast('Failed to change the password')
  fail(authApi.changePassword, 400, wrong)
  await userEvent.click(change)
  expect(await main().findByText(/may have changed the password/)).toBeDefined()
})

test('explains why uploads are not permitted', async () => {
  const as: Me = { ...reader, permissions: { ...reader.permissions, maxUploadSizeMB: 0 } }
  await open('/profile', { as })
  await userEvent.click(await main().findByRole('button', { name: 'Choose image' }))
  expect(await findToast('Your tier “Reader” does not allow uploads.')).toBeDefined()
  expect(requests.filter(({ method }) => method !== 'GET')).toEqual([])
})

test('explains a missing permission, and names the next tier that includes it', async () => {
  const plain = newTier().permissions
  const mine = { ...plain, canCreateMedia: true }
  list.tiers(
    aTier({ name: 'Reader', requiredScore: 100, permissions: mine }),
    aTier({ _id: 't', name: 'Tagger', requiredScore: 1150, permissions: { ...mine, canCreateTag: true } }),
  )
  await open('/profile', { as: { ...reader, scores: 110, permissions: mine } })
  const card = within(await main().findByRole('region', { name: 'Your permissions' }))
  const right = async (name: string) => (await card.findByText(name)).closest('div')?.textContent
  expect((await card.findAllByText('Reader')).length).toBeGreaterThan(0)
  expect(card.getByText('Only administrators can raise a score or change what a tier includes.')).toBeDefined()
  expect(await right('Create media')).toContain('Yes')
  expect(await right('Create tags')).toContain('No')
  await waitFor(async () =>
    expect(await right('Create tags')).toContain(
      'Your tier “Reader” does not include this. Tier “Tagger” does; it requires a score of 1,150, and yours is 110.',
    ),
  )
  expect(await right('Upload files')).toContain('Up to 2 MB')
  expect(await right('Manage users, score permissions and settings')).toContain('Administrators only.')
})

test('shows the permissions of now, even if the tier has changed since signing in', async () => {
  await open('/', { as: reader })
  answer(authApi.verify, { success: true, user: { ...reader, tier: 'Curator', scores: 2000 } })
  await router.navigate({ to: '/profile' })
  const card = within(await main().findByRole('region', { name: 'Your permissions' }))
  expect(await card.findByText('Curator')).toBeDefined()
  expect(card.getByText('2,000')).toBeDefined()
})

test('the buttons that end sessions of one browser have different names', async () => {
  const other = { ...session, current: false }
  answer(authApi.sessions, {
    data: [session, { ...other, _id: 'o' }, { ...other, _id: 'p', createdAt: '2026-01-06T00:00:00.000Z' }],
  })
  await open('/profile')
  const buttons = await main().findAllByRole('button', { name: /^Sign out Firefox on Linux, signed in / })
  expect(buttons).toHaveLength(3)
  const [, second, third] = buttons.map((each) => each.getAttribute('aria-label'))
  expect(second).not.toBe(third)
})

test('the first ten sessions are shown, and all on request', async () => {
  answer(authApi.sessions, {
    data: Array.from({ length: 200 }, (_, at) => ({ ...session, _id: `s${at}`, current: at === 150 })),
  })
  await open('/profile')
  const card = within(await main().findByRole('region', { name: 'Sessions' }))
  expect(await card.findByText('This session')).toBeDefined()
  expect(card.getAllByRole('row')).toHaveLength(1 + 10)
  await userEvent.click(card.getByRole('button', { name: 'Show all 200' }))
  expect(card.getAllByRole('row')).toHaveLength(1 + 200)
  await userEvent.click(card.getByRole('button', { name: 'Show fewer' }))
  expect(card.getAllByRole('row')).toHaveLength(1 + 10)
})

test('shows an error when the sessions fail to load, and loads them on Retry', async () => {
  fail(authApi.sessions, 500, { message: 'out of order' })
  await open('/profile', { as: reader })
  expect(await main().findByText('Failed to load your sessions')).toBeDefined()
  answer(authApi.sessions, { data: [session] })
  const card = within(main().getByRole('region', { name: 'Sessions' }))
  await userEvent.click(card.getByRole('button', { name: 'Retry' }))
  expect(await card.findByText('This session')).toBeDefined()
  expect(screen.queryByText('Failed to load your sessions')).toBeNull()
})
