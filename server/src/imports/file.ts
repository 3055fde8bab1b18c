// The file of an import: stored in parts in the database, where every process can read it, until its rows are stored.
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fieldError } from '@mokuroku/contract/faults'
import { MAX_IMPORT_BYTES } from '@mokuroku/contract/imports'
import { reasonText } from '@mokuroku/contract/reasons'
import { db, transaction } from '#database/db.ts'
import { insertRows } from '#database/insert.ts'
import { MULTIPART_OVERHEAD_BYTES } from '#http/receive.ts'
import { invalid, Refusal } from '#lib/errors.ts'
import { isDatabaseGone, machineFault } from '#lib/faults.ts'
import { type Limits, sandbox, costsTooMuch } from '#sandbox/sandbox.ts'
import { linesIn } from './lines.ts'
import type * as jobs from './readJob.ts'
import type { FileSummary } from './readJob.ts'
import type { FileRow } from './table.ts'

const run = sandbox<typeof jobs>(new URL('./readJob.ts', import.meta.url))

/** Sandbox limits: 100 MB of text take about ten seconds; a workbook is unpacked to ten times its size. */
const LIMITS: Limits = { cpuMs: 180_000, memoryMB: 1024 }
const MB = 1024 * 1024
/** Size of a part in bytes, and number of parts written at a time. */
const [PART_BYTES, PARTS_PER_WRITE] = [48 * 1024, 16]

/** Stores an uploaded file as the parts of an import, and returns its size in bytes. Throws 413 if it is too large. */
export async function keepFile(id: string, stream: Readable, length: number | undefined): Promise<number> {
  if (length !== undefined && length > MAX_IMPORT_BYTES + MULTIPART_OVERHEAD_BYTES) tooLarge()
  let [size, seq] = [0, 0]
  let waiting: Buffer = Buffer.alloc(0)
  const write = async (minBytes: number): Promise<void> => {
    const parts: { import: string; seq: number; data: string }[] = []
    while (waiting.length >= minBytes) {
      parts.push({ import: id, seq: seq++, data: waiting.subarray(0, PART_BYTES).toString('base64') })
      waiting = waiting.subarray(PART_BYTES)
    }
    if (parts.length > 0) await transaction((tx) => insertRows(tx, 'importParts', parts))
  }
  try {
    for await (const chunk of stream) {
      size += (chunk as Buffer).length
      if (size > MAX_IMPORT_BYTES) tooLarge()
      waiting = Buffer.concat([waiting, chunk as Buffer])
      if (waiting.length >= PART_BYTES * PARTS_PER_WRITE) await write(PART_BYTES)
    }
    await write(1)
  } catch (error) {
    if (error instanceof Refusal || (machineFault(error) && !isDatabaseGone(error))) throw error
    if (stream.destroyed && !stream.readableEnded)
      invalid([fieldError('file', 'partOfFile')], reasonText('uploadInterrupted'))
    throw error
  }
  if (size === 0) invalid([fieldError('file', 'emptyFile')], reasonText('fileEmpty'))
  return size
}

function tooLarge(): never {
  throw new Refusal(413, 'tooLarge', reasonText('importLarge', { limit: MAX_IMPORT_BYTES / MB }))
}

/** A row as read from the file. */
export type ReadRow = Omit<FileRow, 'isUnclear'>

/** Reads the file of an import, and passes a summary and the rows to `use`. Throws a Refusal for an invalid file. */
export async function readFile(
  id: string,
  use: (summary: FileSummary, rows: AsyncIterable<ReadRow>) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'mokuroku-import-'))
  try {
    const [file, to] = [join(folder, 'file'), join(folder, 'rows')]
    await pipeline(Readable.from(partsOf(id)), createWriteStream(file, { mode: 0o600 }))
    const summary = await run('read', { file, to }, LIMITS).catch((error: unknown) => {
      throw costsTooMuch(error) ? new Refusal(415, 'mediaType', reasonText('importCosts')) : error
    })
    await use(summary, rowsIn(to))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function* partsOf(id: string): AsyncGenerator<Buffer> {
  for (let seq = 0; ; seq += PARTS_PER_WRITE) {
    const rows = await db
      .selectFrom('importParts')
      .select('data')
      .where('import', '=', id)
      .where('seq', '>=', seq)
      .where('seq', '<', seq + PARTS_PER_WRITE)
      .orderBy('seq')
      .execute()
    if (rows.length === 0) return
    for (const { data } of rows) yield Buffer.from(data, 'base64')
  }
}

async function* rowsIn(file: string): AsyncGenerator<ReadRow> {
  for await (const line of linesIn(createReadStream(file, 'utf8') as AsyncIterable<string>))
    yield JSON.parse(line) as ReadRow
}
