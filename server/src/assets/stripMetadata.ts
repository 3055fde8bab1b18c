import { open } from 'node:fs/promises'
import {
  ADTS,
  AdtsOutputFormat,
  Conversion,
  FLAC,
  FlacOutputFormat,
  type Input,
  MP3,
  Mp3OutputFormat,
  MovOutputFormat,
  MP4,
  Mp4OutputFormat,
  OGG,
  OggOutputFormat,
  Output,
  type OutputFormat,
  QTFF,
  StreamTarget,
  type StreamTargetChunk,
  WAVE,
  WavOutputFormat,
  WEBM,
  WebMOutputFormat,
} from 'mediabunny'
import { withInput } from './audioVideo.ts'

/** The first and the last packet may be counted differently. */
const MAX_DURATION_DIFFERENCE_SECONDS = 1

const OUTPUTS = new Map<object, () => OutputFormat>([
  [MP4, () => new Mp4OutputFormat()],
  [QTFF, () => new MovOutputFormat()],
  [WEBM, () => new WebMOutputFormat()],
  [MP3, () => new Mp3OutputFormat()],
  [WAVE, () => new WavOutputFormat()],
  [OGG, () => new OggOutputFormat()],
  [FLAC, () => new FlacOutputFormat()],
  [ADTS, () => new AdtsOutputFormat()],
])

/**
 * Copies a recording to another file, bit by bit for video and audio, without its metadata: where, when and with what
 * it was made, and its tags. Returns false if anything else would be lost; the output is then unusable.
 */
export async function stripMetadata(file: string, to: string): Promise<boolean> {
  if (await holdsSubtitles(file)) return false
  const target = await fileTarget(to)
  try {
    const copied = (input: Input) => copyTracks(input, target.stream)
    if (!(await withInput(file, copied))) return false
    const [before, after] = [await withInput(file, facts), await withInput(to, facts)]
    return (
      after.codecs === before.codecs &&
      after.tags === '' &&
      Math.abs(after.length - before.length) < MAX_DURATION_DIFFERENCE_SECONDS
    )
  } catch {
    // A full disk is no problem of the metadata.
    if (target.failure()) throw target.failure()
    return false
  } finally {
    await target.close()
  }
}

/** A file opened for writing at any position. It is closed here, since an unfinished output leaves it open. */
async function fileTarget(path: string) {
  const handle = await open(path, 'w', 0o600)
  let failure: unknown
  const write = async ({ data, position }: StreamTargetChunk) => {
    try {
      const { bytesWritten } = await handle.write(data, 0, data.byteLength, position)
      if (bytesWritten < data.byteLength) throw Object.assign(new Error('The disk is full'), { code: 'ENOSPC' })
    } catch (error) {
      failure = error
      throw error
    }
  }
  return { stream: new WritableStream({ write }), failure: () => failure, close: () => handle.close() }
}

async function copyTracks(input: Input, stream: WritableStream<StreamTargetChunk>): Promise<boolean> {
  const format = OUTPUTS.get(await input.getFormat())
  if (!format) return false
  const output = new Output({ format: format(), target: new StreamTarget(stream, { chunked: true }) })
  // Track names often contain the camera model.
  const [addVideo, addAudio] = [output.addVideoTrack.bind(output), output.addAudioTrack.bind(output)]
  output.addVideoTrack = (source, { name: _, ...metadata } = {}) => addVideo(source, metadata)
  output.addAudioTrack = (source, { name: _, ...metadata } = {}) => addAudio(source, metadata)
  const copy = { mode: 'forced', shiftTolerance: Infinity } as const
  const conversion = await Conversion.init({ input, output, copy, tags: {}, showWarnings: false })
  if (!conversion.isValid || conversion.discardedTracks.length > 0) return false
  await conversion.execute()
  return true
}

async function facts(input: Input) {
  const tracks = await input.getTracks()
  const codecs = await Promise.all(tracks.map((track) => track.getCodec()))
  const { raw = {}, ...tags } = await input.getMetadataTags()
  // The software that wrote the file, which is ours.
  const { vendor: _, ...others } = raw
  const length = await input.computeDuration()
  return { codecs: codecs.join(' '), tags: [...Object.keys(tags), ...Object.keys(others)].join(' '), length }
}

/** Text track types in MP4 and QuickTime, and text codecs in WebM. */
const TEXT_TRACK = /hdlr[^]{8}(text|sbtl|subt|clcp)/
const TEXT_CODEC = /[SD]_(TEXT|WEBVTT)/
/** The maximum size of a track description, in bytes. */
const MAX_TEXT_TRACK_BYTES = 32 * 1024 * 1024

/** Whether a recording has subtitles, which would be lost. */
async function holdsSubtitles(file: string): Promise<boolean> {
  const handle = await open(file)
  try {
    const read = async (at: number, length: number) => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, at)
      return buffer.subarray(0, bytesRead)
    }
    const { size } = await handle.stat()
    const head = (await read(0, 64 * 1024)).toString('latin1')
    if (head.startsWith('\x1a\x45\xdf\xa3')) return TEXT_CODEC.test(head)
    for (let at = 0; at + 8 <= size;) {
      const box = await read(at, 16)
      const name = box.toString('latin1', 4, 8)
      const given = box.readUInt32BE(0)
      const length = given === 1 && box.length === 16 ? Number(box.readBigUInt64BE(8)) : given || size - at
      if (!/^[\x20-\x7e]{4}$/.test(name) || length < 8) return false
      if (name === 'moov')
        return TEXT_TRACK.test((await read(at, Math.min(length, MAX_TEXT_TRACK_BYTES))).toString('latin1'))
      at += length
    }
    return false
  } finally {
    await handle.close()
  }
}
