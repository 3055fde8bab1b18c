// Malformed calls of any route: something is wrong in the path, the query, the headers, the body or the file.
import { BatchItem } from '@mokuroku/contract/ai'
import { SelectedMedia } from '@mokuroku/contract/selection'
import { Language, LongText, Ref, Title } from '@mokuroku/contract/common'
import { KINDS } from '@mokuroku/contract/kinds'
import { MediaInput } from '@mokuroku/contract/media'
import type { Route } from '@mokuroku/contract/route'
import fc from 'fast-check'
import * as z from 'zod/mini'
import { schemaOf } from '#http/jsonSchemas.ts'
import { PIXEL } from './calls.ts'
import { STRINGS } from './hostileValues.ts'
import { encoded, fitting, nasty, queryOf, spoilt } from './shapes.ts'

export interface Sent {
  url: string
  body: unknown
  headers: Record<string, string>
  payload: Buffer | undefined
}

const KIND_NAMES = [...KINDS, 'constructor', '__proto__', 'toString']
const part = (name: string, ids: string[]): fc.Arbitrary<string> => {
  const usual = name === 'kind' ? fc.constantFrom(...KIND_NAMES) : fc.constantFrom(...ids)
  const odd = nasty.map((value) => (value === '' ? 'x' : value))
  return fc.oneof({ weight: 3, arbitrary: usual }, { weight: 2, arbitrary: odd }).map(encoded)
}

const Texts = z.object({ text: z.record(Language, z.object({ title: Title, description: LongText })) })
const { characters, tags, cover } = SelectedMedia.shape
const MIXED = { characters, tags, cover }
/** Parts of a request that the route's schema accepts unchecked, and the schemas by which the handlers check them. */
const INSIDE: Record<string, Route['body']> = {
  'PUT /api/translations/media/batch': z.array(BatchItem),
  'POST /api/ai/create-media': z.object({ ...MediaInput.shape, ...MIXED }),
  'GET /api/ai/process': Texts,
  'POST /api/ai/process': Texts,
  'POST /api/ai/process-standard': z.object({ text: z.array(z.object({ id: Ref, translations: Texts.shape.text })) }),
}

function schemasOf({ method, path, query, body }: Route): [object?, object?] {
  const inside = INSIDE[`${method} ${path}`]
  const [asked, sent] = [query && (inside ?? query), body && (inside ?? body)]
  return [asked && schemaOf(asked, 'input'), sent && schemaOf(sent, 'input')]
}

const header = fc.constantFrom('"1"', '"2"', 'W/"3"', '"999999999"', '"0"', '*', 'abc', '"-1"', '1, 2', ' ', '"1e9"')
const headers = fc.record(
  {
    'if-match': header,
    'drop-links': fc.constantFrom('a,b', ',,,', 'x'.repeat(5000), '__proto__'),
    'ai-runs': fc.constantFrom('a,b', ',,,', 'x'.repeat(5000), '__proto__'),
    'last-event-id': fc.constantFrom('1', '-1', '1e308', 'NaN', '9007199254740993', 'x'.repeat(1000)),
    range: fc.constantFrom('bytes=0-', 'bytes=-1', 'bytes=9-1', 'bytes=a-b', `bytes=${'0-,'.repeat(500)}`),
    'x-forwarded-for': fc.constantFrom('1.2.3.4', '::1, x', 'x'.repeat(1000)),
    'accept-language': fc.constantFrom('zh', '*', 'x'.repeat(1000)),
  },
  { requiredKeys: [] },
)

/** A malformed call of a route; `ids` are ids of existing entities. */
export function callsOf(route: Route, ids: string[]): fc.Arbitrary<Sent> {
  const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const [query, body] = schemasOf(route)
  return fc
    .record({
      parts: fc.tuple(...names.map((name) => part(name, ids))),
      query: query ? fc.oneof(spoilt(query, ids), fitting(query, ids)) : fc.oneof(fc.constant({}), nasty),
      body: body ? spoilt(body, ids) : fc.oneof(fc.constant(undefined), nasty),
      headers: fc.oneof(fc.constant({}), headers),
      file: route.upload ? files(route.upload) : fc.constant(undefined),
    })
    .map(({ parts, query: asked, body: sent, headers: given, file }) => {
      let at = 0
      const path = route.path.replaceAll(/:\w+/g, () => parts[at++] ?? '')
      const search = queryOf(asked)
      const type = file?.type ?? (sent === undefined ? undefined : 'application/json')
      return {
        url: search ? `${path}?${search}` : path,
        body: sent,
        headers: { ...given, ...file?.headers, ...(type && { 'content-type': type }) },
        payload: file?.bytes ?? (sent === undefined ? undefined : Buffer.from(JSON.stringify(sent) ?? '')),
      }
    })
}

const contents = fc.oneof(
  fc.constantFrom(
    PIXEL,
    PIXEL.subarray(0, 30),
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    Buffer.from('RIFF\0\0\0\0WEBPVP8 '),
    Buffer.from('00000018667479706d703432', 'hex'),
    Buffer.alloc(0),
  ),
  fc.uint8Array({ maxLength: 2000 }).map((bytes) => Buffer.from(bytes)),
)

/** A file in a form that may be malformed, or a part of a file at an offset that may be wrong. */
function files(field: string) {
  const offset = fc.constantFrom('0', '-1', '1', '1e9', 'x', '9007199254740993')
  if (field === 'part')
    return fc.record({ bytes: contents, at: offset }).map(({ bytes, at }) => ({
      type: 'application/offset+octet-stream',
      bytes,
      headers: { 'upload-offset': at } as Record<string, string>,
    }))
  const named = fc.constantFrom(field, field, field, 'other', '__proto__')
  const filename = fc.oneof(fc.constant('a.png'), fc.constantFrom(...STRINGS))
  return fc
    .record({
      bytes: contents,
      name: named,
      filename,
      extra: fc.constantFrom('', '', 'isPublic', 'entityType', '__proto__', 'then'),
    })
    .map(({ bytes, name, filename: given, extra }) => {
      const field_ = extra
        ? `--X\r\ncontent-disposition: form-data; name="${extra}"\r\n\r\n${extra === 'entityType' ? 'Media' : 'false'}\r\n`
        : ''
      const head = `${field_}--X\r\ncontent-disposition: form-data; name="${name}"; filename="${given}"\r\n\r\n`
      return {
        type: 'multipart/form-data; boundary=X',
        bytes: Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--X--\r\n')]),
        headers: {},
      }
    })
}
