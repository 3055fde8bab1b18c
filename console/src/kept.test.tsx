// What is entered into a form is not lost when the session ends.
import { authApi } from '@mokuroku/contract/auth'
import { invitationsApi } from '@mokuroku/contract/invitations'
import { mediaApi } from '@mokuroku/contract/media'
import { ratingsApi } from '@mokuroku/contract/ratings'
import type { Route } from '@mokuroku/contract/route'
import { viewsApi } from '@mokuroku/contract/views'
import { fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import {
  admin,
  aMedia,
  answer,
  aRating,
  aTier,
  aUser,
  fail,
  list,
  open,
  signInAgain,
  withoutServer,
} from './testing.tsx'

withoutServer()

beforeEach(() => {
  answer(mediaApi.find, aMedia())
  answer(ratingsApi.ofMedia, [])
  answer(ratingsApi.find, aRating())
  answer(authApi.profile, aUser())
  answer(invitationsApi.mail, { isConfigured: true })
  list.media(aMedia())
  list.users(aUser())
  list.tiers(aTier({ requiredScore: 0 }))
})

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const field = (label: string) => screen.findByLabelText<HTMLInputElement>(label)

interface Form {
  path: string
  /** The button that opens the form. */
  opens?: string
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

test('another user does not see what was entered', async () => {
  const [form] = FORMS
  if (!form) throw new Error('There is no form')
  await enter(form)
  await signInAgain(form.path, { ...admin, _id: 'other' })
  await press('Rate this')
  expect((await field('Comment')).value).toBe('')
})
