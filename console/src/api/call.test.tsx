import { ApiError } from '@mokuroku/contract/call'
import { mediaApi } from '@mokuroku/contract/media'
import { afterEach, expect, test, vi } from 'vitest'
import { call } from './call.ts'
import { q } from './query.ts'
import { queryClient } from './queryClient.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** The signal of the only request, which is not answered until it is aborted. */
function withoutAnswer(): () => AbortSignal | undefined {
  let used: AbortSignal | undefined
  vi.stubGlobal('fetch', (_url: string, { signal }: { signal: AbortSignal }) => {
    used = signal
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
  })
  return () => used
}

test('a read that is not answered in time fails as without a response; one that is abandoned is aborted', async () => {
  const timeout = new AbortController()
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal)
  withoutAnswer()
  const abandoned = new AbortController()
  const first = call(mediaApi.find, { id: 'a', signal: abandoned.signal })
  const second = call(mediaApi.find, { id: 'b' })
  abandoned.abort()
  await expect(first).rejects.toBe(abandoned.signal.reason)
  timeout.abort()
  await expect(second).rejects.toEqual(new ApiError(0, undefined))
})

test('a read that was not answered in time is not repeated; one that found no connection is, once', async () => {
  vi.spyOn(console, 'error').mockReturnValue(undefined)
  const fetched = vi.fn().mockRejectedValue(new DOMException('', 'TimeoutError'))
  vi.stubGlobal('fetch', fetched)
  const read = () => queryClient.fetchQuery({ ...q(mediaApi.find, { id: 'a' }), retryDelay: 0 })
  await expect(read()).rejects.toMatchObject({ status: 0 })
  expect(fetched).toHaveBeenCalledTimes(1)
  fetched.mockRejectedValue(new TypeError())
  await expect(read()).rejects.toMatchObject({ status: 0 })
  expect(fetched).toHaveBeenCalledTimes(3)
})

test('a write is awaited without a time limit', () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout')
  const signal = withoutAnswer()
  void call(mediaApi.remove, { id: 'a' })
  expect(signal()?.aborted).toBe(false)
  expect(timeout).not.toHaveBeenCalled()
})
