import { cleanup, fireEvent, renderHook } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

/** The modifiers with which K acts. */
async function modifiersOn(platform: string) {
  vi.spyOn(navigator, 'platform', 'get').mockReturnValue(platform)
  vi.resetModules()
  const { useShortcut } = await import('./useShortcut.ts')
  const act = vi.fn()
  const { unmount } = renderHook(() => useShortcut('mod+k', act))
  const acting = (['ctrlKey', 'metaKey', 'altKey'] as const).filter((modifier) => {
    act.mockClear()
    fireEvent.keyDown(document.body, { key: 'k', code: 'KeyK', [modifier]: true })
    return act.mock.calls.length > 0
  })
  unmount()
  return acting
}

test('shortcuts are with ⌘ on a Mac, where Ctrl edits text in every field, and with Ctrl elsewhere', async () => {
  expect(await modifiersOn('MacIntel')).toEqual(['metaKey'])
  expect(await modifiersOn('Linux x86_64')).toEqual(['ctrlKey'])
  expect(await modifiersOn('Win32')).toEqual(['ctrlKey'])
})
