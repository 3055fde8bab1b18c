import type { Asset } from '@mokuroku/contract/assets'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { lostConnection } from './connection.ts'
import { token } from './session.ts'
import { isDisconnected, sendImage, uploadFile } from './upload.ts'

const largeFile = () => new File([new Uint8Array(9 * 1024 * 1024)], 'large.mp4')
const howTo = (signal = new AbortController().signal) => ({
  isPublic: true,
  idempotencyKey: 'once',
  signal,
  onProgress: vi.fn(),
  onSession: vi.fn(),
})

beforeEach(() => token.set(`h.${btoa(JSON.stringify({ exp: 9e9 }))}.s`))

afterEach(() => {
  lostConnection.set(undefined)
  localStorage.clear()
  vi.unstubAllGlobals()
})

test('deletes the upload session on the server when cancelled while it is being created', async () => {
  const asked: string[] = []
  const leaving = new AbortController()
  // Only fetch is stubbed.
  vi.stubGlobal('fetch', (url: string, { method, signal }: { method: string; signal?: AbortSignal | null }) => {
    asked.push(`${method} ${url}`)
    if (method === 'POST') leaving.abort(new Error('cancelled'))
    if (signal?.aborted) return Promise.reject(signal.reason as Error)
    return Promise.resolve(Response.json({ _id: 'begun', offset: 0 }, { status: 201 }))
  })
  const how = howTo(leaving.signal)
  await expect(uploadFile(largeFile(), how)).rejects.toThrow('cancelled')
  await vi.waitFor(() => expect(asked).toEqual(['POST /api/uploads', 'DELETE /api/uploads/begun']))
  expect(how.onSession).not.toHaveBeenCalled()
})

test.each(['<!doctype html><title>Proxy</title>', '{"_id":"a","type":"IM', ''])(
  'an upload whose response is not the asset has an unknown outcome: %j',
  async (responseText) => {
    class Upload extends EventTarget {
      upload = new EventTarget()
      status = 200
      responseText = responseText
      open = vi.fn()
      setRequestHeader = vi.fn()
      send = () => this.dispatchEvent(new Event('load'))
    }
    vi.stubGlobal('XMLHttpRequest', Upload)
    await expect(sendImage(new File(['x'], 'a.png'))).rejects.toMatchObject({ status: 0 })
  },
)

test('a picture that is chosen again after a lost response has the same Idempotency-Key, until it has arrived', async () => {
  const keys: string[] = []
  const answers = ['', '{"_id":"a"}', '{"_id":"a"}']
  class Upload extends EventTarget {
    upload = new EventTarget()
    status = 201
    responseText = ''
    open = vi.fn()
    setRequestHeader = (name: string, value: string) => name === 'idempotency-key' && keys.push(value)
    send() {
      this.responseText = answers.shift() ?? ''
      this.dispatchEvent(new Event('load'))
    }
  }
  vi.stubGlobal('XMLHttpRequest', Upload)
  const choose = () => sendImage(new File(['same'], 'chosen.png'))
  await expect(choose()).rejects.toMatchObject({ status: 0 })
  expect(await choose()).toEqual({ _id: 'a' })
  await choose()
  expect(keys[0]).toMatch(/./)
  expect(keys[1]).toBe(keys[0])
  expect(keys[2]).not.toBe(keys[0])
})

test('a large upload is begun once, also if the response to that is lost', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  try {
    const keys: (string | null)[] = []
    // Only fetch is stubbed.
    vi.stubGlobal('fetch', (_url: string, { headers }: RequestInit) => {
      keys.push(new Headers(headers).get('idempotency-key'))
      if (keys.length === 1) return Promise.reject(new TypeError('Failed to fetch'))
      return Promise.resolve(Response.json({ _id: 'begun', offset: 0, asset: { _id: 'stored' } }, { status: 201 }))
    })
    const upload = uploadFile(largeFile(), howTo())
    await vi.advanceTimersByTimeAsync(1000)
    expect(await upload).toEqual({ _id: 'stored' })
    expect(keys).toEqual(['once', 'once'])
  } finally {
    vi.useRealTimers()
  }
})

test('a part that hangs when the connection is lost is aborted, and not sent without it', async () => {
  const sent: string[] = []
  class Hanging extends EventTarget {
    upload = new EventTarget()
    open = (method: string) => sent.push(method)
    setRequestHeader = vi.fn()
    abort = () => this.dispatchEvent(new Event('abort'))
    send = () => queueMicrotask(() => lostConnection.set('server'))
  }
  vi.stubGlobal('XMLHttpRequest', Hanging)
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ _id: 'begun', offset: 0 }, { status: 201 })))
  const how = howTo()
  const error = await uploadFile(largeFile(), how).catch((reason: unknown) => reason)
  expect(isDisconnected(error)).toBe(true)
  expect(sent).toEqual(['PATCH'])
  expect(how.onProgress).toHaveBeenLastCalledWith(0)
})

describe('while servers are upgraded', () => {
  const replaces = { _id: 'old', version: 3 } as Asset

  class Sent extends EventTarget {
    static answers: unknown[] = []
    static sent: string[] = []
    upload = new EventTarget()
    status = 200
    responseText = ''
    #request = ''
    open = (method: string, url: string) => (this.#request = `${method} ${url}`)
    setRequestHeader = (name: string, value: string) => {
      if (name === 'if-match' || name === 'upload-offset') this.#request += ` ${value}`
    }
    send = () => {
      Sent.sent.push(this.#request)
      this.responseText = JSON.stringify(Sent.answers.shift())
      queueMicrotask(() => this.dispatchEvent(new Event('load')))
    }
  }

  beforeEach(() => {
    Sent.sent = []
    vi.stubGlobal('XMLHttpRequest', Sent)
  })

  test('a replacement is sent whole to a server that knows none in parts', async () => {
    Sent.answers = [{ _id: 'old', version: 4 }]
    const body = { message: 'Invalid', code: 'invalid', errors: [{ path: 'replaces', message: 'Unknown field' }] }
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json(body, { status: 400 })))
    expect(await uploadFile(largeFile(), { ...howTo(), replaces })).toEqual({ _id: 'old', version: 4 })
    expect(Sent.sent).toEqual(['PUT /api/assets/old/file "3"'])
  })

  test('a replacement whose last part reached a server that cannot complete it is completed by another one', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    try {
      const [bodies, file] = [[] as unknown[], new File(['abc'], 'small.png')]
      const complete = { _id: 'begun', offset: file.size }
      Sent.answers = [complete, { ...complete, asset: { _id: 'old', version: 4 } }]
      vi.stubGlobal('fetch', (_url: string, { method, body }: RequestInit) => {
        if (typeof body === 'string') bodies.push(JSON.parse(body))
        return Promise.resolve(Response.json(method === 'POST' ? { _id: 'begun', offset: 0 } : complete))
      })
      const upload = uploadFile(file, { ...howTo(), replaces })
      await vi.advanceTimersByTimeAsync(1000)
      expect(await upload).toEqual({ _id: 'old', version: 4 })
      expect(bodies).toMatchObject([{ size: 3, replaces: { _id: 'old', version: 3 } }])
      expect(Sent.sent).toEqual(['PATCH /api/uploads/begun 0', 'PATCH /api/uploads/begun 3'])
    } finally {
      vi.useRealTimers()
    }
  })
})
