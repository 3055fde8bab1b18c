import { act, render, screen } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { toast, toasts } from './toast.ts'
import { Toaster } from './Toaster.tsx'

/** What a screen reader announces: texts in a log or an alert, unless an element between turns that off. */
const announced = () => {
  const live = (element: Element | null): boolean =>
    element !== null &&
    element.getAttribute('aria-live') !== 'off' &&
    (/^(log|alert)$/.test(element.getAttribute('role') ?? '') || live(element.parentElement))
  return screen
    .queryAllByText(/./, { selector: 'p' })
    .filter(live)
    .map((each) => each.textContent)
}

test('a toast is announced once, even if a dialog opens or closes while it is shown', () => {
  vi.useFakeTimers()
  onTestFinished(() => {
    vi.useRealTimers()
    toasts.set([])
  })
  const page = (hasDialog: boolean) => (
    <>
      <Toaster />
      {hasDialog && <Toaster />}
    </>
  )
  const { rerender } = render(page(false))
  act(() => {
    toast.success('Media deleted')
    toast.error('Failed to save')
  })
  expect(announced()).toEqual(['Media deleted', 'Failed to save'])
  act(() => void vi.advanceTimersByTime(1000))
  for (const hasDialog of [true, false]) {
    rerender(page(hasDialog))
    expect(screen.getByText('Media deleted')).toBeDefined()
    expect(screen.queryByRole('alert')).toBeNull()
    expect(announced()).toEqual([])
  }

  // Reported by a dialog that closes at once: nobody has heard it yet.
  rerender(page(true))
  act(() => void toast.success('Media restored'))
  rerender(page(false))
  expect(announced()).toEqual(['Media restored'])
})
