// Inviting users, and the screen where an invited user accepts.
import { authApi } from '@mokuroku/contract/auth'
import { invitationsApi } from '@mokuroku/contract/invitations'
import { usersApi } from '@mokuroku/contract/users'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import {
  aTier,
  aUser,
  answer,
  requests,
  fail,
  findToast,
  list,
  main,
  open,
  reader,
  visit,
  withoutServer,
} from './testing.tsx'

withoutServer()

/** Opens the dialog on the list of users, with three tiers. */
async function dialog(isConfigured = true) {
  list.users(aUser())
  list.tiers(
    aTier({ _id: 'b', name: 'Editor', requiredScore: 1000 }),
    aTier({ _id: 'a', name: 'Newcomer', requiredScore: 0 }),
    aTier({ _id: 'c', name: 'Former', requiredScore: 500, isActive: false }),
  )
  answer(invitationsApi.mail, { isConfigured })
  await open('/users')
  await userEvent.click(await main().findByRole('button', { name: 'Invite' }))
  return within(await screen.findByRole('dialog', { name: 'Invite a user' }))
}

const posted = () => requests.findLast(({ method }) => method === 'POST')

test('an invitation sends the score of the chosen tier, and no password', async () => {
  const inside = await dialog()
  const tier = inside.getByLabelText<HTMLSelectElement>('Tier')
  await waitFor(() =>
    expect([...tier.options].map(({ text }) => text)).toEqual(['Newcomer (from 0)', 'Editor (from 1,000)']),
  )
  await userEvent.selectOptions(tier, 'Editor (from 1,000)')
  await userEvent.type(inside.getByLabelText('Username'), 'soseki')
  await userEvent.type(inside.getByLabelText('Email'), 'soseki@example.org')
  answer(
    invitationsApi.invite,
    aUser({ email: 'soseki@example.org', invitation: { expiresAt: '2026-01-12T00:00:00.000Z' } }),
  )
  await userEvent.click(inside.getByRole('button', { name: 'Send invitation' }))
  await findToast('Invitation sent to soseki@example.org')
  const body = { username: 'soseki', email: 'soseki@example.org', role: 'user', scores: 1000, language: 'en' }
  expect(posted()).toMatchObject({ path: '/api/users/invite', body })
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('hides the tier when a moderator is invited', async () => {
  const inside = await dialog()
  await userEvent.selectOptions(inside.getByLabelText('Role'), 'Moderator')
  expect(inside.queryByLabelText('Tier')).toBeNull()
})

test('shows invalid and taken values at their fields', async () => {
  const inside = await dialog()
  await userEvent.type(inside.getByLabelText('Username'), 'x')
  await userEvent.type(inside.getByLabelText('Email'), 'nobody')
  await userEvent.click(inside.getByRole('button', { name: 'Send invitation' }))
  expect(inside.getByLabelText('Username').getAttribute('aria-invalid')).toBe('true')
  expect(inside.getByLabelText('Email').getAttribute('aria-invalid')).toBe('true')
  expect(posted()).toBeUndefined()
  await userEvent.type(inside.getByLabelText('Username'), 'yz')
  await userEvent.clear(inside.getByLabelText('Email'))
  await userEvent.type(inside.getByLabelText('Email'), 'taken@example.org')
  fail(invitationsApi.invite, 409, { code: 'duplicate', message: 'x', errors: [{ path: 'email', message: 'x' }] })
  await userEvent.click(inside.getByRole('button', { name: 'Send invitation' }))
  expect(await inside.findByText('This email address is already in use.')).toBeDefined()
})

test('shows a note if no mail server is set up', async () => {
  const inside = await dialog(false)
  expect((await inside.findByText(/^No mail server is set up/)).closest('[role="note"]')).not.toBeNull()
})

test('disables Invite without permission', async () => {
  list.users(aUser())
  await open('/users', { as: reader })
  const button = await main().findByRole('button', { name: 'Invite' })
  expect(button.getAttribute('aria-disabled')).toBe('true')
})

test('the list shows pending and expired invitations, and sends one again', async () => {
  list.users(
    aUser({
      _id: 'i',
      username: 'soseki',
      email: 's@example.org',
      invitation: { expiresAt: '2026-01-12T00:00:00.000Z' },
    }),
    aUser({ _id: 'o', username: 'ogai', invitation: { expiresAt: null } }),
  )
  answer(invitationsApi.mail, { isConfigured: true })
  await open('/users')
  expect(await main().findByText('Invited')).toBeDefined()
  expect(main().getByText('Link expired')).toBeDefined()
  answer(invitationsApi.inviteAgain, aUser({ email: 's@example.org' }))
  await userEvent.click(main().getByRole('button', { name: 'Resend the invitation to soseki' }))
  await findToast('Invitation sent to s@example.org')
  expect(posted()?.path).toBe('/api/users/i/invite')
})

test.each([
  ['en', 'The invitation to s@example.org was saved in the outbox folder', 'Resend the invitation to soseki'],
  ['zh', '发往 s@example.org 的邀请已保存在 outbox 文件夹中', '重新邀请 soseki'],
] as const)('without a mail server, says that an invitation is in the outbox (%s)', async (language, said, again) => {
  const invited = aUser({ username: 'soseki', email: 's@example.org', invitation: { expiresAt: null } })
  list.users(invited)
  answer(invitationsApi.mail, { isConfigured: false })
  answer(invitationsApi.inviteAgain, invited)
  await open('/users', { language })
  await userEvent.click(await main().findByRole('button', { name: again }))
  await findToast(said)
})

test('setting the tier of a user sets the score, and Undo restores it', async () => {
  list.users(aUser({ scores: 12 }))
  list.tiers(aTier({ _id: 'a', name: 'Newcomer', requiredScore: 0 }), aTier({ _id: 'b', requiredScore: 1000 }))
  await open('/users')
  await userEvent.click(await main().findByRole('button', { name: 'Set the tier of natsume' }))
  const inside = within(await screen.findByRole('dialog', { name: 'Set the tier of natsume' }))
  const tier = inside.getByLabelText<HTMLSelectElement>('Tier')
  await waitFor(() => expect(tier.options).toHaveLength(2))
  expect(inside.getByText('The score changes from 12 to 0.')).toBeDefined()
  await userEvent.selectOptions(tier, 'Editor (from 1,000)')
  answer(usersApi.update, aUser({ version: 2, scores: 1000, tier: 'Editor' }))
  await userEvent.click(inside.getByRole('button', { name: 'Set tier' }))
  const toast = await findToast('natsume is now in Editor')
  answer(usersApi.update, aUser({ version: 3, scores: 12 }))
  await userEvent.click(within(toast).getByRole('button', { name: 'Undo' }))
  await findToast('natsume is now in Newcomer')
  const puts = requests.filter(({ method }) => method === 'PUT')
  expect(puts).toMatchObject([
    { base: '"1"', body: { scores: 1000 } },
    { base: '"2"', body: { scores: 12 } },
  ])
})

test('an invited user sets a password, and gets a link to sign in', async () => {
  answer(authApi.resetPassword, { success: true })
  await visit('/invitation#token=secret')
  await userEvent.type(await screen.findByLabelText('Password'), 'a password of my own')
  await userEvent.click(screen.getByRole('button', { name: 'Set password' }))
  expect(await screen.findByRole('heading', { name: 'Your password is set' })).toBeDefined()
  expect(posted()?.body).toEqual({ token: 'secret', password: 'a password of my own' })
  expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/login')
})

test('an expired invitation says so, in Chinese', async () => {
  fail(authApi.resetPassword, 400, { code: 'link', message: 'x' })
  await visit('/invitation#token=secret', 'zh')
  await userEvent.type(await screen.findByLabelText('密码'), 'a password of my own')
  await userEvent.click(screen.getByRole('button', { name: '设置密码' }))
  expect(await screen.findByRole('heading', { name: '此邀请已失效' })).toBeDefined()
})
