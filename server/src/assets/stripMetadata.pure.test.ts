import { mkdtempSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  type MetadataTags,
  MovOutputFormat,
  Mp4OutputFormat,
  Output,
  type OutputFormat,
  WebMOutputFormat,
} from 'mediabunny'
import { afterAll, expect, test } from 'vitest'
import { aSound } from '#test/files.ts'
import { withInput } from './audioVideo.ts'
import { stripMetadata } from './stripMetadata.ts'

const folder = mkdtempSync(join(tmpdir(), 'mokuroku-scrub-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const PLACE = '+48.8577+002.2950/'
const SECRETS = [PLACE, 'SECRET']
const tags = { title: 'SECRET title', artist: 'SECRET artist', comment: `SECRET at ${PLACE}` }

/** Two seconds of video and audio packets (never decoded), with metadata as a camera writes it. */
async function aRecording(format: OutputFormat, metadata: MetadataTags): Promise<Buffer> {
  const output = new Output({ format, target: new BufferTarget() })
  const [video, audio] = [new EncodedVideoPacketSource('vp9'), new EncodedAudioPacketSource('opus')]
  output.addVideoTrack(video, { name: 'SECRET camera', rotation: format instanceof WebMOutputFormat ? 0 : 90 })
  output.addAudioTrack(audio, { languageCode: 'jpn', name: 'SECRET microphone' })
  output.setMetadataTags(metadata)
  await output.start()
  const decoderConfig = { codec: 'vp09.00.10.08', codedWidth: 320, codedHeight: 180 }
  for (let at = 0; at < 20; at++) {
    const bytes = (length: number) => new Uint8Array(length).map((_, index) => (index * 7 + at) % 251)
    await video.add(new EncodedPacket(bytes(400), at % 10 === 0 ? 'key' : 'delta', at / 10, 0.1), { decoderConfig })
    const config = { codec: 'opus', numberOfChannels: 2, sampleRate: 48_000 }
    await audio.add(new EncodedPacket(bytes(80), 'key', at / 10, 0.1), { decoderConfig: config })
  }
  await output.finalize()
  return Buffer.from(output.target.buffer ?? new ArrayBuffer(0))
}

/** All video and audio content of a recording. */
const contents = (file: string) =>
  withInput(file, async (input) => {
    const tracks = await input.getTracks()
    const packets = tracks.map(async (track) => {
      const found = []
      for await (const { type, timestamp, data } of new EncodedPacketSink(track).packets())
        found.push(`${type} ${timestamp.toFixed(3)} ${Buffer.from(data).toString('base64')}`)
      const [codec, language, rotation] = [await track.getCodec(), await track.getLanguageCode(), '']
      return { codec, language, rotation: track.isVideoTrack() ? await track.getRotation() : rotation, found }
    })
    return Promise.all(packets)
  })

async function scrubbed(content: Buffer) {
  const [from, to] = [join(folder, 'from'), join(folder, 'to')]
  await rm(to, { force: true })
  await writeFile(from, content)
  return { from, to, done: await stripMetadata(from, to) }
}

const found = (content: Buffer) => SECRETS.filter((secret) => content.includes(secret))

test.each([
  [
    'MP4 as written by a phone',
    new Mp4OutputFormat({ metadataFormat: 'mdta' }),
    { 'com.apple.quicktime.location.ISO6709': PLACE, 'com.apple.quicktime.model': 'SECRET phone' },
  ],
  [
    'MP4 with its moov box first',
    new Mp4OutputFormat({ metadataFormat: 'udta', fastStart: 'in-memory' }),
    { '©xyz': PLACE, '©mak': 'SECRET maker' },
  ],
  ['QuickTime', new MovOutputFormat(), { '©xyz': PLACE }],
  ['WebM', new WebMOutputFormat(), { LOCATION: PLACE }],
])('removes location, device and tags from %s, and nothing else', async (_, format, raw) => {
  const content = await aRecording(format, { ...tags, raw })
  expect(found(content)).toEqual(SECRETS)
  const { from, to, done } = await scrubbed(content)
  expect(done).toBe(true)
  expect(found(await readFile(to))).toEqual([])
  const [before, after] = [await contents(from), await contents(to)]
  expect(after).toEqual(before)
  expect(after).toMatchObject([{ codec: 'vp9' }, { codec: 'opus', language: 'jpn' }])
})

/** A RIFF chunk. */
function chunk(id: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(id)
  head.writeUInt32LE(content.length, 4)
  return Buffer.concat([head, content])
}

test('removes the metadata chunks from WAV', async () => {
  const plain = aSound(2)
  const info = Buffer.concat([Buffer.from('INFO'), chunk('IART', Buffer.from('SECRET artist\0'))])
  const content = Buffer.concat([plain, chunk('LIST', info), chunk('bext', Buffer.from(`SECRET ${PLACE} `))])
  content.writeUInt32LE(content.length - 8, 4)
  const { to, done } = await scrubbed(content)
  expect(done).toBe(true)
  const after = await readFile(to)
  expect(found(after)).toEqual([])
  expect(after.includes(plain.subarray(44))).toBe(true)
})

test('removes the tags at both ends of MP3', async () => {
  const frame = Buffer.alloc(417)
  frame.writeUInt32BE(0xff_fb_90_00)
  const text = Buffer.from(`\0SECRET ${PLACE}`)
  const id3 = Buffer.concat([
    Buffer.from([0x49, 0x44, 0x33, 3, 0, 0, 0, 0, 0, text.length + 10]),
    Buffer.from('TPE1\0\0\0'),
    Buffer.from([text.length, 0, 0]),
    text,
  ])
  const tail = Buffer.alloc(128)
  tail.write('TAGSECRET title')
  const content = Buffer.concat([id3, ...Array.from({ length: 60 }, () => frame), tail])
  const { from, to, done } = await scrubbed(content)
  expect(done).toBe(true)
  expect(found(await readFile(to))).toEqual([])
  const [[before], [after]] = [await contents(from), await contents(to)]
  expect(after?.found).toEqual(before?.found)
  expect(after?.found.length).toBeGreaterThan(50)
})

test('leaves a file with subtitles unchanged, because they would be lost', async () => {
  const content = await aRecording(new Mp4OutputFormat(), tags)
  const at = content.lastIndexOf('soun')
  content.write('sbtl', at)
  expect(await scrubbed(content)).toMatchObject({ done: false })
  const webm = await aRecording(new WebMOutputFormat(), tags)
  const marked = Buffer.from(webm.toString('latin1').replace('A_OPUS', 'S_TEXT'), 'latin1')
  expect(await scrubbed(marked)).toMatchObject({ done: false })
})

test('leaves a file unchanged if a track cannot be copied or the file cannot be parsed', async () => {
  const content = await aRecording(new Mp4OutputFormat(), tags)
  content.write('xxxx', content.indexOf('Opus'))
  expect(await scrubbed(content)).toMatchObject({ done: false })
  expect(await scrubbed(content.subarray(0, 300))).toMatchObject({ done: false })
  expect(await scrubbed(Buffer.from('no recording'))).toMatchObject({ done: false })
})
