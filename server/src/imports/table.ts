// Parses CSV (RFC 4180 and the variants of spreadsheets) and lines of JSON.
import { listText } from '@mokuroku/contract/exports'
import { reasonText } from '@mokuroku/contract/reasons'
import { isObject } from '@mokuroku/contract/merge'
import { Refusal } from '#lib/errors.ts'
import { linesIn } from './lines.ts'

/**
 * A row of a file: `line` is its number, counted as a spreadsheet does; `fault` says why it is invalid. Of a workbook,
 * `isUnclear`: a text is a number with a point that may mean thousands, as somebody typed it; `numbers`: the places of
 * cells that look like that, but are numbers.
 */
export interface FileRow {
  line: number
  cells: string[]
  fault?: string
  isUnclear?: boolean
  numbers?: number[]
}

/** A longer cell is an error: a closing quotation mark is missing. */
export const MAX_CELL_CHARS = 1_000_000
/** Maximum length of a line of JSON, which holds a whole entity: all of its texts, escaped, and what it links to. */
const MAX_LINE_CHARS = 10_000_000
const SEPARATORS = ['\t', ',', ';']

/** The rows of a CSV table, with any line ends, even mixed. Throws a Refusal for a cell without an end. */
export async function* tableRows(text: AsyncIterable<string>, separator: string): AsyncGenerator<FileRow> {
  let [cell, line] = ['', 1]
  let cells: string[] = []
  // State: inside quotation marks; after one that may be closing, or the first of two; after a carriage return.
  let [quoted, ended, returned] = [false, false, false]
  for await (const part of text) {
    let from = 0
    const take = (to: number): void => {
      if (to > from) cell += part.slice(from, to)
      from = to + 1
      if (cell.length > MAX_CELL_CHARS) throw new Refusal(400, 'cell', reasonText('importCell', { row: line }))
    }
    for (let at = 0; at < part.length; at += 1) {
      const sign = part[at]
      if (quoted) {
        if (sign !== '"') continue
        take(at)
        quoted = false
        ended = true
        continue
      }
      if (ended && sign === '"') {
        // Two quotation marks are an escaped one.
        cell += '"'
        from = at + 1
        quoted = true
        ended = false
        continue
      }
      ended = false
      const wasReturn = returned
      returned = sign === '\r'
      if (sign === '\n' && wasReturn) {
        from = at + 1
        continue
      }
      if (sign === '"' && cell === '' && from === at) {
        from = at + 1
        quoted = true
      } else if (sign === separator) {
        take(at)
        cells.push(cell)
        cell = ''
      } else if (sign === '\n' || sign === '\r') {
        take(at)
        cells.push(cell)
        cell = ''
        yield { line, cells }
        cells = []
        line += 1
      }
    }
    take(part.length)
  }
  if (cell !== '' || cells.length > 0) yield { line, cells: [...cells, cell] }
}

/** The most frequent separator in the first line that is not blank. */
export function separatorOf(part: string): string {
  const lines = part.replaceAll(/"[^"]*"/g, '""').split(/[\r\n]/)
  const line = lines.find((each) => each.trim() !== '') ?? ''
  const counts = SEPARATORS.map((sign) => line.split(sign).length)
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ','
}

/**
 * The rows of JSON lines: each is an object, whose values become cells by path. New paths are appended to `headers`.
 */
export async function* jsonRows(text: AsyncIterable<string>, headers: string[]): AsyncGenerator<FileRow> {
  const places = new Map<string, number>()
  const placeOf = (path: string): number => {
    const known = places.get(path)
    if (known !== undefined) return known
    places.set(path, headers.length)
    return headers.push(path) - 1
  }
  let line = 0
  for await (const each of linesIn(text, MAX_LINE_CHARS)) {
    line += 1
    if (each.length > MAX_LINE_CHARS) {
      yield { line, cells: [], fault: reasonText('importCell', { row: line }) }
      continue
    }
    if (each.trim() === '') continue
    const document = parsed(each)
    if (!document) {
      yield { line, cells: [], fault: reasonText('rowJson') }
      continue
    }
    const leaves = leavesOf(document)
    if (leaves.some(([, value]) => value.length > MAX_CELL_CHARS)) {
      yield { line, cells: [], fault: reasonText('importCell', { row: line }) }
      continue
    }
    const cells: string[] = []
    for (const [path, value] of leaves) cells[placeOf(path)] = value
    yield { line, cells: Array.from(cells, (cell: string | undefined) => cell ?? '') }
  }
}

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Maximum nesting of an object; anything deeper becomes a single cell. */
const MAX_DEPTH = 4

function leavesOf(value: Record<string, unknown>, above = '', depth = 1): [path: string, text: string][] {
  return Object.entries(value).flatMap(([name, each]): [string, string][] => {
    const path = above === '' ? name : `${above}.${name}`
    if (isObject(each) && depth < MAX_DEPTH) {
      const { _id: id } = each
      return typeof id === 'string' ? [[path, id]] : leavesOf(each, path, depth + 1)
    }
    return [[path, cellOf(each)]]
  })
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (!Array.isArray(value)) return JSON.stringify(value)
  return listText(
    value.map((each: unknown) => (isObject(each) && typeof each._id === 'string' ? each._id : cellOf(each))),
  )
}
