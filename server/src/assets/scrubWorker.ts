import { parentPort, workerData } from 'node:worker_threads'
import { scrub } from './scrub.ts'

const { file, to } = workerData as { file: string; to: string }
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
parentPort?.postMessage(await scrub(file, to))
