import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Component, type ReactNode, Suspense } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { lazyPart } from './lazyPart.tsx'
import { retryStyleSheets } from './styleSheets.ts'

type Load = () => Promise<{ Part: (props: { name: string }) => ReactNode }>

const gone: Load = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'))
const here: Load = async () => ({ Part: ({ name }) => <p>The part of {name}</p> })
const broken: Load = async () => ({
  Part: () => {
    throw new Error('a fault of its own')
  },
})

class Screen extends Component<{ children: ReactNode }, { failed?: string }> {
  override state: { failed?: string } = {}
  static getDerivedStateFromError = ({ message }: Error) => ({ failed: message })
  override render = () => this.state.failed ?? this.props.children
}

function show(load: Load) {
  const Part = lazyPart(load, 'Part')
  render(
    <Screen>
      <p>The screen</p>
      <Suspense>
        <Part name="Ann" />
      </Suspense>
    </Screen>,
  )
}

/** While a part is loading, React only hides what was there before. */
const shownRetry = () => screen.findByRole('button', { name: 'Retry', hidden: false })

// React logs every error that a boundary catches.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('shows an error in place of a part that fails to load, and loads it on Retry', async () => {
  const load = vi.fn(gone)
  show(load)
  expect((await screen.findByRole('alert')).textContent).toContain('Failed to load this')
  screen.getByText('The screen')
  load.mockImplementation(here)
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  await screen.findByText('The part of Ann')
  expect(screen.queryByRole('alert')).toBeNull()
})

test('Retry reloads the page if loading fails again, but not while the server does not answer', async () => {
  const reload = vi.spyOn(location, 'reload').mockReturnValue(undefined)
  const answer = vi.fn<typeof fetch>().mockRejectedValueOnce(new TypeError('Failed to fetch'))
  vi.stubGlobal('fetch', answer.mockResolvedValue(new Response()))
  show(gone)
  await userEvent.click(await shownRetry())
  await waitFor(() => expect(answer).toHaveBeenCalledTimes(1))
  await userEvent.click(await shownRetry())
  await waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
  expect(answer).toHaveBeenCalledTimes(2)
})

test('retries by itself when loading fails once', async () => {
  const load = vi.fn(here).mockImplementationOnce(gone)
  show(load)
  await screen.findByText('The part of Ann')
  expect(load).toHaveBeenCalledTimes(2)
})

test('an error thrown by the part itself propagates to the screen', async () => {
  show(broken)
  await screen.findByText('a fault of its own')
  expect(screen.queryByText('The screen')).toBeNull()
})

test('a style sheet that fails to load is requested again, after longer and longer delays', () => {
  vi.useFakeTimers()
  try {
    retryStyleSheets()
    document.head.innerHTML = '<link rel="stylesheet" data-of="part" />'
    const link = () => document.querySelector('[data-of=part]')
    const first = link()
    first?.dispatchEvent(new Event('error'))
    vi.advanceTimersByTime(999)
    expect(link()).toBe(first)
    vi.advanceTimersByTime(1)
    const second = link()
    expect(second).not.toBe(first)
    second?.dispatchEvent(new Event('error'))
    vi.advanceTimersByTime(1999)
    expect(link()).toBe(second)
    vi.advanceTimersByTime(1)
    expect(link()).not.toBe(second)
  } finally {
    vi.useRealTimers()
  }
})
