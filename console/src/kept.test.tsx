// What is entered into a form is not lost when the session ends.
import { authApi } from '@mokuroku/contract/auth'
import { batchesApi } from '@mokuroku/contract/batches'
import type { BulkPreview } from '@mokuroku/contract/bulk'
import { type Comment, commentsApi } from '@mokuroku/contract/comments'
import { importsApi } from '@mokuroku/contract/imports'
import { invitationsApi } from '@mokuroku/contract/invitations'
import { mediaApi } from '@mokuroku/contract/media'
import { ratingsApi } from '@mokuroku/contract/ratings'
import type { Route } from '@mokuroku/contract/route'
import { viewsApi } from '@mokuroku/contract/views'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { endLocalSession, session } from '#api/session.ts'
import { queryClient } from '#api/queryClient.ts'
import { followSession, signOut } from '#api/signIn.ts'
import { router } from './routes.tsx'
import {
  aBatch,
  admin,
  aMedia,
  answer,
  aRating,
  aTier,
  aUser,
  currentUrl,
  fail,
  list,
  open,
  requests,
  signInAgain,
  withoutServer,
} from './testing.tsx'

withoutServer()

const COMMENT: Comment = {
  _id: 'k',
  entityType: 'Media',
  entityId: 'm',
  text: 'Which edition?',
  version: 1,
  mentions: [],
  author: { _id: 'me', username: 'mori', avatar: '' },
  createdAt: '2026-01-05T00:00:00.000Z',
  editedAt: null,
  resolvedAt: null,
  resolvedBy: null,
  canEdit: true,
  canResolve: false,
  canDelete: false,
}

const NONE = { count: 0, ids: [] }
const PREVIEW: BulkPreview = {
  changes: { count: 1, ids: ['m'] },
  unchanged: NONE,
  refused: { ...NONE, reasons: [] },
}

beforeEach(() => {
  answer(mediaApi.find, aMedia())
  answer(ratingsApi.ofMedia, [])
  answer(ratingsApi.find, aRating())
  answer(authApi.profile, aUser())
  answer(invitationsApi.mail, { isConfigured: true })
  answer(batchesApi.find, aBatch())
  answer(batchesApi.results, { data: [], pagination: { total: 0, page: 1, limit: 20 } })
  answer(commentsApi.counts, { data: [] })
  answer(commentsApi.list, { data: [COMMENT] })
  answer(importsApi.list, { data: [], pagination: { total: 0, page: 1, limit: 20 } })
  list.media(aMedia())
  list.users(aUser())
  list.tiers(aTier({ requiredScore: 0 }))
})

const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))
const field = (label: string) => screen.findByLabelText<HTMLInputElement>(label, { selector: 'input, textarea' })

interface Form {
  path: string
  /** The button that opens the form. */
  opens?: string | RegExp
  /** Whether it is not open after the sign-in. */
  isClosed?: boolean
  entered: Record<string, string>
  save: string
  route: Route
}
const FORMS: Form[] = [
  {
    path: '/media/m',
    opens: 'Rate this',
    entered: { Score: '7', Comment: 'A long review' },
    save: 'Save',
    route: ratingsApi.create,
  },
  { path: '/ratings/r', opens: 'Edit Rating', entered: { Score: '7' }, save: 'Save', route: ratingsApi.update },
  { path: '/profile', entered: { Username: 'soseki' }, save: 'Save', route: authApi.updateProfile },
  { path: '/media', opens: 'Save view', entered: { Name: 'Mine' }, save: 'Save view', route: viewsApi.create },
  {
    path: '/users',
    opens: 'Invite',
    isClosed: true,
    entered: { Username: 'soseki', Email: 'soseki@example.org' },
    save: 'Send invitation',
    route: invitationsApi.invite,
  },
  {
    path: '/batches/one',
    opens: 'Roll back',
    isClosed: true,
    entered: { Reason: 'A mistake' },
    save: 'Preview',
    route: batchesApi.rollback,
  },
  {
    path: '/media/m?comments=k',
    opens: /^Edit: comment/,
    isClosed: true,
    entered: { 'Edit comment': 'Which edition is it?' },
    save: 'Save',
    route: commentsApi.update,
  },
]

/** Fills in a form, and saves it when the session has ended. */
async function enter({ path, opens, entered, save, route }: Form) {
  await open(path)
  if (opens) await press(opens)
  for (const [label, value] of Object.entries(entered)) fireEvent.change(await field(label), { target: { value } })
  fail(route, 401)
  const buttons = await screen.findAllByRole('button', { name: save })
  await userEvent.click(buttons.at(-1) ?? document.body)
}

test.each(FORMS)('what was entered at $path is there after signing in again', async (form) => {
  await enter(form)
  await signInAgain(form.path)
  if (form.isClosed && form.opens) await press(form.opens)
  for (const [label, value] of Object.entries(form.entered)) expect((await field(label)).value).toBe(value)
})

const LONG = FORMS.filter(({ opens, path }) => opens && /^.media.m|^.batches|^.users/.test(path))

test.each(LONG)('what was typed at $path is there after leaving and reloading, until Cancel', async (form) => {
  const expectTyped = async (isTyped: boolean) => {
    await press(form.opens ?? '')
    for (const [label, value] of Object.entries(form.entered))
      expect((await field(label)).value === value).toBe(isTyped)
  }
  await open(form.path)
  await press(form.opens ?? '')
  for (const [label, value] of Object.entries(form.entered)) fireEvent.change(await field(label), { target: { value } })
  await act(() => router.navigate({ to: '/tags' }))
  cleanup()
  await open(form.path)
  await expectTyped(true)
  await press('Cancel')
  await expectTyped(false)
})

test('a rating that was typed is there after Escape, and is based on the rating that it began with', async () => {
  const rating = aRating({ comment: 'Short', version: 3 })
  answer(ratingsApi.ofMedia, [rating])
  await open('/media/m')
  await press('Edit your rating')
  fireEvent.change(await field('Comment'), { target: { value: 'A long review' } })
  fireEvent.keyDown(await field('Comment'), { key: 'Escape' })
  answer(ratingsApi.ofMedia, [{ ...rating, comment: 'From another window', version: 4 }])
  cleanup()
  queryClient.clear()
  await open('/media/m')
  await press('Edit your rating')
  expect((await field('Comment')).value).toBe('A long review')
  fail(ratingsApi.update, 412)
  await press('Save')
  await waitFor(() => expect(requests.findLast(({ method }) => method === 'PUT')).toMatchObject({ base: '"3"' }))
})

test('cells that were pasted to be imported are there after signing in again', async () => {
  await open('/import')
  fireEvent.change(await field('Or paste cells'), { target: { value: 'name' } })
  act(() => endLocalSession())
  await signInAgain('/import')
  expect((await field('Or paste cells')).value).toBe('name')
})

test.each(['', '?type=NOVEL'])(
  'the change to selected rows of /media%s is there after signing in again',
  async (query) => {
    const path = `/media${query}`
    answer(mediaApi.bulk, PREVIEW)
    await open(path)
    await screen.findByRole('link', { name: 'Kokoro' })
    await userEvent.keyboard(query ? '{Control>}aa{/Control}' : 'jx')
    await press('Set status')
    await userEvent.selectOptions(await screen.findByLabelText('New value'), 'Ongoing')
    await screen.findByText('1 item will change')
    fail(mediaApi.bulk, 401)
    await press('Apply')
    answer(mediaApi.bulk, PREVIEW)
    await signInAgain(path)
    const chosen = await screen.findByLabelText<HTMLSelectElement>('New value')
    expect(chosen.selectedOptions[0]?.textContent).toBe('Ongoing')
    await screen.findByText('1 item will change')
    answer(mediaApi.bulk, { batch: 'one' })
    await press('Apply')
    const target = query ? { filter: { type: 'NOVEL' } } : { ids: ['m'] }
    await waitFor(() =>
      expect(requests.findLast(({ path: to }) => to === '/api/media/bulk')?.body).toEqual({
        ...target,
        change: { isOngoing: true },
      }),
    )
  },
)

test('the choices of a merge are there after signing in again', async () => {
  const twin = aMedia({ _id: 'twin', translations: { en: { title: 'Kokoro!', description: '' } } })
  list.media(aMedia(), twin)
  answer(mediaApi.find, ({ path }) => (path.endsWith('twin') ? twin : aMedia()))
  await open('/media')
  await screen.findByRole('link', { name: 'Kokoro' })
  await userEvent.keyboard('jxjx')
  await press('Merge')
  const chosen = async (group: string, name: string | RegExp) =>
    within(await screen.findByRole('group', { name: group })).getByRole<HTMLInputElement>('radio', { name })
  await userEvent.click(await chosen('Which one do you want to keep?', /Kokoro!/))
  await userEvent.click(await chosen('Title · English', 'Kokoro'))
  fail(mediaApi.merge, 401)
  await userEvent.click((await screen.findAllByRole('button', { name: 'Merge' })).at(-1) ?? document.body)
  await signInAgain('/media')
  expect((await chosen('Which one do you want to keep?', /Kokoro!/)).checked).toBe(true)
  expect((await chosen('Title · English', 'Kokoro')).checked).toBe(true)
})

// Forgets what a test has entered.
afterEach(() => act(() => endLocalSession({ remember: false })))

test('another user does not see what was entered', async () => {
  const [form] = FORMS
  if (!form) throw new Error('There is no form')
  await enter(form)
  await signInAgain(form.path, { ...admin, _id: 'other' })
  await press('Rate this')
  expect((await field('Comment')).value).toBe('')
})

/** Opens the form for a rating and enters a comment. */
async function rate() {
  await open('/media/m')
  await press('Rate this')
  fireEvent.change(await field('Comment'), { target: { value: 'A long review' } })
}

test('what was entered is there after another tab has signed in again, even if this tab only sees its new token', async () => {
  await rate()
  followSession()
  localStorage.setItem('authToken', `h.${btoa(JSON.stringify({ exp: 9e9 }))}.new`)
  document.dispatchEvent(new Event('visibilitychange'))
  await waitFor(() => expect(session.get().state).toBe('loading'))
  await waitFor(() => expect(session.get().state).toBe('in'))
  expect((await field('Comment')).value).toBe('A long review')
})

test('nothing is kept after the user signs out', async () => {
  await rate()
  answer(authApi.logout, { success: true })
  signOut()
  await waitFor(() => expect(currentUrl()).toBe('/login'))
  await signInAgain('/')
  await router.navigate({ to: '/media/$id', params: { id: 'm' } })
  await press('Rate this')
  expect((await field('Comment')).value).toBe('')
})
