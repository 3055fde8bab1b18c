// Reads uploaded import files. Runs only in its own sandboxed processes (sandbox/sandbox.ts).
import { createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { MAX_IMPORT_COLUMNS, MAX_IMPORT_ROWS } from '@mokuroku/contract/imports'
import { reasonText } from '@mokuroku/contract/reasons'
import { Refusal } from '#lib/errors.ts'
import { limited } from '#sandbox/worker.ts'
import { textOf } from './encoding.ts'
import { type FileRow, jsonRows, separatorOf, tableRows } from './table.ts'
import { workbookRows } from './workbook.ts'

const MAX_HEADER_CHARS = 200
// eslint-disable-next-line no-control-regex -- they are what is looked for
const CONTROL = /[\0-\x1f]+/g
/** The start of a JSON list, or of an object on several lines. The first header of a table may be in brackets, too. */
const NOT_LINES = /^\s*(\[\s*[[\]{"]|\{[^\S\r\n]*[\r\n])/
const [SAMPLES, SAMPLE_CHARS] = [3, 80]

/**
 * A summary of a file. `isGuarded`: it is a table, in which an apostrophe before a text may prevent a formula.
 * `separator`: that of a text table; ';' for a workbook that has numbers as texts, in the notation of its user; '' for
 * other formats.
 */
export interface FileSummary {
  columns: { header: string; samples: string[] }[]
  total: number
  isGuarded: boolean
  separator: string
}

/**
 * Writes the rows of `file` to `to`, one line of JSON each, and returns a summary. Throws a Refusal if it is no table
 * or too large.
 */
export const read = limited(async ({ file, to }: { file: string; to: string }): Promise<FileSummary> => {
  const headers: string[] = []
  const source = await rowsOf(file, headers)
  const { rows, isJson } = source
  let { separator } = source
  const output = createWriteStream(to, { mode: 0o600 })
  const samples: string[][] = []
  let total = 0
  for await (const row of rows) {
    if (row.cells.every((cell) => cell === '') && row.fault === undefined) continue
    if (!isJson && total === 0 && headers.length === 0) {
      // Also blank ones at the end: columns may have no header.
      const named = lastFilled(row.cells) + 1
      if (named > 0) headers.push(...row.cells.slice(0, Math.max(named, MAX_IMPORT_COLUMNS)))
      continue
    }
    total += 1
    if (row.isUnclear) separator = ';'
    if (total > MAX_IMPORT_ROWS) refuse('importRows', MAX_IMPORT_ROWS)
    if (headers.length > MAX_IMPORT_COLUMNS) refuse('importColumns', MAX_IMPORT_COLUMNS)
    const { line, cells, numbers, fault } = fitted(row, isJson ? Infinity : headers.length)
    for (const [place, cell] of cells.entries()) {
      const ofColumn = (samples[place] ??= [])
      if (cell !== '' && ofColumn.length < SAMPLES) ofColumn.push(cell.slice(0, SAMPLE_CHARS).toWellFormed())
    }
    if (!output.write(`${JSON.stringify({ line, cells, numbers, fault })}\n`)) await once(output, 'drain')
  }
  output.end()
  await finished(output)
  if (total === 0) throw new Refusal(400, 'none', reasonText('importNone'))
  const used = Math.max(
    lastFilled(headers),
    samples.findLastIndex((ofColumn) => lastFilled(ofColumn) >= 0),
  )
  const names = namesOf(isJson ? headers : headers.slice(0, used + 1))
  return {
    columns: names.map((header, at) => ({ header, samples: samples[at] ?? [] })),
    total,
    isGuarded: !isJson,
    separator,
  }
})

function refuse(reason: 'importRows' | 'importColumns', limit: number): never {
  throw new Refusal(400, 'tooMany', reasonText(reason, { limit }))
}

interface Source {
  rows: AsyncIterable<FileRow>
  isJson: boolean
  separator: string
}

async function rowsOf(file: string, headers: string[]): Promise<Source> {
  const handle = await open(file)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(8), 0, 8, 0)
  await handle.close()
  const start = buffer.subarray(0, bytesRead).toString('latin1')
  // The whole signature of a zip file: the first header of a table may begin with PK, too.
  if (start.startsWith('PK\x03\x04')) return { rows: workbookRows(file), isJson: false, separator: '' }
  // Workbooks from before Excel 2007, or PDF.
  if (start.startsWith('\xd0\xcf\x11\xe0') || start.startsWith('%PDF'))
    throw new Refusal(415, 'mediaType', reasonText('importFormat'))
  const text = withStart(textOf(file))
  const { value: first = '' } = await text.next()
  const all = async function* all() {
    yield first
    yield* text
  }
  if (NOT_LINES.test(first)) throw new Refusal(415, 'mediaType', reasonText('importLines'))
  if (/^\s*\{/.test(first)) return { rows: jsonRows(all(), headers), isJson: true, separator: '' }
  // The headers are in the first chunk.
  const separator = separatorOf(first)
  return { rows: tableRows(all(), separator), isJson: false, separator }
}

/**
 * Skips empty chunks at the start. Throws a Refusal for a NUL character, since that means that the file is not text.
 */
async function* withStart(parts: AsyncGenerator<string>): AsyncGenerator<string> {
  for await (const part of parts) {
    if (part.includes('\0')) throw new Refusal(415, 'mediaType', reasonText('importFormat'))
    if (part !== '') yield part
  }
}

const lastFilled = (cells: readonly string[]): number => cells.findLastIndex((cell) => cell.trim() !== '')

/** Cuts a row to the number of headers; it is faulty if it has more cells that are not blank. */
function fitted(row: FileRow, count: number): FileRow {
  if (row.cells.length <= count) return row
  const isMore = row.cells.slice(count).some((cell) => cell.trim() !== '')
  return { ...row, cells: row.cells.slice(0, count), ...(isMore && { fault: row.fault ?? reasonText('rowCells') }) }
}

/** Makes the headers unique and not empty. They become keys of objects, which `__proto__` cannot be. */
function namesOf(headers: string[]): string[] {
  const names = new Set<string>()
  for (const [place, header] of headers.entries()) {
    const bare = header.toWellFormed().replaceAll(CONTROL, ' ').trim().slice(0, MAX_HEADER_CHARS)
    const name = bare === '' || bare === '__proto__' ? `Column ${place + 1}` : bare
    let unique = name
    for (let count = 2; names.has(unique); count += 1) unique = `${name} (${count})`
    names.add(unique)
  }
  return [...names]
}
