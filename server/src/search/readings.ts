// Derives the readings of Japanese titles from a dictionary, in a worker thread that is started on demand.
import { Worker } from 'node:worker_threads'
import { primaryLanguage } from '@mokuroku/contract/languageTags'
import type { Label } from '#ledger/definition.ts'
import { logFailure } from '#lib/background.ts'
import { HAN, KANA } from './chars.ts'

/** The reading of a text in kana, words separated by spaces: as written in kana, and with は and へ as pronounced. */
export interface Reading {
  written: string
  spoken: string
}

/** A label with its reading, if that is not in the text. */
export type ReadLabel = Label & { reading?: Reading | undefined }

/** Longer texts are not read. */
const MAX_CHARS = 400
/** Texts of more characters together are read after the transaction that writes them; reading them takes 0.2 s. */
export const MAX_CHARS_AT_ONCE = 8000
/** Number of cached readings. */
const MAX_REMEMBERED = 5000
/** How long the thread is kept without work, in milliseconds. */
const IDLE_MS = 10 * 60_000
/** Timeout for one request to the thread, in milliseconds: PostgreSQL ends a transaction that pauses for 15 seconds. */
const TIMEOUT_MS = 10_000
/** How long the thread may take to load the dictionary, in milliseconds. */
const LOAD_TIMEOUT_MS = 60_000

/**
 * Adds readings from the dictionary to Japanese labels: titles in Japanese, and originals and aliases with kana. Labels
 * of an entity with readings entered by a user get none. If the thread does not answer in time, or would have to read
 * more than `maxChars`, only those in the cache are added (`lacksReadings`).
 */
export async function withReadings(labels: Label[], maxChars = Infinity): Promise<ReadLabel[]> {
  const texts = [...new Set(labels.filter(needsReading).map(({ text }) => text))]
  if (texts.length === 0) return labels
  // A copy, since the cache may drop some of them while others are added.
  const found = new Map(texts.map((text) => [text, remembered.get(text)]))
  const missing = texts.filter((text) => !remembered.has(text))
  if (missing.length > 0 && missing.join('').length <= maxChars) {
    const readings = await ask(missing)
    for (const [at, reading] of readings.entries()) {
      found.set(missing[at] ?? '', reading)
      remember(missing[at] ?? '', reading)
    }
  }
  return labels.map((label) => (needsReading(label) ? { ...label, reading: found.get(label.text) } : label))
}

/** Whether the dictionary was not available for some of the labels that `withReadings` returned. */
export const lacksReadings = (labels: ReadLabel[]): boolean =>
  labels.some((label) => label.reading === undefined && needsReading(label))

/** Reads labels in small parts, so that a transaction then finds them in the cache. Returns whether all could be read. */
export async function readAhead(labels: Label[]): Promise<boolean> {
  const size = MAX_CHARS_AT_ONCE / MAX_CHARS
  for (let at = 0; at < labels.length; at += size)
    if (lacksReadings(await withReadings(labels.slice(at, at + size)))) return false
  return true
}

/** Whether the dictionary is asked for a reading of this label; it has none for some texts. */
export const needsReading = ({ language, text, isRead = false }: Label): boolean =>
  !isRead &&
  text.length <= MAX_CHARS &&
  HAN.test(text) &&
  (language === '' ? KANA.test(text) : primaryLanguage(language) === 'ja')

const remembered = new Map<string, Reading>()

function remember(text: string, reading: Reading): void {
  const [oldest] = remembered.keys()
  if (remembered.size >= MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest)
  remembered.set(text, reading)
}

interface Waiting {
  resolve: (readings: Reading[]) => void
  timer: NodeJS.Timeout
}

let worker: Worker | undefined
let loading = Promise.withResolvers<boolean>()
let isLoaded = false
/** Whether loading has taken so long that requests do not wait for it any more. */
let isLate = false
let idle: NodeJS.Timeout | undefined
let last = 0
const waiting = new Map<number, Waiting>()

/**
 * Waits until the dictionary is loaded, and returns whether it could be. For work that must not do without it: a write
 * of a user does not wait long for it.
 */
export function dictionaryLoaded(): Promise<boolean> {
  worker ??= start()
  return loading.promise
}

function ask(texts: string[]): Promise<Reading[]> {
  const thread = (worker ??= start())
  clearTimeout(idle)
  if (isLate) return Promise.resolve([])
  const id = ++last
  return new Promise((resolve) => {
    // A thread that still loads its dictionary, as on a busy machine, is kept for later requests.
    const timer = setTimeout(() => {
      isLate = !isLoaded
      if (isLoaded) stop(thread)
      else settle(id, [])
    }, TIMEOUT_MS)
    waiting.set(id, { resolve, timer })
    thread.ref()
    thread.postMessage({ id, texts }, [])
  })
}

function start(): Worker {
  const thread = new Worker(new URL('./readingWorker.ts', import.meta.url))
  isLoaded = false
  isLate = false
  loading = Promise.withResolvers()
  const timeout = setTimeout(() => stop(thread), LOAD_TIMEOUT_MS).unref()
  thread.on('message', ({ id, readings }: { id: number; readings: Reading[] }) => {
    isLoaded = true
    isLate = false
    loading.resolve(true)
    clearTimeout(timeout)
    settle(id, readings)
    if (waiting.size > 0) return
    thread.unref()
    idle = setTimeout(() => stop(thread), IDLE_MS).unref()
  })
  thread.on('error', (error) => {
    logFailure('reading Japanese titles')(error)
    stop(thread)
  })
  thread.on('exit', () => stop(thread))
  return thread
}

/** Stops the thread. Pending requests continue without readings, and the next one starts another thread. */
function stop(thread: Worker): void {
  if (worker !== thread) return
  worker = undefined
  clearTimeout(idle)
  loading.resolve(false)
  for (const id of waiting.keys()) settle(id, [])
  void thread.terminate()
}

function settle(id: number, readings: Reading[]): void {
  const one = waiting.get(id)
  waiting.delete(id)
  clearTimeout(one?.timer)
  one?.resolve(readings)
}
