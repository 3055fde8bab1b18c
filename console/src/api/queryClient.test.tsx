import { assetsApi } from '@mokuroku/contract/assets'
import { ApiError } from '@mokuroku/contract/call'
import { findingsApi } from '@mokuroku/contract/findings'
import { SHOWS, WRITES } from '@mokuroku/contract/freshness'
import { importsApi } from '@mokuroku/contract/imports'
import { mediaApi } from '@mokuroku/contract/media'
import type { Route } from '@mokuroku/contract/route'
import { tagsApi } from '@mokuroku/contract/tags'
import { QueryObserver } from '@tanstack/react-query'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { q, qEdit } from './query.ts'
import { toasts } from '#ui/toast.ts'
import { queryClient, refreshed, toastFailure, wrote } from './queryClient.ts'

afterEach(() => queryClient.clear())

const isOutdated = (queryKey: readonly unknown[]) => queryClient.getQueryState(queryKey)?.isInvalidated

describe('a write invalidates every query that shows the changed kinds', () => {
  test.each(Object.entries(WRITES))('%s', (name, kinds) => {
    for (const path of Object.keys(SHOWS)) queryClient.setQueryData([path, {}], 'before')
    const [method, path] = name.split(' ')
    wrote({ method, path } as Route)
    const outdated = Object.keys(SHOWS).filter((read) => isOutdated([read, {}]))
    const showing = Object.entries(SHOWS).filter(([, shown]) => shown.some((kind) => kinds?.includes(kind)))
    expect(outdated).toEqual(showing.map(([read]) => read))
  })
})

test('saving a media item invalidates the tag queries, because they count uses', () => {
  queryClient.setQueryData(q(tagsApi.list, { query: { search: 'a' } }).queryKey, { tags: [], total: 0 })
  wrote(mediaApi.update)
  expect(isOutdated(q(tagsApi.list, { query: { search: 'a' } }).queryKey)).toBe(true)
})

test('deleting a file invalidates the findings of entries, because their links to it are broken', () => {
  const { queryKey } = q(findingsApi.find, { id: '1' })
  queryClient.setQueryData(queryKey, {} as never)
  wrote(assetsApi.remove)
  expect(isOutdated(queryKey)).toBe(true)
})

test.each([
  [299, false],
  [301, true],
])('what was read %i seconds ago is stale: %s', (seconds, isStale) => {
  const query = q(mediaApi.find, { id: '1' })
  queryClient.setQueryData(query.queryKey, {} as never, { updatedAt: Date.now() - seconds * 1000 })
  expect(new QueryObserver(queryClient, query).getCurrentResult().isStale).toBe(isStale)
})

test('what is stale is not fetched again when the window gets the focus', () => {
  const queryFn = vi.fn<() => Promise<unknown>>()
  const queryKey = ['on screen']
  queryClient.setQueryData(queryKey, 'fresh')
  const leave = new QueryObserver(queryClient, { queryKey, queryFn }).subscribe(() => undefined)
  queryClient.setQueryData(queryKey, 'old', { updatedAt: 1 })
  queryClient.getQueryCache().onFocus()
  expect(queryFn).not.toHaveBeenCalled()
  leave()
})

test('a write does not invalidate the query of an editor', () => {
  const { queryKey } = qEdit(mediaApi.find, { id: '1' })
  queryClient.setQueryData(queryKey, {} as never)
  wrote(mediaApi.update)
  expect(isOutdated(queryKey)).toBe(false)
})

test('refetches active queries once the mutation that wrote has settled', async () => {
  const asked: string[] = []
  const observer = new QueryObserver(queryClient, {
    queryKey: ['/api/tags', {}],
    queryFn: () => asked.push('asked'),
  })
  const stop = observer.subscribe(() => undefined)
  await expect.poll(() => asked.length).toBe(1)
  const mutation = queryClient.getMutationCache().build(queryClient, {
    mutationFn: async () => wrote(mediaApi.update),
    onSuccess: () => void asked.push('left the screen'),
  })
  await mutation.execute(undefined)
  expect(asked).toEqual(['asked', 'left the screen', 'asked'])
  await refreshed()
  expect(asked).toHaveLength(3)
  stop()
})

test('a write while the queries of a settled mutation are refetched is refetched, too', async () => {
  const responses: (() => void)[] = []
  const observer = new QueryObserver(queryClient, {
    queryKey: ['/api/imports', {}],
    queryFn: () => new Promise<string>((resolve) => responses.push(() => resolve('rows'))),
  })
  const stop = observer.subscribe(() => undefined)
  await expect.poll(() => responses.length).toBe(1)
  responses[0]?.()
  const mutation = queryClient.getMutationCache().build(queryClient, {
    mutationFn: async () => wrote(importsApi.correct),
  })
  const saving = mutation.execute(undefined)
  await expect.poll(() => responses.length).toBe(2)
  // The stream of the import reports its end.
  wrote(importsApi.stream)
  responses[1]?.()
  await expect.poll(() => responses.length).toBe(3)
  responses[2]?.()
  await saving
  stop()
})

test('a mutation that failed does not wait for the queries that it refetches', async () => {
  vi.spyOn(console, 'error').mockReturnValue(undefined)
  let asked = 0
  const observer = new QueryObserver(queryClient, {
    queryKey: ['/api/tags', {}],
    queryFn: () => (++asked === 1 ? 'first' : new Promise<string>(() => undefined)),
  })
  const stop = observer.subscribe(() => undefined)
  await expect.poll(() => asked).toBe(1)
  const mutation = queryClient.getMutationCache().build(queryClient, {
    mutationFn: async () => {
      wrote(mediaApi.update)
      throw new ApiError(409, { message: 'Changed meanwhile' })
    },
    meta: { quiet: true },
  })
  await expect(mutation.execute(undefined)).rejects.toThrow('Changed meanwhile')
  expect(asked).toBe(2)
  stop()
})

test('refetches active queries immediately after a write outside a mutation', async () => {
  let asked = 0
  const observer = new QueryObserver(queryClient, { queryKey: ['/admin/stats', {}], queryFn: () => ++asked })
  const stop = observer.subscribe(() => undefined)
  await expect.poll(() => asked).toBe(1)
  wrote(mediaApi.remove)
  await expect.poll(() => asked).toBe(2)
  stop()
})

test('several calls that fail in the same way show one toast, with the request id of the last', () => {
  for (const requestId of ['a', 'b'])
    toastFailure('Failed to load media', new ApiError(500, { code: 'internal', requestId }))
  expect(toasts.get().map(({ detail }) => detail)).toEqual(['Server error. Please try again later. Request id: b'])
})
