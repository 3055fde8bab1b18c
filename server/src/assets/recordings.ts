import { setTimeout as sleep } from 'node:timers/promises'
import { ADTS, FilePathSource, FLAC, Input, Logging, LogLevel, MP3, MP4, OGG, QTFF, WAVE, WEBM } from 'mediabunny'
import { Refusal } from '#lib/errors.ts'

/** Playlists are not among them: they point at other files, which are not to be read. */
const FORMATS = [MP4, QTFF, WEBM, MP3, WAVE, OGG, FLAC, ADTS]
/** Longer than any honest file takes, in milliseconds. */
const PATIENCE = 15_000

/** Looks into video or audio; refuses what holds neither. */
export const checkRecording = (file: string): Promise<{ hasVideo: boolean }> =>
  withInput(file, async (input) => {
    const tracks = await input.getTracks()
    if (tracks.length === 0) unreadable()
    return { hasVideo: tracks.some((track) => track.isVideoTrack()) }
  })

/** The size of its pictures in pixels, as they are shown, and how long it lasts in seconds. */
export const measureRecording = (file: string) =>
  withInput(file, async (input) => {
    const video = await input.getPrimaryVideoTrack()
    const dimensions = video && { width: await video.getDisplayWidth(), height: await video.getDisplayHeight() }
    const duration = (await input.getDurationFromMetadata()) ?? (await input.computeDuration())
    return { ...(dimensions && { dimensions }), duration: Math.round(duration * 1000) / 1000 }
  })

/** Opens a recording for `look`. Refuses one that cannot be read, or not in `patience`. */
export async function withInput<T>(file: string, look: (input: Input) => Promise<T>, patience = PATIENCE): Promise<T> {
  // What is wrong with a file is said to its sender.
  Logging.level = LogLevel.Silent
  const input = new Input({ source: new FilePathSource(file), formats: FORMATS })
  const giveUp = new AbortController()
  const late = sleep(patience, undefined, { signal: giveUp.signal, ref: false }).then(() => unreadable())
  try {
    return await Promise.race([look(input), late])
  } catch {
    return unreadable()
  } finally {
    giveUp.abort()
    input.dispose()
  }
}

function unreadable(): never {
  throw new Refusal(415, 'mediaType', 'This file cannot be read as video or audio.')
}
