// The list of users, and their editor.
import { tiersApi } from '@mokuroku/contract/tiers'
import { type User, usersApi } from '@mokuroku/contract/users'
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test } from 'vitest'
import { router } from './routes.tsx'
import {
  answer,
  requests,
  aTier,
  aUser,
  button,
  fail,
  findToast,
  hold,
  currentUrl,
  list,
  main,
  open,
  optionsOf,
  problems,
  reader,
  select,
  withoutServer,
  write,
} from './testing.tsx'

withoutServer()

const me = aUser({ _id: 'me', username: 'mori', role: 'admin' })
const rows = async () => {
  await main().findByRole('table', { name: 'Users' })
  return main()
    .getAllByRole('row')
    .filter((row) => row.closest('tbody'))
}
const searchBox = () => main().getByRole<HTMLInputElement>('searchbox', { name: 'Search users' })
const save = () => userEvent.click(button('Save Changes'))
/** The fields of a user in the editor. */
const input = ({ username, email, role, isActive, avatar, scores }: User) => ({
  username,
  email,
  role,
  isActive,
  avatar,
  scores,
})
/** The queries of the list. */
const queries = () => requests.filter(({ path }) => path === usersApi.list.path).map(({ query }) => query)

describe('the list', () => {
  beforeEach(() => list.users(aUser()))

  test('shows role, status, scores and dates of each user', async () => {
    list.users(
      aUser({ scores: 12_345, tier: 'Curator', lastLogin: '2026-02-03T00:00:00.000Z' }),
      aUser({ _id: 'v', username: 'soseki', role: 'moderator', isActive: false }),
      aUser({ _id: 'w', username: 'ogai', role: 'admin' }),
    )
    await open('/users')
    const [member, moderator, admin] = (await rows()).map((row) => row.textContent)
    expect(
      main()
        .getAllByRole('columnheader')
        .map(({ textContent }) => textContent),
    ).toEqual(['User', 'Role', 'Status', 'Score', 'Last Login', 'Created', 'Actions'])
    for (const text of ['natsume@example.org', 'User', 'Active', '12,345', 'Curator', '2026-02-03', '2026-01-05'])
      expect(member).toContain(text)
    for (const text of ['Moderator', 'Inactive', 'Never']) expect(moderator).toContain(text)
    expect(admin).toContain('Admin')
  })

  test('is filtered by role, status and search, kept in the URL until Reset', async () => {
    await open('/users')
    await rows()
    expect(optionsOf('Role')).toEqual(['All Roles', 'User', 'Admin', 'Moderator'])
    expect(optionsOf('Status')).toEqual(['All Status', 'Active', 'Inactive'])
    await userEvent.type(searchBox(), '  nat ')
    await waitFor(() => expect(currentUrl()).toBe('/users?search=nat'))
    await userEvent.selectOptions(select('Role'), 'Moderator')
    await waitFor(() => expect(currentUrl()).toBe('/users?role=moderator&search=nat'))
    await userEvent.selectOptions(select('Status'), 'Active')
    await waitFor(() => expect(currentUrl()).toBe('/users?isActive=true&role=moderator&search=nat'))
    await waitFor(() => expect(queries().at(-1)).toMatchObject({ isActive: 'true', role: 'moderator', search: 'nat' }))
    router.history.back()
    await waitFor(() => expect(select('Status').value).toBe(''))
    expect(select('Role').value).toBe('moderator')
    expect(searchBox().value.trim()).toBe('nat')
    await userEvent.click(button('Reset'))
    await waitFor(() => expect(currentUrl()).toBe('/users'))
    expect(searchBox().value).toBe('')
  })

  test('is sorted by its columns, and keeps the order in the URL', async () => {
    await open('/users?search=nat')
    await rows()
    const head = (name: string) => main().getByRole('columnheader', { name: new RegExp(`^${name}`) })
    const sort = (name: string) => userEvent.click(within(head(name)).getByRole('button'))
    expect(main().getByText('Best match first')).toBeDefined()
    expect(head('Created').getAttribute('aria-sort')).toBe('none')
    for (const [name, order] of [
      ['User', 'username'],
      ['User', '-username'],
      ['User', undefined],
      ['Score', '-scores'],
      ['Created', '-createdAt'],
      ['Created', 'createdAt'],
    ] as const) {
      await sort(name)
      await waitFor(() => expect(currentUrl()).toBe(`/users?search=nat${order ? `&sort=${order}` : ''}`))
      await waitFor(() => expect(queries().some((query) => query.sort === order)).toBe(true))
    }
    expect(main().queryByText('Best match first')).toBeNull()
    expect(head('Created').getAttribute('aria-sort')).toBe('ascending')
  })

  test.each([
    ['a double click', [1, 2]],
    ['two presses in the same moment', [1, 1]],
  ])('%s sends the call of a button once', async (_, details) => {
    list.users(aUser({ username: 'natsume' }))
    answer(usersApi.update, aUser({ username: 'natsume', isActive: false }))
    await open('/users')
    const toggle = await main().findByRole('button', { name: 'Deactivate natsume' })
    act(() => {
      for (const detail of details) toggle.dispatchEvent(new MouseEvent('click', { bubbles: true, detail }))
    })
    await screen.findAllByText('natsume is deactivated and signed out')
    expect(requests.filter(({ method }) => method === 'PUT')).toHaveLength(1)
  })

  test('lets nobody deactivate or delete their own account', async () => {
    list.users(me)
    await open('/users')
    await rows()
    for (const verb of ['Deactivate', 'Delete']) {
      expect(button(`${verb} mori`).getAttribute('aria-disabled')).toBe('true')
      expect(button(`${verb} mori`).title).toBe('You cannot deactivate or delete your own account.')
    }
  })

  test('sets no score before the tiers are loaded', async () => {
    list.users(aUser({ scores: 500, tier: 'Curator' }))
    const release = hold(tiersApi.list)
    list.tiers(aTier({ name: 'Curator', requiredScore: 400 }))
    await open('/users')
    await userEvent.click(await main().findByRole('button', { name: 'Set the tier of natsume' }))
    const dialog = within(await screen.findByRole('dialog'))
    const setTier = dialog.getByRole('button', { name: 'Set tier' })
    const tier = dialog.getByRole<HTMLSelectElement>('combobox')
    expect(document.activeElement).toBe(tier)
    expect([setTier.getAttribute('aria-disabled'), tier.textContent]).toEqual(['true', '…'])
    release()
    await waitFor(() => expect(setTier.getAttribute('aria-disabled')).not.toBe('true'))
    expect(tier.value).toBe('400')
  })

  test.each([
    ['if they fail to load', () => fail(tiersApi.list)],
    ['if none is active', () => list.tiers(aTier({ isActive: false }))],
  ])('shows the score instead of the tiers %s', async (_, given) => {
    list.users(aUser({ scores: 500 }))
    given()
    await open('/users')
    await userEvent.click(await main().findByRole('button', { name: 'Set the tier of natsume' }))
    const dialog = within(await screen.findByRole('dialog'))
    await waitFor(() => expect(dialog.getByRole('combobox').textContent).toBe('500'))
  })

  test('is read-only for a user, and hides email addresses', async () => {
    const { email: _email, lastLogin: _lastLogin, ...seen } = aUser()
    list.users(seen)
    await open('/users', { as: reader })
    const [row] = await rows()
    expect(row?.textContent).toContain('Visible to administrators and moderators only')
    expect(searchBox().placeholder).toBe('Search by name')
    for (const name of ['Add New User', 'Deactivate natsume', 'Edit natsume', 'Delete natsume'])
      expect(button(name).getAttribute('aria-disabled')).toBe('true')
    button('Add New User').focus()
    await userEvent.keyboard('{Enter}')
    expect(await findToast('Only administrators can change accounts.')).toBeDefined()
  })

  test('is shown in Chinese, and so is the editor', async () => {
    list.users(aUser({ role: 'moderator' }))
    answer(usersApi.find, aUser())
    await open('/users', { language: 'zh' })
    expect(await screen.findByRole('heading', { level: 1, name: '用户' })).toBeDefined()
    expect(await main().findByRole('cell', { name: '审核员' })).toBeDefined()
    expect(main().getByText('从未')).toBeDefined()
    router.history.push('/users/u/edit')
    expect(await screen.findByRole('heading', { level: 1, name: '编辑用户' })).toBeDefined()
  })
})

describe('a server error', () => {
  const message = 'You cannot demote, deactivate or delete the last active administrator.'
  const admin = aUser({ role: 'admin' })

  test('about the last administrator is shown on every screen', async () => {
    list.users(admin)
    answer(usersApi.find, admin)
    for (const route of [usersApi.update, usersApi.remove]) fail(route, 409, { code: 'lastAdmin', message })
    await open('/users')
    await rows()
    await userEvent.click(button('Deactivate natsume'))
    expect((await findToast('Failed to update user')).textContent).toContain(message)
    await userEvent.click(button('Delete natsume'))
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
    expect((await findToast('Failed to delete user')).textContent).toContain(message)
    router.history.push('/users/u/edit')
    await write({ ...input(admin), role: 'user' })
    await save()
    await waitFor(() => expect(problems()).toContain(`role: ${message}`))
    await write({ ...input(admin), isActive: false })
    await save()
    await waitFor(() => expect(problems()).toContain(`isActive: ${message}`))
  })

  test.each([
    ['email', 'This email address is already in use.'],
    ['username', 'This username is already taken.'],
  ])('about a taken %s of a new user is shown at its field', async (path, sentence) => {
    const taken = { code: 'duplicate', message: sentence, errors: [{ path, message: sentence }] }
    answer(usersApi.find, aUser())
    fail(usersApi.create, 409, taken)
    fail(usersApi.update, 409, taken)
    await open('/users/new')
    await write({ username: 'soseki', email: 'SOSEKI@example.org', password: 'a good password' })
    await save()
    await waitFor(() => expect(problems()).toContain(`${path}: ${sentence}`))
    expect((await findToast('Failed to create user')).textContent).toContain(sentence)
    expect(document.querySelectorAll('.cm-lintRange-error')).toHaveLength(1)
    await write({ username: 'ogai', email: 'ogai@example.org', password: 'a good password' })
    await waitFor(() => expect(document.querySelector('#problems')?.hasAttribute('hidden')).toBe(true))
  })

  test('about a taken name is shown in the editor of a user', async () => {
    const sentence = 'This username is already taken.'
    answer(usersApi.find, aUser())
    fail(usersApi.update, 409, {
      code: 'duplicate',
      message: sentence,
      errors: [{ path: 'username', message: sentence }],
    })
    await open('/users/u/edit')
    await write({ ...input(aUser()), username: 'soseki' })
    await save()
    await waitFor(() => expect(problems()).toContain(`username: ${sentence}`))
    expect(await findToast('Failed to update user')).toBeDefined()
  })

  test('about one’s own role, score or status is shown at the value', async () => {
    answer(usersApi.find, me)
    fail(usersApi.update, 403, { code: 'forbidden', message: 'Access denied.' })
    await open('/users/me/edit')
    await write({ ...input(me), role: 'moderator' })
    await save()
    await waitFor(() => expect(problems()).toContain('role: You cannot change your own role.'))
    expect((await findToast('Failed to update user')).textContent).toContain(
      'Access denied. You do not have permission for this action.',
    )
    await write({ ...input(me), scores: 7 })
    await save()
    await waitFor(() => expect(problems()).toContain('scores: You cannot change your own score.'))
    fail(usersApi.update, 409, { code: 'self', message: 'No.' })
    await write({ ...input(me), isActive: false })
    await save()
    await waitFor(() => expect(problems()).toContain('isActive: You cannot deactivate or delete your own account.'))
  })
})

test('renaming oneself updates the user menu immediately', async () => {
  answer(usersApi.find, me)
  answer(usersApi.update, { ...me, username: 'mori_now', version: 2 })
  list.users(me)
  await open('/users/me/edit')
  await write({ ...input(me), username: 'mori_now' })
  await save()
  expect(await findToast('User updated successfully')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'User menu' }))
  expect((await screen.findByRole('menu')).textContent).toContain('mori_now')
})
