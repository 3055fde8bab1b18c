import { auditApi } from '@mokuroku/contract/audit'
import { afterEach, expect, test, vi } from 'vitest'
import { download } from './download.ts'
import { passwordQuestion } from './reauthenticate.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const started = () => download(auditApi.export, { query: { format: 'csv' } })

/** Stubs the server. */
const serve = (respond: (signal?: AbortSignal) => Promise<Response>) =>
  vi.stubGlobal('fetch', (_: string, { signal }: { signal?: AbortSignal }) => respond(signal))

const aborted = (signal?: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(new Error('aborted')))
  })

test('a download without a response fails after a minute', async () => {
  vi.useFakeTimers()
  serve(aborted)
  const failure = started().catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await failure).toMatchObject({ status: 0 })
})

test('a download may take longer than a minute, if parts of it arrive', async () => {
  vi.useFakeTimers()
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  let part = 0
  const body = new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 50_000))
      if (part++ < 3) controller.enqueue(new TextEncoder().encode('row'))
      else controller.close()
    },
  })
  serve(async () => new Response(body))
  const done = started()
  await vi.advanceTimersByTimeAsync(200_000)
  await done
  expect(click).toHaveBeenCalledOnce()
  click.mockRestore()
})

test('the time in which the user is asked for the password does not count', async () => {
  vi.useFakeTimers()
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  const signals: (AbortSignal | undefined)[] = []
  serve(async (signal) => {
    signals.push(signal)
    if (signal?.aborted) throw new Error('aborted')
    return signals.length === 1 ? Response.json({ code: 'reauthenticate' }, { status: 403 }) : new Response('rows')
  })
  const done = started()
  await vi.advanceTimersByTimeAsync(120_000)
  passwordQuestion.get()?.answer(true)
  await done
  expect([signals.length, click.mock.calls.length]).toEqual([2, 1])
  click.mockRestore()
})

test('a download that falls silent fails, and saves nothing', async () => {
  vi.useFakeTimers()
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click')
  serve(async (signal) => {
    const start = (controller: ReadableStreamDefaultController) => {
      controller.enqueue(new TextEncoder().encode('row'))
      signal?.addEventListener('abort', () => controller.error(new Error('aborted')))
    }
    return new Response(new ReadableStream({ start }))
  })
  const failure = started().catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await failure).toMatchObject({ status: 0 })
  expect(click).not.toHaveBeenCalled()
  click.mockRestore()
})
