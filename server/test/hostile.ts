// Files made to harm a parser: valid ones of every accepted kind, corrupted in ways that parsers fall for, and files
// that once stopped the server.
import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  MovOutputFormat,
  Mp4OutputFormat,
  OggOutputFormat,
  Output,
  type OutputFormat,
  WebMOutputFormat,
} from 'mediabunny'
import sharp from 'sharp'
import { crc32 } from 'node:zlib'
import { aSound } from './files.ts'

export interface HostileFile {
  name: string
  content: Buffer
}

/** Pseudorandom numbers from 0 to 1 that are the same in every run (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** One valid file of each accepted container. */
export async function honestFiles(): Promise<HostileFile[]> {
  const picture = (format: 'jpeg' | 'png' | 'gif' | 'webp' | 'avif') =>
    sharp({ create: { width: 64, height: 48, channels: 3, background: '#a34a12' } })
      .toFormat(format)
      .toBuffer()
  const frames = async (format: 'gif' | 'webp') => {
    const each = [20, 120, 220].map((red) =>
      sharp({ create: { width: 32, height: 32, channels: 3, background: { r: red, g: 80, b: 90 } } })
        .png()
        .toBuffer(),
    )
    return sharp(await Promise.all(each), { join: { animated: true } })
      .toFormat(format)
      .toBuffer()
  }
  return Promise.all(
    Object.entries({
      'a.jpg': picture('jpeg'),
      'a.png': picture('png'),
      'animated.png': picture('png').then(animated),
      'a.gif': frames('gif'),
      'a.webp': frames('webp'),
      'a.avif': picture('avif'),
      'a.mp4': aRecording(new Mp4OutputFormat({ fastStart: 'in-memory' })),
      'fragments.mp4': aRecording(new Mp4OutputFormat({ fastStart: 'fragmented' })),
      'a.mov': aRecording(new MovOutputFormat()),
      'a.webm': aRecording(new WebMOutputFormat()),
      'a.ogg': aRecording(new OggOutputFormat(), false),
      'a.m4a': oneByteSamples(50),
      'a.mp3': Buffer.concat(Array.from({ length: 40 }, () => anMp3Frame())),
      'a.wav': aSound(1),
      'a.flac': aFlac(),
      'a.aac': anAac(40, 40),
    }).map(async ([name, content]) => ({ name, content: await content })),
  )
}

/**
 * The files that once stopped the server: with an element without a length, a sample per byte, a frame per eight bytes.
 */
export const reportedFiles = (): HostileFile[] => [
  {
    name: 'empty-elements.webm',
    content: Buffer.concat([
      Buffer.from(
        '1A45DFA39F4286810142F7810142F2810442F381084282847765626D42878104428581021853806701FFFFFFFFFFFFFF',
        'hex',
      ),
      Buffer.alloc(64),
    ]),
  },
  { name: 'one-byte-samples.m4a', content: oneByteSamples(1_800_000) },
  { name: 'tiny.aac', content: anAac(237_000, 1) },
]

/** A FLAC file that is accepted, but in which the search for the first frame never ends. */
export function endlessFlac(): Buffer {
  const content = aFlac()
  return content.fill(0, 42, 47)
}

/**
 * `count` corrupted versions of a file, in turn: truncated, with wrong lengths, self-references, zeroes, and huge
 * counts.
 */
export function spoilt({ name, content }: HostileFile, count: number, random: () => number): HostileFile[] {
  return Array.from({ length: count }, (_, each) => {
    const [kind, spoil] = KINDS[each % KINDS.length] ?? ['cut', cut]
    return { name: `${kind}-${each}-${name}`, content: spoil(Buffer.from(content), random) }
  })
}

type Spoil = (content: Buffer, random: () => number) => Buffer

const pick = (random: () => number, count: number): number => Math.floor(random() * count)

const cut: Spoil = (content, random) => content.subarray(0, pick(random, content.length))

const LIES = [0xff_ff_ff_ff, 0x7f_ff_ff_ff, 0, 1, 0x01_00_00_00, 7]

/**
 * Offsets of numbers that may be a length, an offset or a count: around names of four letters, or anywhere in the head.
 */
function fieldsOf(content: Buffer): number[] {
  const named = [...content.toString('latin1', 0, 4096).matchAll(/[A-Za-z©][A-Za-z0-9 ]{3}/g)]
  const around = named.flatMap(({ index }) => [index - 4, index + 4, index + 8, index + 12])
  const head = Array.from({ length: 48 }, (_, at) => at + 4)
  return [...around, ...head].filter((at) => at >= 4 && at + 4 <= content.length)
}

function overwritten(value: (at: number, random: () => number) => number, times = 1): Spoil {
  return (content, random) => {
    const fields = fieldsOf(content)
    for (let each = 0; each < times; each++) {
      const at = fields[pick(random, fields.length)] ?? 4
      const number = value(at, random) >>> 0
      if (random() < 0.5) content.writeUInt32BE(number, at)
      else content.writeUInt32LE(number, at)
    }
    return content
  }
}

/** The ways to corrupt a file, by name. */
export const KINDS: [string, Spoil][] = [
  ['cut', cut],
  ['lying', overwritten((_, random) => LIES[pick(random, LIES.length)] ?? 0)],
  ['naming-itself', overwritten((at) => at)],
  ['countless', overwritten((_, random) => 1_000_000 + pick(random, 4e9), 3)],
  [
    'empty',
    (content, random) => content.fill(0, pick(random, content.length), content.length - pick(random, content.length)),
  ],
  [
    'in-itself',
    (content, random) => {
      const at = pick(random, Math.min(content.length, 600))
      return Buffer.concat([content.subarray(0, at), content, content.subarray(at)])
    },
  ],
]

/** Two channels at 48 kHz, as an Ogg header. */
const OPUS_HEAD = Buffer.concat([Buffer.from('OpusHead'), Buffer.from([1, 2, 0, 0, 0x80, 0xbb, 0, 0, 0, 0, 0])])

async function aRecording(format: OutputFormat, hasVideo = true): Promise<Buffer> {
  const output = new Output({ format, target: new BufferTarget() })
  const [video, audio] = [new EncodedVideoPacketSource('vp9'), new EncodedAudioPacketSource('opus')]
  if (hasVideo) output.addVideoTrack(video)
  output.addAudioTrack(audio)
  await output.start()
  for (let at = 0; at < 20; at++) {
    const packet = (length: number) =>
      new EncodedPacket(new Uint8Array(length).fill(at), at % 10 === 0 || length < 100 ? 'key' : 'delta', at / 10, 0.1)
    if (hasVideo)
      await video.add(packet(200), { decoderConfig: { codec: 'vp09.00.10.08', codedWidth: 320, codedHeight: 180 } })
    await audio.add(packet(60), {
      decoderConfig: { codec: 'opus', numberOfChannels: 2, sampleRate: 48_000, description: OPUS_HEAD },
    })
  }
  await output.finalize()
  return Buffer.from(output.target.buffer ?? new ArrayBuffer(0))
}

/** A PNG that claims to be animated. */
function animated(png: Buffer): Buffer {
  const chunk = Buffer.concat([Buffer.from('acTL'), Buffer.from([0, 0, 0, 1, 0, 0, 0, 0])])
  const whole = Buffer.alloc(20)
  whole.writeUInt32BE(8)
  chunk.copy(whole, 4)
  whole.writeUInt32BE(crc32(chunk), 16)
  return Buffer.concat([png.subarray(0, 33), whole, png.subarray(33)])
}

function anMp3Frame(): Buffer {
  const frame = Buffer.alloc(417)
  frame.writeUInt32BE(0xff_fb_90_00)
  return frame
}

/** A FLAC stream header, and frames that are never decoded. */
function aFlac(): Buffer {
  const info = Buffer.alloc(34)
  info.writeUInt16BE(4096, 0)
  info.writeUInt16BE(4096, 2)
  // 44,100 Hz, two channels, 16 bits, and the number of samples.
  info.writeUInt32BE(((44_100 << 12) | (1 << 9) | (15 << 4)) >>> 0, 10)
  info.writeUInt32BE(4096 * 3, 14)
  const frame = Buffer.alloc(300)
  frame.writeUInt32BE(0xff_f8_c9_18)
  return Buffer.concat([Buffer.from('fLaC'), Buffer.from([0x80, 0, 0, 34]), info, frame, frame, frame])
}

/** ADTS frames with `bytes` bytes of sound each. */
function anAac(frames: number, bytes: number): Buffer {
  const length = bytes + 7
  const frame = Buffer.alloc(length, 0x21)
  frame.set([0xff, 0xf1, 0x50, 0x80, length >> 3, ((length & 7) << 5) | 0x1f, 0xfc])
  return Buffer.concat(Array.from({ length: frames }, () => frame))
}

const box = (name: string, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(content.length + 8)
  head.write(name, 4, 'latin1')
  return Buffer.concat([head, content])
}

const numbers = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, at * 4)
  return bytes
}

/** An M4A file with `count` samples of one byte each. */
function oneByteSamples(count: number): Buffer {
  const matrix = [0x1_00_00, 0, 0, 0, 0x1_00_00, 0, 0, 0, 0x40_00_00_00]
  const esds = Buffer.from(
    ['00000000', '0319000100', '04114015', '00'.repeat(11), '05021210', '060102'].join(''),
    'hex',
  )
  const sound = Buffer.concat([
    numbers(0, 1, 0, 0),
    Buffer.from([0, 2, 0, 16, 0, 0, 0, 0]),
    numbers(44_100 * 65_536),
    box('esds', esds),
  ])
  const tables = (offset: number) =>
    box(
      'stbl',
      box('stsd', numbers(0, 1), box('mp4a', sound)),
      box('stts', numbers(0, 1, count, 1024)),
      box('stsc', numbers(0, 1, 1, count, 1)),
      box('stsz', numbers(0, 1, count)),
      box('stco', numbers(0, 1, offset)),
    )
  const head = (offset: number) => {
    const dinf = box('dinf', box('dref', numbers(0, 1), box('url ', numbers(1))))
    const media = box('minf', box('smhd', numbers(0, 0)), dinf, tables(offset))
    const mdia = box(
      'mdia',
      box('mdhd', numbers(0, 0, 0, 44_100, count * 1024, 0x55_c4_00_00)),
      box('hdlr', numbers(0, 0), Buffer.from('soun'), numbers(0, 0, 0), Buffer.from([0])),
      media,
    )
    const tkhd = box('tkhd', numbers(7, 0, 0, 1, 0, count, 0, 0, 0, 0x1_00_00_00, ...matrix, 0, 0))
    const mvhd = box(
      'mvhd',
      numbers(0, 0, 0, 1000, count, 0x1_00_00, 0x1_00_00_00, 0, 0, ...matrix, 0, 0, 0, 0, 0, 0, 2),
    )
    const brand = box('ftyp', Buffer.from('M4A '), numbers(0), Buffer.from('M4A isom'))
    return Buffer.concat([brand, box('moov', mvhd, box('trak', tkhd, mdia))])
  }
  const offset = head(0).length + 8
  return Buffer.concat([head(offset), box('mdat', Buffer.alloc(count))])
}
