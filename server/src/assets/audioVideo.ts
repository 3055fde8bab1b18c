import { reasonText } from '@mokuroku/contract/reasons'
import { ADTS, FilePathSource, FLAC, Input, Logging, LogLevel, MP3, MP4, OGG, QTFF, WAVE, WEBM } from 'mediabunny'
import { Refusal } from '#lib/errors.ts'

/** Playlists are not among them: they point at other files, which are not to be read. */
const FORMATS = [MP4, QTFF, WEBM, MP3, WAVE, OGG, FLAC, ADTS]
/**
 * Packets that a recording may have, by its size in bytes. An honest one has far fewer: an hour of silence in Opus has
 * 180,000. Each costs time that a hostile file does not pay for.
 */
const maxPackets = (size: number): number => 200_000 + size / 64

/** Examines video or audio; refuses what holds neither. */
export const probeAudioVideo = (file: string): Promise<{ hasVideo: boolean }> =>
  withInput(file, async (input) => {
    const tracks = await input.getTracks()
    if (tracks.length === 0) unreadable()
    return { hasVideo: tracks.some((track) => track.isVideoTrack()) }
  })

/** The size of its pictures in pixels, as they are shown, and how long it lasts in seconds. */
export const measureAudioVideo = (file: string) =>
  withInput(file, async (input) => {
    const video = await input.getPrimaryVideoTrack()
    const dimensions = video && { width: await video.getDisplayWidth(), height: await video.getDisplayHeight() }
    const duration = (await input.getDurationFromMetadata()) ?? (await input.computeDuration())
    return { ...(dimensions && { dimensions }), duration: Math.round(duration * 1000) / 1000 }
  })

/** Refuses a recording of so many packets that each is next to nothing. */
export const checkPackets = (file: string, size: number): Promise<void> =>
  withInput(file, async (input) => {
    let left = maxPackets(size)
    for (const track of await input.getTracks()) left -= (await track.computePacketStats(left + 1)).packetCount
    if (left < 0) throw new Refusal(415, 'mediaType', reasonText('filePartsMany'))
  })

/** Opens a recording for `use`. Refuses one that cannot be read. How long it may take is limited from outside. */
export async function withInput<T>(file: string, use: (input: Input) => Promise<T>): Promise<T> {
  // What is wrong with a file is said to its sender.
  Logging.level = LogLevel.Silent
  const input = new Input({ source: new FilePathSource(file), formats: FORMATS })
  try {
    return await use(input)
  } catch (error) {
    if (error instanceof Refusal) throw error
    return unreadable()
  } finally {
    input.dispose()
  }
}

function unreadable(): never {
  throw new Refusal(415, 'mediaType', reasonText('notRecording'))
}
