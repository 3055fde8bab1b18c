// Streams a workbook (Office Open XML, ECMA-376): one sheet after another, row by row.
import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { sheetXml } from '#lib/sheetXml.ts'

/** Maximum number of rows in a sheet. */
const MAX_SHEET_ROWS = 1_048_576
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

type Cell = string | number

/** The bytes of a workbook with the given rows, the first being the headers. Produced only as fast as they are read. */
export async function* workbookOf(pages: AsyncIterable<Cell[][]>): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  const sheets = sheetsOf(pages)
  const open: Readable[] = []
  zip.on('error', (error: Error) => output.destroy(error))
  const add = async (): Promise<void> => {
    let count = 0
    for await (const sheet of sheets) {
      count += 1
      const stream = Readable.from(sheet, { objectMode: false, highWaterMark: 64 * 1024 })
      open.push(stream)
      const ended = new Promise<void>((resolve, reject) => void stream.once('end', resolve).once('error', reject))
      zip.addReadStream(stream, `xl/worksheets/sheet${count}.xml`)
      await ended
    }
    for (const [name, text] of partsOf(count)) zip.addBuffer(Buffer.from(DECLARATION + text), name)
    zip.end()
  }
  add().catch((error: Error) => output.destroy(error))
  try {
    yield* output as AsyncIterable<Uint8Array>
  } finally {
    for (const stream of open) stream.destroy()
    await sheets.return(undefined)
  }
}

/** Yields each sheet as chunks of its XML; when a sheet is full, the next one starts with the same headers. */
async function* sheetsOf(pages: AsyncIterable<Cell[][]>): AsyncGenerator<AsyncGenerator<string>> {
  const rows = pages[Symbol.asyncIterator]()
  let page: Cell[][] = []
  const end = { isReached: false }
  const next = async (): Promise<void> => {
    const { done, value } = await rows.next()
    end.isReached = done === true
    page = done ? [] : value
  }
  await next()
  const headers = page.shift() ?? []
  const sheet = async function* sheet() {
    yield `${DECLARATION}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>${rowXml(headers)}`
    for (let count = 1; !end.isReached && count < MAX_SHEET_ROWS;) {
      const some = page.splice(0, MAX_SHEET_ROWS - count)
      count += some.length
      if (some.length > 0) yield some.map(rowXml).join('')
      if (page.length === 0) await next()
    }
    yield '</sheetData></worksheet>'
  }
  try {
    do yield sheet()
    while (!end.isReached)
  } finally {
    await rows.return?.()
  }
}

const rowXml = (cells: Cell[]): string => `<row>${cells.map(cellXml).join('')}</row>`

function cellXml(cell: Cell): string {
  if (cell === '') return '<c/>'
  if (typeof cell === 'number') return `<c><v>${cell}</v></c>`
  return `<c t="inlineStr"><is><t xml:space="preserve">${sheetXml(cell)}</t></is></c>`
}

/** The other files of a workbook with `count` sheets. */
function partsOf(count: number): [name: string, text: string][] {
  const numbers = Array.from({ length: count }, (_, at) => at + 1)
  const sheets = numbers.map(
    (n) => `<sheet name="${n === 1 ? 'Export' : `Export ${n}`}" sheetId="${n}" r:id="rId${n}"/>`,
  )
  const relations = numbers.map(
    (n) => `<Relationship Id="rId${n}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${n}.xml"/>`,
  )
  const types = numbers.map(
    (n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${TYPE}.worksheet+xml"/>`,
  )
  return [
    [
      '[Content_Types].xml',
      `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>${types.join('')}</Types>`,
    ],
    [
      '_rels/.rels',
      `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
    [
      'xl/workbook.xml',
      `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${sheets.join('')}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `<Relationships xmlns="${PACKAGE}/relationships">${relations.join('')}</Relationships>`,
    ],
  ]
}
