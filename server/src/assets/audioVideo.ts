import { reasonText } from '@mokuroku/contract/reasons'
import { ADTS, FilePathSource, FLAC, Input, Logging, LogLevel, MP3, MP4, OGG, QTFF, WAVE, WEBM } from 'mediabunny'
import { Refusal } from '#lib/errors.ts'

/** Playlists are excluded: they refer to other files, which must not be read. */
const FORMATS = [MP4, QTFF, WEBM, MP3, WAVE, OGG, FLAC, ADTS]
/**
 * Maximum number of packets in a recording, by its size in bytes. Normal files have far fewer: an hour of silence in
 * Opus has 180,000. Each packet costs processing time, which a malicious file could multiply with tiny packets.
 */
const maxPackets = (size: number): number => 200_000 + size / 64

/** Examines a video or audio file; throws if it contains neither. */
export const probeAudioVideo = (file: string): Promise<{ hasVideo: boolean }> =>
  withInput(file, async (input) => {
    const tracks = await input.getTracks()
    if (tracks.length === 0) unreadable()
    return { hasVideo: tracks.some((track) => track.isVideoTrack()) }
  })

/** The display size in pixels, if it has video, and the duration in seconds. */
export const measureAudioVideo = (file: string) =>
  withInput(file, async (input) => {
    const video = await input.getPrimaryVideoTrack()
    const dimensions = video && { width: await video.getDisplayWidth(), height: await video.getDisplayHeight() }
    const duration = (await input.getDurationFromMetadata()) ?? (await input.computeDuration())
    return { ...(dimensions && { dimensions }), duration: Math.round(duration * 1000) / 1000 }
  })

/** Throws for a recording with too many tiny packets. */
export const checkPackets = (file: string, size: number): Promise<void> =>
  withInput(file, async (input) => {
    let left = maxPackets(size)
    for (const track of await input.getTracks()) left -= (await track.computePacketStats(left + 1)).packetCount
    if (left < 0) throw new Refusal(415, 'mediaType', reasonText('filePartsMany'))
  })

/** Opens a recording for `use`. Throws if it cannot be read. The caller must limit the time. */
export async function withInput<T>(file: string, use: (input: Input) => Promise<T>): Promise<T> {
  // Errors in the file are reported to the sender, not logged.
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
