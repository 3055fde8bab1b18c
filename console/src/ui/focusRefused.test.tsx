import { fireEvent, render, screen } from '@testing-library/react'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { focusRefused } from './focusRefused.ts'

beforeAll(focusRefused)

test('an error that is announced again is no alert for a moment, however soon the form is submitted again', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  render(
    <form aria-label="Sign in">
      <input aria-label="Email" aria-invalid aria-describedby="email-error" />
      <p id="email-error">Email is required</p>
    </form>,
  )
  screen.getByRole('textbox').focus()
  const error = screen.getByText('Email is required')
  const submit = async () => {
    fireEvent.submit(screen.getByRole('form'))
    await vi.advanceTimersByTimeAsync(60)
  }
  for (let times = 0; times < 3; times += 1) {
    await submit()
    expect(error.getAttribute('role')).toBeNull()
  }
  await vi.advanceTimersByTimeAsync(60)
  expect(error.getAttribute('role')).toBe('alert')
})
