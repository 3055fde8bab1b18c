// The screens for a forgotten password.
import { authApi } from '@mokuroku/contract/auth'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { answer, requests, fail, currentUrl, visit, withoutServer } from './testing.tsx'

withoutServer()

const email = () => screen.findByLabelText<HTMLInputElement>('Email')
const send = async (address: string) => {
  await userEvent.type(await email(), address)
  await userEvent.click(screen.getByRole('button', { name: 'Send link' }))
}

test('the confirmation does not reveal whether an email address has an account', async () => {
  answer(authApi.forgotPassword, { success: true })
  await visit('/forgot-password')
  await send('nobody@example.org')
  const said = await screen.findByText(/^If there is an account for nobody@example\.org/)
  expect(said.getAttribute('role')).toBe('status')
  expect(requests.find(({ method }) => method === 'POST')?.body).toEqual({
    email: 'nobody@example.org',
    language: 'en',
  })
  await userEvent.click(screen.getByRole('button', { name: 'Use another address' }))
  expect((await email()).value).toBe('')
  await userEvent.click(screen.getByRole('link', { name: 'Back to sign in' }))
  await waitFor(() => expect(currentUrl()).toBe('/login'))
})

test('shows a rate limit error in the form, and keeps the email address', async () => {
  fail(authApi.forgotPassword, 429)
  await visit('/forgot-password')
  await send('often@example.org')
  const alerts = await screen.findAllByRole('alert')
  expect(alerts.map(({ textContent }) => textContent)).toEqual(['Too many requests. Please try again later.'])
  expect((await email()).value).toBe('often@example.org')
})

test('a link without its token is reported as incomplete, and a new one is offered', async () => {
  await visit('/reset-password')
  expect(await screen.findByRole('heading', { name: 'This link is incomplete' })).toBeDefined()
  expect(screen.getByRole('link', { name: 'Request a new link' }).getAttribute('href')).toBe('/forgot-password')
})

test('a link whose use was not answered has probably set the password, instead of being no longer valid', async () => {
  fail(authApi.resetPassword, 0)
  await visit('/invitation#token=abc')
  await userEvent.type(await screen.findByLabelText('Password'), 'a good password')
  const set = () => userEvent.click(screen.getByRole('button', { name: 'Set password' }))
  await set()
  expect((await screen.findByRole('alert')).textContent).toBe('Network error. Please check your connection.')
  fail(authApi.resetPassword, 400, { code: 'link' })
  await set()
  expect(await screen.findByRole('heading', { name: 'This link has been used' })).toBeDefined()
  expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/login')
})
