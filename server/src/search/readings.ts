// How Japanese titles are read, derived from a dictionary in a thread of its own. It is opened when it is first needed.
import { Worker } from 'node:worker_threads'
import { primaryLanguage } from '@mokuroku/contract/languageTags'
import type { Label } from '#ledger/definition.ts'

/** A text in kana, words apart: as it is written in kana, and with は and へ as they are said. */
export interface Reading {
  written: string
  spoken: string
}

/** A label, with how it is read where that is not in the text. */
export type ReadLabel = Label & { reading?: Reading | undefined }

/** Longer texts are no titles. */
const MAX_CHARS = 400
/** So many readings are remembered. */
const MAX_REMEMBERED = 5000
/** After so long without a text to read, the dictionary is closed, in milliseconds. */
const IDLE_MS = 10 * 60_000
/** So long a thread may take for its texts, its start included, in milliseconds. */
const TIMEOUT_MS = 20_000

const HAN = /\p{Script=Han}/u
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u

/**
 * The labels with the readings that a dictionary gives those in Japanese: titles in that language, and originals and
 * aliases with kana. An entity whose readings somebody gave has no others. Without the thread, none are read.
 */
export async function withReadings(labels: Label[]): Promise<ReadLabel[]> {
  const texts = [...new Set(labels.filter(isToBeRead).map(({ text }) => text))]
  if (texts.length === 0) return labels
  const missing = texts.filter((text) => !remembered.has(text))
  if (missing.length > 0) {
    const readings = await ask(missing)
    for (const [at, reading] of readings.entries()) remember(missing[at] ?? '', reading)
  }
  const found = new Map(texts.map((text) => [text, remembered.get(text)]))
  return labels.map((label) => (isToBeRead(label) ? { ...label, reading: found.get(label.text) } : label))
}

/** Whether a dictionary gives a label a reading, which is none for some texts. */
export const isToBeRead = ({ language, text, isRead = false }: Label): boolean =>
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
let idle: NodeJS.Timeout | undefined
let last = 0
const waiting = new Map<number, Waiting>()

function ask(texts: string[]): Promise<Reading[]> {
  const thread = (worker ??= start())
  clearTimeout(idle)
  const id = ++last
  return new Promise((resolve) => {
    const timer = setTimeout(() => stop(thread), TIMEOUT_MS)
    waiting.set(id, { resolve, timer })
    thread.ref()
    thread.postMessage({ id, texts }, [])
  })
}

function start(): Worker {
  const thread = new Worker(new URL('./readingWorker.ts', import.meta.url))
  thread.on('message', ({ id, readings }: { id: number; readings: Reading[] }) => {
    settle(id, readings)
    if (waiting.size > 0) return
    thread.unref()
    idle = setTimeout(() => stop(thread), IDLE_MS).unref()
  })
  thread.on('error', () => stop(thread))
  thread.on('exit', () => stop(thread))
  return thread
}

/** Ends the thread; who waits for it goes on without readings, and the next one starts another. */
function stop(thread: Worker): void {
  if (worker !== thread) return
  worker = undefined
  clearTimeout(idle)
  for (const id of waiting.keys()) settle(id, [])
  void thread.terminate()
}

function settle(id: number, readings: Reading[]): void {
  const one = waiting.get(id)
  waiting.delete(id)
  clearTimeout(one?.timer)
  one?.resolve(readings)
}
