import { type Comment, commentsApi } from '@mokuroku/contract/comments'
import { mediaApi } from '@mokuroku/contract/media'
import { usersApi } from '@mokuroku/contract/users'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { endLocalSession } from '#api/session.ts'
import {
  admin,
  aMedia,
  answer,
  requests,
  aUser,
  fail,
  failMissing,
  failOnce,
  findToast,
  hold,
  list,
  main,
  open,
  signInAgain,
  withoutServer,
} from './testing.tsx'

withoutServer()

const person = (username: string) => ({ _id: username, username, avatar: '' })
const aComment = (given: Partial<Comment> = {}): Comment => ({
  _id: 'k1',
  entityType: 'Media',
  entityId: 'm',
  text: 'Ask @Mori Ogai about <b>this</b>.',
  version: 1,
  mentions: [{ _id: 'x', username: 'mori ogai' }],
  author: person('natsume'),
  createdAt: '2026-01-05T00:00:00.000Z',
  editedAt: null,
  resolvedAt: null,
  resolvedBy: null,
  canEdit: false,
  canResolve: true,
  canDelete: false,
  ...given,
})

/** The comments on the media item, as the server stores them. */
function stored(...comments: Comment[]) {
  let rows = comments
  answer(mediaApi.find, aMedia())
  const isOpen = ({ resolvedAt }: Comment) => resolvedAt === null
  answer(commentsApi.counts, () => {
    const count = rows.filter(isOpen).length
    return { data: count > 0 ? [{ entityId: 'm', open: count }] : [] }
  })
  answer(commentsApi.list, ({ query }) => ({ data: rows.filter((row) => isOpen(row) === (query.state === 'open')) }))
  answer(commentsApi.create, ({ body }) => {
    const made = aComment({ _id: 'k9', text: (body as Comment).text, author: person('mori'), canEdit: true })
    rows = [...rows, made]
    return made
  })
  answer(commentsApi.update, ({ path, body }) => {
    const { text, resolved } = body as { text?: string; resolved?: boolean }
    rows = rows.map((row) => ({
      ...row,
      ...(path.endsWith(row._id) && text !== undefined && { text, editedAt: row.createdAt }),
      ...(path.endsWith(row._id) &&
        resolved !== undefined && {
          resolvedAt: resolved ? row.createdAt : null,
          resolvedBy: resolved ? person('mori') : null,
        }),
    }))
    return rows.find(({ _id }) => path.endsWith(_id)) ?? aComment()
  })
  answer(commentsApi.remove, ({ path }) => {
    rows = rows.filter(({ _id }) => !path.endsWith(_id))
    return { success: true }
  })
}

const dialog = async () => within(await screen.findByRole('dialog', { name: 'Comments' }))

test('shows an empty state, and Ctrl+Enter sends a comment', async () => {
  stored()
  await open('/media/m')
  await userEvent.click(await main().findByRole('button', { name: 'Comments' }))
  const inside = await dialog()
  expect(await inside.findByText('No comments yet')).toBeDefined()
  await userEvent.click(inside.getByRole('button', { name: 'Comment' }))
  await findToast('Write a comment first.')
  await userEvent.type(inside.getByLabelText('New comment'), 'Which edition?')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  expect(await inside.findByText('Which edition?')).toBeDefined()
  expect(inside.getByLabelText<HTMLTextAreaElement>('New comment').value).toBe('')
  expect(requests.find(({ method, path }) => method === 'POST' && path === '/api/comments')?.body).toEqual({
    entityType: 'Media',
    entityId: 'm',
    text: 'Which edition?',
  })
  await findToast('Comment sent')
  await userEvent.click(inside.getByRole('button', { name: 'Close' }))
  expect(await main().findByRole('button', { name: 'Comments (1)' })).toBeDefined()
})

test('highlights mentions, shows markup as text, and hides actions that are not permitted', async () => {
  stored(aComment())
  await open('/media/m?comments=k1')
  const inside = await dialog()
  const mention = await inside.findByText('@Mori Ogai')
  expect(mention.parentElement?.textContent).toBe('Ask @Mori Ogai about <b>this</b>.')
  expect(inside.queryByRole('button', { name: /^Edit/ })).toBeNull()
  expect(inside.queryByRole('button', { name: /^Delete/ })).toBeNull()
})

test('highlights the longest of the mentioned names', async () => {
  const mentions = ['ann', 'anna'].map((username) => ({ _id: username, username }))
  stored(aComment({ text: 'Ask @anna or @ann.', mentions }))
  await open('/media/m?comments=k1')
  const inside = await dialog()
  expect(await inside.findByText('@anna')).toBeDefined()
  expect(inside.getByText('@ann')).toBeDefined()
})

test('a deleted author is named in the language of the console', async () => {
  stored(aComment({ author: person('') }))
  await open('/media/m?comments=k1', { language: 'zh' })
  expect((await screen.findByText('已删除的账号')).getAttribute('lang')).toBeNull()
})

test('a comment can be resolved, found among the resolved ones, and reopened', async () => {
  stored(aComment())
  await open('/media/m/edit?comments=k1')
  const inside = await dialog()
  await userEvent.click(await inside.findByRole('button', { name: /^Resolve/ }))
  expect(await inside.findByText('No comments yet')).toBeDefined()
  await findToast('Comment resolved')
  await userEvent.click(inside.getByText('Resolved comments'))
  expect(await inside.findByText(/^Resolved by mori/)).toBeDefined()
  await userEvent.click(inside.getByRole('button', { name: /^Reopen/ }))
  expect(await inside.findByText('No resolved comments')).toBeDefined()
  await findToast('Comment reopened')
  expect(await inside.findByRole('button', { name: /^Resolve/ })).toBeDefined()
})

test('a link to a comment that was resolved meanwhile unfolds the resolved ones, and one to all open ones does not', async () => {
  stored(aComment({ resolvedAt: '2026-01-06T00:00:00.000Z', resolvedBy: person('mori') }))
  await open('/media/m?comments=k1')
  const inside = await dialog()
  expect(await inside.findByText(/^Resolved by mori/)).toBeDefined()
  cleanup()
  await open('/media/m?comments=open')
  const again = await dialog()
  expect(await again.findByText('No comments yet')).toBeDefined()
  expect(again.queryByText(/^Resolved by/)).toBeNull()
})

test('the author can edit a comment, and delete it after a confirmation', async () => {
  stored(aComment({ text: 'Tpyo', mentions: [], canEdit: true, canDelete: true }))
  await open('/media/m?comments=k1')
  const inside = await dialog()
  await userEvent.click(await inside.findByRole('button', { name: /^Edit/ }))
  const box = inside.getByLabelText('Edit comment')
  expect(document.activeElement).toBe(box)
  await userEvent.clear(box)
  await userEvent.type(box, 'Typo')
  await userEvent.click(inside.getByRole('button', { name: 'Save' }))
  expect(await inside.findByText('Typo')).toBeDefined()
  expect(inside.getByText(/edited/)).toBeDefined()
  await findToast('Comment saved')
  await userEvent.click(inside.getByRole('button', { name: /^Delete/ }))
  const question = within(await screen.findByRole('dialog', { name: 'Delete comment' }))
  const confirm = question.getByRole('button', { name: 'Delete' })
  expect(confirm.className).toContain('danger')
  await userEvent.click(confirm)
  expect(await inside.findByText('No comments yet')).toBeDefined()
  await findToast('Comment deleted')
})

test('each action says on whose comment, and of when, it is', async () => {
  stored(aComment({ canEdit: true, canDelete: true }))
  await open('/media/m?comments=k1')
  const inside = await dialog()
  const comment = within(await inside.findByRole('listitem'))
  const what = `comment by natsume, ${comment.getByRole('time').textContent}`
  const names = comment.getAllByRole('button').map((button) => button.getAttribute('aria-label'))
  expect(names).toEqual([`Resolve: ${what}`, `Edit: ${what}`, `Delete: ${what}`])
})

test('typing @ suggests user names in any script, selectable by keyboard or mouse', async () => {
  stored()
  const names = ['夏目漱石', '夏目 Kyoko']
  answer(usersApi.list, ({ query: { search = '' } }) => {
    const data = names.filter((name) => name.startsWith(search)).map((name) => aUser({ _id: name, username: name }))
    return { success: true, data, total: data.length, pages: 1 }
  })
  await open('/media/m?comments=open')
  const inside = await dialog()
  const box = await inside.findByLabelText<HTMLTextAreaElement>('New comment')
  await userEvent.type(box, '请@夏目')
  expect((await inside.findAllByRole('option')).map(({ textContent }) => textContent)).toEqual(
    names.map((name) => name.slice(0, 1) + name),
  )
  expect(requests.findLast(({ path }) => path === usersApi.list.path)?.query).toEqual({
    search: '夏目',
    isActive: 'true',
    limit: '6',
  })
  expect(inside.getByText(/^2 people/).getAttribute('role')).toBe('status')
  const marked = () => document.getElementById(box.getAttribute('aria-activedescendant') ?? '')?.textContent
  expect(marked()).toBe('夏夏目漱石')
  await userEvent.keyboard('{ArrowDown}')
  expect(marked()).toBe('夏夏目 Kyoko')
  await userEvent.keyboard('{ArrowUp}{Enter}')
  expect(box.value).toBe('请@夏目漱石 ')
  expect(inside.queryByRole('listbox')).toBeNull()
  await userEvent.keyboard('a word, @夏目')
  await inside.findAllByRole('option')
  // Escape closes the suggestions, not the dialog.
  await userEvent.keyboard('{Escape}')
  expect(inside.queryByRole('listbox')).toBeNull()
  expect(box.value).toBe('请@夏目漱石 a word, @夏目')
  await userEvent.type(box, ' K')
  await userEvent.click(await inside.findByRole('option', { name: /Kyoko/ }))
  expect(box.value).toBe('请@夏目漱石 a word, @夏目 Kyoko ')
})

test('keeps a comment that failed to send, even after the dialog is closed', async () => {
  stored()
  fail(commentsApi.create, 503, { message: 'x' })
  await open('/media/m?comments=open')
  const inside = await dialog()
  await userEvent.type(await inside.findByLabelText('New comment'), 'Do not lose this')
  await userEvent.click(inside.getByRole('button', { name: 'Comment' }))
  await findToast('Failed to send the comment')
  await userEvent.click(inside.getByRole('button', { name: 'Close' }))
  await userEvent.click(main().getByRole('button', { name: 'Comments' }))
  const again = await dialog()
  expect(again.getByLabelText<HTMLTextAreaElement>('New comment').value).toBe('Do not lose this')
})

test('an unsent comment is not shown to the next user of the tab', async () => {
  stored()
  const path = '/media/m?comments=open'
  await open(path)
  const box = async () => (await dialog()).findByLabelText<HTMLTextAreaElement>('New comment')
  await userEvent.type(await box(), 'Which edition?')
  act(() => endLocalSession())
  await signInAgain(path, { ...admin, _id: 'other' })
  expect((await box()).value).toBe('')
  act(() => endLocalSession())
  await signInAgain(path)
  expect((await box()).value).toBe('Which edition?')
})

test('a comment whose response was lost is sent again with the same key, and the next one with another', async () => {
  stored()
  fail(commentsApi.create, 0)
  await open('/media/m?comments=open')
  const inside = await dialog()
  const keys = () => requests.flatMap(({ method, key }) => (method === 'POST' && key ? [key] : []))
  const send = () => userEvent.click(inside.getByRole('button', { name: 'Comment' }))
  await userEvent.type(await inside.findByLabelText('New comment'), 'Once')
  await send()
  await findToast('Failed to send the comment')
  stored()
  await send()
  await waitFor(() => expect(inside.getByLabelText<HTMLTextAreaElement>('New comment').value).toBe(''))
  await userEvent.type(inside.getByLabelText('New comment'), 'Once')
  await send()
  await waitFor(() => expect(new Set(keys()).size).toBe(2))
  expect(keys()[1]).toBe(keys()[0])
  expect(keys().at(-1)).not.toBe(keys()[0])
})

test('a list shows the number of open comments and links to them', async () => {
  list.media(aMedia())
  answer(commentsApi.counts, { data: [{ entityId: 'm', open: 2 }] })
  await open('/media')
  const link = await main().findByRole('link', { name: '2 open comments' })
  expect(link.getAttribute('href')).toBe('/media/m?comments=open')
  await waitFor(() =>
    expect(requests.find(({ path }) => path === '/api/comments/counts')?.query).toEqual({
      entityType: 'Media',
      ids: 'm',
    }),
  )
})

test('a comment cannot be changed while it is being sent', async () => {
  stored()
  await open('/media/m?comments=open')
  const box = await (await dialog()).findByLabelText<HTMLTextAreaElement>('New comment')
  await userEvent.type(box, 'Which edition?')
  const release = hold(commentsApi.create)
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await waitFor(() => expect(box.readOnly).toBe(true))
  release()
  await waitFor(() => expect([box.value, box.readOnly]).toEqual(['', false]))
})

test('a comment that is sent while the dialog is closed is not left in the box', async () => {
  stored()
  await open('/media/m?comments=open')
  const inside = await dialog()
  await userEvent.type(await inside.findByLabelText('New comment'), 'Which edition?')
  const release = hold(commentsApi.create)
  await userEvent.click(inside.getByRole('button', { name: 'Comment' }))
  await userEvent.click(inside.getByRole('button', { name: 'Close' }))
  await userEvent.click(main().getByRole('button', { name: 'Comments' }))
  const box = (await dialog()).getByLabelText<HTMLTextAreaElement>('New comment')
  expect([box.value, box.readOnly]).toEqual(['Which edition?', true])
  release()
  await waitFor(() => expect([box.value, box.readOnly]).toEqual(['', false]))
})

test('the edit of a comment that others resolve or delete meanwhile is kept', async () => {
  const comment = aComment({ text: 'Tpyo', mentions: [], canEdit: true })
  stored(comment)
  await open('/media/m?comments=k1')
  const inside = await dialog()
  await userEvent.click(await inside.findByRole('button', { name: /^Edit/ }))
  await userEvent.type(inside.getByLabelText('Edit comment'), ' with more')
  stored({ ...comment, resolvedAt: comment.createdAt, resolvedBy: person('mori') })
  await userEvent.type(inside.getByLabelText('New comment'), 'Refetches{Control>}{Enter}{/Control}')
  await waitFor(() => expect(inside.getByLabelText<HTMLTextAreaElement>('New comment').value).toBe(''))
  expect(await inside.findByText('Refetches')).toBeDefined()
  expect(inside.getByLabelText<HTMLTextAreaElement>('Edit comment').value).toBe('Tpyo with more')
  stored()
  fail(commentsApi.update, 404, { message: 'x' })
  await userEvent.click(inside.getByRole('button', { name: 'Save' }))
  expect((await inside.findByRole('alert')).textContent).toBe(
    'This comment or its entry has been deleted in the meantime. What you have written can be sent as a new comment.',
  )
  const box = inside.getByLabelText<HTMLTextAreaElement>('Edit comment')
  expect(box.value).toBe('Tpyo with more')
  failOnce(commentsApi.create, 404, { code: 'notFound', message: 'Media not found' })
  await userEvent.click(inside.getByRole('button', { name: 'Send as a new comment' }))
  expect((await findToast('Failed to send the comment')).textContent).toContain('once it has been restored')
  await userEvent.click(inside.getByRole('button', { name: 'Send as a new comment' }))
  await waitFor(() => expect(box.isConnected).toBe(false))
  expect(await inside.findByText('Tpyo with more')).toBeDefined()
  const sent = requests.findLast(({ method }) => method === 'POST')?.body
  expect(sent).toEqual({ entityType: 'Media', entityId: 'm', text: 'Tpyo with more' })
})

test('resolving a comment that was deleted meanwhile says so', async () => {
  stored(aComment())
  failMissing(commentsApi.update, 'Comment')
  await open('/media/m?comments=k1')
  const inside = await dialog()
  await userEvent.click(await inside.findByRole('button', { name: /^Resolve/ }))
  expect((await findToast('Failed to edit the comment')).textContent).toContain(
    'This item has been deleted in the meantime.',
  )
})

test('deleting a comment that someone else has deleted meanwhile is no failure', async () => {
  stored(aComment({ canDelete: true }))
  failMissing(commentsApi.remove, 'Comment')
  await open('/media/m?comments=k1')
  const inside = await dialog()
  await userEvent.click(await inside.findByRole('button', { name: /^Delete/ }))
  const asking = within(await screen.findByRole('dialog', { name: 'Delete comment' }))
  await userEvent.click(asking.getByRole('button', { name: 'Delete' }))
  await findToast('Comment deleted')
})

test('a text that was changed in another window is shown, and overwritten only by saving again', async () => {
  stored(aComment({ text: 'Tpyo', mentions: [], canEdit: true }))
  await open('/media/m?comments=k1')
  const inside = await dialog()
  await userEvent.click(await inside.findByRole('button', { name: /^Edit/ }))
  await userEvent.type(inside.getByLabelText('Edit comment'), ', mine')
  const [mine, theirs] = [{ text: 'Tpyo, mine' }, { text: 'Typo, theirs' }]
  const more = { conflicts: ['text'], version: 2, updatedAt: '2026-01-06T00:00:00.000Z', savedBy: ['mori'] }
  failOnce(commentsApi.update, 412, { message: 'x', code: 'stale', mine, theirs, ...more })
  const bases = () => requests.filter(({ method }) => method === 'PUT').map(({ base }) => base)
  await userEvent.click(inside.getByRole('button', { name: 'Save' }))
  expect((await inside.findByRole('alert')).textContent).toMatch(/^This comment was changed.*Typo, theirs$/)
  expect(inside.getByLabelText<HTMLTextAreaElement>('Edit comment').value).toBe(mine.text)
  await userEvent.click(inside.getByRole('button', { name: 'Save' }))
  expect(await inside.findByText(mine.text)).toBeDefined()
  expect(bases()).toEqual(['"1"', '"2"'])
})

test('Tab waits for the suggestions for the name as typed', async () => {
  stored()
  answer(usersApi.list, ({ query: { search = '' } }) => {
    const data = ['Bea', 'Bob'].filter((name) => name.toLowerCase().startsWith(search))
    return { success: true, data: data.map((username) => aUser({ _id: username, username })), total: 2, pages: 1 }
  })
  await open('/media/m?comments=open')
  const inside = await dialog()
  const box = await inside.findByLabelText<HTMLTextAreaElement>('New comment')
  await userEvent.type(box, '@b')
  await inside.findByRole('option', { name: /Bea/ })
  await userEvent.type(box, 'o')
  await userEvent.tab()
  await waitFor(() => expect(box.value).toBe('@Bob '))
})
