import { afterEach, expect, test, vi } from 'vitest'
import { token } from './session.ts'
import { sendImage, uploadFile } from './upload.ts'

afterEach(() => {
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
  token.set(`h.${btoa(JSON.stringify({ exp: 9e9 }))}.s`)
  const file = new File([new Uint8Array(9 * 1024 * 1024)], 'large.mp4')
  const how = { isPublic: true, signal: leaving.signal, onProgress: vi.fn(), onSession: vi.fn() }
  await expect(uploadFile(file, how)).rejects.toThrow('cancelled')
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
