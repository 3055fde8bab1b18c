// Reads the first sheet of a workbook (Office Open XML, ECMA-376) row by row.
import type { Readable } from 'node:stream'
import { MAX_IMPORT_BYTES } from '@mokuroku/contract/imports'
import { reasonText } from '@mokuroku/contract/reasons'
import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { Refusal } from '#lib/errors.ts'
import { DAY_MS } from '#lib/clock.ts'
import { isError, NO_RESULT, numberText } from '#lib/sheetCell.ts'
import { unescapeSheet } from '#lib/sheetXml.ts'
import { type FileRow, MAX_CELL_CHARS } from './table.ts'
import { unclearSign } from './unclear.ts'

/** Limits for the zip file: number of entries, and their unpacked size in bytes. */
const MAX_ENTRIES = 2000
const [MAX_SHEET_BYTES, MAX_TEXTS_BYTES, MAX_PART_BYTES] = [1024 * 1024 * 1024, 128 * 1024 * 1024, 8 * 1024 * 1024]
/**
 * The texts of all cells together, in characters, as much as a text file may have: cells that share one are as small as
 * the number of it, however long it is.
 */
const MAX_CELLS_CHARS = MAX_IMPORT_BYTES
/** Built-in number formats that are dates, whatever the locale of the workbook. */
const DATE_FORMATS = new Set([14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58])

/** The rows of the first sheet. Throws a Refusal if it is no workbook, or too large when unpacked. */
export async function* workbookRows(file: string): AsyncGenerator<FileRow> {
  try {
    const zip = await openPromise(file, { lazyEntries: true, autoClose: false })
    try {
      const book = await partsOf(zip)
      const texts = await textsOf(book)
      const { path, starts1904 } = await firstSheet(book)
      yield* rowsOf(book, path, { texts, dates: await dateStyles(book), starts1904 })
    } finally {
      zip.close()
    }
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal(400, 'workbook', reasonText('importWorkbook'))
  }
}

interface Book {
  zip: ZipFile
  entries: Map<string, Entry>
}
interface Meanings {
  texts: string[]
  /** Whether a style shows a date, by style number. */
  dates: boolean[]
  starts1904: boolean
}

async function partsOf(zip: ZipFile): Promise<Book> {
  const entries = new Map<string, Entry>()
  if (zip.entryCount > MAX_ENTRIES) tooLarge()
  await new Promise<void>((resolve, reject) => {
    zip.on('entry', (entry: Entry) => {
      entries.set(entry.fileName, entry)
      if (entries.size > MAX_ENTRIES) reject(new Error('Too many entries'))
      else zip.readEntry()
    })
    zip.on('end', resolve)
    zip.on('error', reject)
    zip.readEntry()
  })
  return { zip, entries }
}

function tooLarge(): never {
  throw new Refusal(400, 'inflated', reasonText('importInflated'))
}

/** A part of the workbook, unpacked as it is read; undefined if there is none. Throws if it is too large. */
async function streamOf({ zip, entries }: Book, path: string, maxBytes: number): Promise<Readable | undefined> {
  const entry = entries.get(path)
  if (!entry) return undefined
  // The declared size can be relied on: the stream fails if there is more.
  if (entry.uncompressedSize > maxBytes) tooLarge()
  return zip.openReadStreamPromise(entry)
}

interface Handlers {
  open?: (tag: SaxesTagPlain) => void
  text?: (text: string) => void
  close?: (tag: SaxesTagPlain) => void
}

/** Parses a part, and yields after each chunk. Element names have no namespace prefix. */
async function* parse(book: Book, path: string, maxBytes: number, handlers: Handlers): AsyncGenerator<void> {
  const stream = await streamOf(book, path, maxBytes)
  if (!stream) return
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  const bare = (tag: SaxesTagPlain): SaxesTagPlain => ({ ...tag, name: tag.name.replace(/^.*:/, '') })
  parser.on('opentag', (tag) => handlers.open?.(bare(tag)))
  for (const kind of ['text', 'cdata'] as const) parser.on(kind, (text) => handlers.text?.(text))
  parser.on('closetag', (tag) => handlers.close?.(bare(tag)))
  const decoder = new TextDecoder()
  for await (const bytes of stream) {
    parser.write(decoder.decode(bytes as Buffer, { stream: true }))
    yield
  }
  parser.close()
}

async function parseAll(book: Book, path: string, maxBytes: number, handlers: Handlers): Promise<void> {
  const pieces = parse(book, path, maxBytes, handlers)
  while (!(await pieces.next()).done);
}

/** The shared strings of the workbook, without phonetic readings (`rPh`). */
async function textsOf(book: Book): Promise<string[]> {
  const texts: string[] = []
  let [text, isText, reading] = ['', false, 0]
  await parseAll(book, 'xl/sharedStrings.xml', MAX_TEXTS_BYTES, {
    open: ({ name }) => {
      if (name === 'si') text = ''
      if (name === 'rPh') reading += 1
      isText = name === 't' && reading === 0
    },
    text: (more) => void (isText && (text += more)),
    close: ({ name }) => {
      isText = false
      if (name === 'rPh') reading -= 1
      if (name === 'si') texts.push(unescapeSheet(text))
    },
  })
  return texts
}

async function firstSheet(book: Book): Promise<{ path: string; starts1904: boolean }> {
  let [id, starts1904] = ['', false]
  await parseAll(book, 'xl/workbook.xml', MAX_PART_BYTES, {
    open: ({ name, attributes }) => {
      if (name === 'workbookPr') starts1904 = ['1', 'true'].includes(attributes.date1904 ?? '')
      if (name === 'sheet' && id === '' && !attributes.state?.includes('idden')) id = idIn(attributes)
    },
  })
  let path = ''
  await parseAll(book, 'xl/_rels/workbook.xml.rels', MAX_PART_BYTES, {
    open: ({ name, attributes }) => {
      if (name === 'Relationship' && attributes.Id === id) path = attributes.Target ?? ''
    },
  })
  const inside = path.startsWith('/') ? path.slice(1) : `xl/${path}`
  if (!book.entries.has(inside)) throw new Error('There is no sheet')
  return { path: inside, starts1904 }
}

const idIn = (attributes: Record<string, string>): string =>
  Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1] ?? ''

async function dateStyles(book: Book): Promise<boolean[]> {
  const own = new Map<number, boolean>()
  const dates: boolean[] = []
  let isInCells = false
  await parseAll(book, 'xl/styles.xml', MAX_PART_BYTES, {
    open: ({ name, attributes }) => {
      if (name === 'numFmt') own.set(Number(attributes.numFmtId), isDateFormat(attributes.formatCode ?? ''))
      if (name === 'cellXfs') isInCells = true
      const format = Number(attributes.numFmtId ?? 0)
      if (name === 'xf' && isInCells) dates.push(own.get(format) ?? DATE_FORMATS.has(format))
    },
    close: ({ name }) => void (name === 'cellXfs' && (isInCells = false)),
  })
  return dates
}

/** Whether a number format shows years, months or days, ignoring quoted text, colours and conditions. */
const isDateFormat = (code: string): boolean => /[ymd]/i.test(code.replaceAll(/"[^"]*"|\\.|\[[^\]]*\]|_.|\*./g, ''))

interface Cell {
  place: number
  type: string
  style: number
  value: string
  /** Whether it has a formula, but no result. */
  isPending: boolean
}

async function* rowsOf(book: Book, path: string, meanings: Meanings): AsyncGenerator<FileRow> {
  const ready: FileRow[] = []
  let row: FileRow = { line: 0, cells: [] }
  let cell: Cell = { place: 0, type: '', style: 0, value: '', isPending: false }
  let [isValue, reading, chars] = [false, 0, 0]
  const pieces = parse(book, path, MAX_SHEET_BYTES, {
    open: ({ name, attributes }) => {
      if (name === 'row') row = { line: lineOf(attributes.r) ?? row.line + 1, cells: [] }
      if (name === 'c') {
        const place = attributes.r ? columnOf(attributes.r) : row.cells.length
        cell = { place, type: attributes.t ?? 'n', style: Number(attributes.s ?? 0), value: '', isPending: false }
      }
      if (name === 'f') cell.isPending = true
      if (name === 'v') cell.isPending = false
      if (name === 'rPh') reading += 1
      isValue = (name === 'v' || name === 't') && reading === 0
    },
    text: (more) => void (isValue && (cell.value += more)),
    close: ({ name }) => {
      isValue = false
      if (name === 'rPh') reading -= 1
      if (name === 'c' && cell.place < MAX_PLACES) {
        while (row.cells.length < cell.place) row.cells.push('')
        const text = textIn(cell, meanings)
        if (text.length > MAX_CELL_CHARS) throw new Refusal(400, 'cell', reasonText('importCell', { row: row.line }))
        chars += text.length
        if (chars > MAX_CELLS_CHARS) tooLarge()
        row.cells[cell.place] = text
        if (unclearSign(text) === '.') {
          if (cell.type === 'n') (row.numbers ??= []).push(cell.place)
          else row.isUnclear = true
        }
      }
      if (name === 'row') ready.push(row)
    },
  })
  for await (const _ of pieces) yield* ready.splice(0)
  yield* ready.splice(0)
}

/** Maximum number of rows and of columns in a sheet. */
const [MAX_LINES, MAX_PLACES] = [1_048_576, 16_384]

/** The number of a row, from 1; undefined if it has none that is valid. */
function lineOf(reference: string | undefined): number | undefined {
  const line = Number(reference)
  return Number.isInteger(line) && line >= 1 && line <= MAX_LINES ? line : undefined
}

/** The column index of a cell reference, from 0: 54 for `BC12`. */
function columnOf(reference: string): number {
  let place = 0
  for (const letter of /^[A-Z]{1,3}/.exec(reference)?.[0] ?? '') place = place * 26 + letter.charCodeAt(0) - 64
  return Math.max(0, place - 1)
}

function textIn({ type, style, value, isPending }: Cell, meanings: Meanings): string {
  if (type === 'e') return isError(value) ? value : '#VALUE!'
  if (value === '') return isPending ? NO_RESULT : ''
  switch (type) {
    case 's': {
      const text = meanings.texts[Number(value)]
      if (text === undefined) throw new Error('There is no such text')
      return text
    }
    case 'b':
      return value === '1' ? 'true' : 'false'
    case 'n':
      return meanings.dates[style] ? dateOf(Number(value), meanings.starts1904) : numberOf(value)
    default:
      return unescapeSheet(value)
  }
}

const numberOf = (value: string): string => {
  const number = Number(value)
  return value.trim() === '' || !Number.isFinite(number) ? value : numberText(number)
}

/** Converts a serial date to an ISO date, or to an ISO moment if it has a time. */
function dateOf(days: number, starts1904: boolean): string {
  const since = Date.UTC(starts1904 ? 1904 : 1899, starts1904 ? 0 : 11, starts1904 ? 1 : 30)
  // Serial dates count 29 February 1900, which never existed.
  const shift = !starts1904 && days < 60 ? 1 : 0
  const time = since + Math.round((days + shift) * (DAY_MS / 1000)) * 1000
  if (!Number.isFinite(time) || Math.abs(time) > 8.64e15) return String(days)
  const moment = new Date(time).toISOString()
  return time % DAY_MS === 0 ? moment.slice(0, 10) : moment
}
