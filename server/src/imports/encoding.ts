// Detects the encoding of a text from its bytes, and decodes it.
import { createReadStream } from 'node:fs'
import { reasonText } from '@mokuroku/contract/reasons'
import { Refusal } from '#lib/errors.ts'

/** How many bytes are examined if there is no byte order mark. */
const PROBE_BYTES = 64 * 1024
/**
 * Maximum share of half-width katakana among non-ASCII characters for Japanese; Chinese read as Shift_JIS has mostly
 * these.
 */
const MAX_HALF_WIDTH = 0.3
/** Minimum share of GB 2312 byte pairs for Chinese; Shift_JIS has few. */
const MIN_GB2312 = 0.9

/** Decodes a file in chunks, without its byte order mark. Throws a Refusal if the encoding is unknown. */
export async function* textOf(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(await encodingOf(file), { fatal: true })
  try {
    for await (const bytes of createReadStream(file)) yield decoder.decode(bytes as Buffer, { stream: true })
    yield decoder.decode()
  } catch (error) {
    if (error instanceof TypeError) throw unknown()
    throw error
  }
}

const unknown = (): Refusal => new Refusal(400, 'encoding', reasonText('importEncoding'))

/** The encoding of a file, as a label for `TextDecoder`. */
async function encodingOf(file: string): Promise<string> {
  const probe = await firstBytes(file)
  const [one = 0, two = 0, three = 0] = probe
  if (one === 0xff && two === 0xfe) return 'utf-16le'
  if (one === 0xfe && two === 0xff) return 'utf-16be'
  if (one === 0xef && two === 0xbb && three === 0xbf) return 'utf-8'
  const wide = wideEncoding(probe)
  if (wide) return wide
  let hasOthers = false
  const utf8 = await decodes(file, 'utf-8', (text) => (hasOthers ||= /\P{ASCII}/u.test(text)))
  if (utf8 === 'whole') return 'utf-8'
  // A file that was cut off within a character: in another encoding, it would contain other characters.
  if (utf8 === 'cut' && hasOthers) throw unknown()
  const seen = { all: 0, halfWidth: 0 }
  const isJapanese = (await decodes(file, 'shift_jis', (text) => countHalfWidth(text, seen))) === 'whole'
  const isChinese = (await decodes(file, 'gb18030')) === 'whole'
  const likely = isChinese && (await gb2312Share(file)) >= MIN_GB2312
  if (isJapanese && !likely && seen.halfWidth < MAX_HALF_WIDTH * seen.all) return 'shift_jis'
  if (isChinese) return 'gb18030'
  if (isJapanese) return 'shift_jis'
  throw unknown()
}

async function firstBytes(file: string): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of createReadStream(file, { end: PROBE_BYTES - 1 })) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

/** Detects UTF-16 without a byte order mark: in most ASCII characters, one of the two bytes is 0. */
function wideEncoding(bytes: Buffer): string | undefined {
  const zeros = [0, 0]
  for (const [at, byte] of bytes.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  if (even + odd < bytes.length / 20) return undefined
  return odd > even ? 'utf-16le' : 'utf-16be'
}

/** Whether a file can be decoded, or all of it but an incomplete last character; passes the decoded text to `each`. */
async function decodes(
  file: string,
  encoding: string,
  each: (text: string) => void = () => undefined,
): Promise<'whole' | 'cut' | 'not'> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  let isRead = false
  try {
    for await (const bytes of createReadStream(file)) each(decoder.decode(bytes as Buffer, { stream: true }))
    isRead = true
    decoder.decode()
    return 'whole'
  } catch (error) {
    if (error instanceof TypeError) return isRead ? 'cut' : 'not'
    throw error
  }
}

function countHalfWidth(text: string, seen: { all: number; halfWidth: number }): void {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code < 0x80) continue
    seen.all += 1
    if (code >= 0xff61 && code <= 0xff9f) seen.halfWidth += 1
  }
}

/** The share of double-byte characters with two high bytes, as all in GB 2312 have. */
async function gb2312Share(file: string): Promise<number> {
  let [pairs, high, lead] = [0, 0, 0]
  for await (const bytes of createReadStream(file))
    for (const byte of bytes as Buffer) {
      if (lead !== 0) {
        pairs += 1
        if (lead >= 0xa1 && byte >= 0xa1) high += 1
        lead = 0
      } else if (byte >= 0x80) lead = byte
    }
  return pairs === 0 ? 0 : high / pairs
}
