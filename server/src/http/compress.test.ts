import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { app, signedIn, withApp } from '#test/app.ts'
import { aMedia } from '#test/factories.ts'

withApp()

const LONG = { en: { title: 'Long', description: 'A story of many words. '.repeat(300) } }

async function aReader() {
  const { token } = await signedIn()
  return async (url: string, coding?: string, more: Record<string, string> = {}) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(coding !== undefined && { 'accept-encoding': coding }),
      ...more,
    }
    const { statusCode, headers: sent, rawPayload } = await app.inject({ url, headers })
    const { 'content-encoding': encoded, 'content-length': length, vary, etag } = sent
    return { status: statusCode, encoded, length: Number(length), vary, etag, bytes: rawPayload }
  }
}

test('compresses a long answer, fresh or cached, if the client accepts gzip, and sends it as is otherwise', async () => {
  const read = await aReader()
  const { _id: id } = await aMedia({ translations: LONG })
  for (const url of ['/api/media', `/api/media/${id}`, '/api/openapi.json'])
    for (const how of [{ 'cache-control': 'no-cache' }, {}, {}] as Record<string, string>[]) {
      const plain = await read(url, undefined, how)
      expect(plain).toMatchObject({ status: 200, encoded: undefined, vary: 'accept-encoding' })
      for (const coding of ['gzip, deflate, br, zstd', 'gzip', '*', 'br;q=1, gzip;q=0.5']) {
        const answer = await read(url, coding, how)
        expect(answer).toMatchObject({ status: 200, encoded: 'gzip', vary: 'accept-encoding', etag: plain.etag })
        expect(answer.length).toBe(answer.bytes.length)
        expect(answer.bytes.length).toBeLessThan(plain.bytes.length / 4)
        expect(gunzipSync(answer.bytes).equals(plain.bytes)).toBe(true)
      }
      for (const coding of ['', 'identity', 'br', 'gzip;q=0', 'nonsense', ','.repeat(8000)])
        expect((await read(url, coding, how)).bytes.equals(plain.bytes)).toBe(true)
    }
})

test('sends a short answer uncompressed, and a 304 without a body', async () => {
  const read = await aReader()
  const [short, long] = [await aMedia(), await aMedia({ translations: LONG })]
  expect(await read(`/api/media/${short._id}`, 'gzip')).toMatchObject({ encoded: undefined, vary: undefined })
  const { etag } = await read(`/api/media/${long._id}`, 'gzip')
  const again = await read(`/api/media/${long._id}`, 'gzip', { 'if-none-match': String(etag) })
  expect(again).toMatchObject({ status: 304, encoded: undefined, vary: 'accept-encoding', etag })
  expect(again.bytes.length).toBe(0)
})
