import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execFileSync } from 'node:child_process'
import { deflateRawSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { machineFault } from '#lib/faults.ts'
import { closeSandbox, costsTooMuch, sandbox } from '#sandbox/sandbox.ts'
import { formOf, schemaOf, valueOf } from './cells.ts'
import { guessMapping } from './guess.ts'
import type * as jobs from './readJob.ts'

const run = sandbox<typeof jobs>(new URL('./readJob.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'mokuroku-reading-'))
afterAll(async () => {
  await closeSandbox()
  rmSync(folder, { recursive: true, force: true })
})

test('a timeout on a busy machine is reported as busy with a retry, not as a fault of the file', async () => {
  const file = join(folder, 'pipe')
  execFileSync('mkfifo', [file])
  // Nobody writes to the pipe, so reading waits without using CPU time.
  const failure = await run('read', { file, to: join(folder, 'rows') }, { cpuMs: 500, memoryMB: 1024 }).catch(
    (error: unknown) => error,
  )
  expect(costsTooMuch(failure)).toBe(false)
  expect(machineFault(failure)).toMatchObject({ status: 503, code: 'busy', retryAfter: 1 })
})

/** The parent of a process, by its folder below /proc; undefined if it has ended meanwhile. */
function parentOf(path: string): number | undefined {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`${path}/status`, 'utf8'))?.[1])
  } catch {
    return undefined
  }
}

test.runIf(process.platform === 'linux')(
  'the parsing process is killed before the server when memory runs out',
  async () => {
    await read(TEXT)
    const children = globSync('/proc/[0-9]*').filter((path) => parentOf(path) === process.pid)
    const scores = children.map((path) => readFileSync(`${path}/oom_score_adj`, 'utf8').trim())
    expect(scores).toContain('1000')
    expect(readFileSync('/proc/self/oom_score_adj', 'utf8').trim()).not.toBe('1000')
  },
)

async function read(content: string | Uint8Array) {
  const [file, to] = [join(folder, 'file'), join(folder, 'rows')]
  writeFileSync(file, content)
  const summary = await run('read', { file, to }, { cpuMs: 20_000, memoryMB: 1024 })
  const rows = readFileSync(to, 'utf8').trimEnd().split('\n')
  return {
    ...summary,
    headers: summary.columns.map(({ header }) => header),
    rows: rows.map((row) => JSON.parse(row) as { line: number; cells: string[]; fault?: string }),
  }
}
const cellsOf = async (content: string | Uint8Array) => (await read(content)).rows.map(({ cells }) => cells)

const TEXT = 'title,note\r\n葬送のフリーレン,旅\r\n進撃の巨人,漢字とカナ\r\n'
const CELLS = [
  ['葬送のフリーレン', '旅'],
  ['進撃の巨人', '漢字とカナ'],
]
/** The same in Shift_JIS, and Chinese in GB18030: Node can decode these encodings, but not encode them. */
const SHIFT_JIS = Buffer.from('dGl0bGUsbm90ZQ0KkZKRl4LMg3SDioFbg4yDkyyXtw0KkGmMgoLMi5CQbCyKv46agsaDSoNpDQo=', 'base64')
const GB18030 = Buffer.from('dGl0bGUsbm90ZQ0K1OHLzbXE3L3A8sGrLMLD0NANCr34u/e1xL7eyMss1tDOxA0K', 'base64')
const wide = (text: string, order: 'le' | 'be'): Buffer => {
  const bytes = Buffer.from(text, 'utf16le')
  return order === 'le' ? bytes : bytes.swap16()
}

describe('a text table', () => {
  test.each([
    ['UTF-8', Buffer.from(TEXT)],
    ['UTF-8 with a BOM', Buffer.from(`\ufeff${TEXT}`)],
    ['UTF-16 LE with a BOM', wide(`\ufeff${TEXT}`, 'le')],
    ['UTF-16 BE with a BOM', wide(`\ufeff${TEXT}`, 'be')],
    ['UTF-16 without a BOM', wide(TEXT, 'le')],
    ['Shift_JIS', SHIFT_JIS],
  ])('is read in %s', async (_, content) => {
    const { headers, rows } = await read(content)
    expect(headers).toEqual(['title', 'note'])
    expect(rows.map(({ cells }) => cells)).toEqual(CELLS)
  })

  test('is read in GB18030', async () => {
    expect(await cellsOf(GB18030)).toEqual([
      ['葬送的芙莉莲', '旅行'],
      ['进击的巨人', '中文'],
    ])
  })

  test('is rejected if its encoding is unknown', async () => {
    await expect(read(Buffer.from([0x61, 0x2c, 0xff, 0xff, 0x0a, 0x80, 0xff, 0x0a]))).rejects.toMatchObject({
      status: 400,
      code: 'encoding',
    })
    await expect(read(Buffer.from('\x89PNG\r\n\x1a\n\0\0'))).rejects.toMatchObject({
      status: expect.any(Number) as number,
    })
  })

  test('is rejected if it is UTF-8 that ends within a character, not read in another encoding', async () => {
    for (const missing of [1, 2])
      await expect(read(Buffer.from('title\n銀河鉄道の夜').subarray(0, -missing))).rejects.toMatchObject({
        status: 400,
        code: 'encoding',
      })
  })

  test('may have any line endings, cells with line breaks and quotes, and empty lines', async () => {
    const { rows } = await read('a,b\r1,2\n3,"4\r\n""x"""\r\n\r\n,\n"5",6\n\n7,8,9\n10')
    expect(rows).toEqual([
      { line: 2, cells: ['1', '2'] },
      { line: 3, cells: ['3', '4\r\n"x"'] },
      { line: 6, cells: ['5', '6'] },
      { line: 8, cells: ['7', '8'], fault: 'This row has more cells than there are headers.' },
      { line: 9, cells: ['10'] },
    ])
  })

  test('may have columns without a header at its end, which are read if they have values', async () => {
    expect(await read('a,,,\n1,2,,\n3,,,')).toMatchObject({
      headers: ['a', 'Column 2'],
      rows: [{ line: 2 }, { line: 3 }],
    })
    const { rows } = await read('a,,\n1,2,3\n1,2,3,4')
    expect(rows.map(({ fault }) => fault)).toEqual([undefined, 'This row has more cells than there are headers.'])
  })

  test('may have a first header that begins like a zip file', async () => {
    expect(await read('PK,title\n1,One\n')).toMatchObject({ headers: ['PK', 'title'], rows: [{ cells: ['1', 'One'] }] })
  })

  test.each(['\t', ';'])('may have %j as its separator', async (sign) => {
    expect(await cellsOf(`a${sign}b\n"1${sign}"${sign}2,3`)).toEqual([[`1${sign}`, '2,3']])
  })

  test('has the separator of its headers, even after blank lines', async () => {
    expect(await cellsOf('\r\n \r\na;b\r\n1;2')).toEqual([['1', '2']])
    expect(await cellsOf('"a"\n1, 2')).toEqual([['1, 2']])
    expect(await cellsOf('"a;b;c",d\n1,2;3')).toEqual([['1', '2;3']])
  })

  test('may have cells of up to 1,000,000 characters', async () => {
    const cell = 'x'.repeat(1_000_000)
    expect(await cellsOf(`a,b\n1,"${cell}"`)).toEqual([['1', cell]])
    await expect(read(`a,b\n1,"${cell}x"`)).rejects.toMatchObject({ code: 'cell' })
  })

  test('gets unique headers', async () => {
    expect((await read('a,a,,b,\n1,2,3,4,')).headers).toEqual(['a', 'a (2)', 'Column 3', 'b'])
  })

  test.each([
    ['', 'none'],
    ['a,b\n', 'none'],
    [`a\n${'x\n'.repeat(100_001)}`, 'tooMany'],
    [`${'a,'.repeat(501)}\n1\n`, 'tooMany'],
    [`a\n"${'x'.repeat(1_100_000)}`, 'cell'],
    ['%PDF-1.7\n', 'mediaType'],
  ])('is rejected if it is empty, too large or of another type: %#', async (content, code) => {
    await expect(read(content)).rejects.toMatchObject({ code })
  })
})

test('a line of JSON holds a large entity; one that is too long, or has too long a text, is refused as one row', async () => {
  const line = (title: string, more: object = {}) => JSON.stringify({ title, ...more })
  const texts = (count: number) => Array.from({ length: count }, (_, at) => [`text${at}`, 'x'.repeat(950_000)] as const)
  const large = texts(3)
  const { rows } = await read(
    [
      line('Large', Object.fromEntries(large)),
      line('x'.repeat(1_000_001)),
      line('Long', Object.fromEntries(texts(11))),
      line('Two\u2028lines'),
    ].join('\n'),
  )
  const fault = (row: number) => `Row ${row} has a cell with too much text. A quotation mark may be missing.`
  expect(rows).toEqual([
    { line: 1, cells: ['Large', ...large.map(([, text]) => text)] },
    { line: 2, cells: [], fault: fault(2) },
    { line: 3, cells: [], fault: fault(3) },
    { line: 4, cells: ['Two\u2028lines'] },
  ])
})

test.each([
  ['a list', '[{"a":1},{"a":2}]'],
  ['a list on several lines', '\ufeff[\n  {"a":1},\n  {"a":2}\n]\n'],
  ['an empty list', '[]'],
  ['a list of lists', '[["a"],[1]]'],
  ['an indented object', '{\r\n  "a": 1\r\n}'],
])('JSON that is %s is rejected with what to send instead', async (_, text) => {
  await expect(read(text)).rejects.toMatchObject({ message: expect.stringContaining('one object per line') as string })
})

test.each([
  ['Media', 'mediaType', ['Anime', 'anime', '动画', '動畫', 'アニメ'], 'ANIME'],
  ['Media', 'mediaType', ['小说', '小說', '小説'], 'NOVEL'],
  ['Tag', 'type', ['Content warning', 'CONTENT_WARNING', '内容预警'], 'CONTENT_WARNING'],
  ['Tag', 'status', ['已隐藏', 'hidden'], 'HIDDEN'],
  ['Tag', 'status', ['动画'], '动画'],
] as const)('a cell of %s.%s has a word that the console uses (%j)', (kind, field, words, option) => {
  const schema = schemaOf(kind, field)
  if (!schema) throw new Error('no such field')
  expect(words.map((word) => valueOf(word, formOf(schema)))).toEqual(words.map(() => option))
})

test('a table may have headers in brackets', async () => {
  expect((await read('[id],[title]\n1,One\n')).headers).toEqual(['[id]', '[title]'])
})

test('NDJSON values become cells by path, and invalid lines are marked as faulty', async () => {
  const { headers, rows, isGuarded } = await read(
    '{"a":1,"t":{"en":{"x":"=1"}},"l":["i",{"_id":"j"}]}\nnonsense\n\n{"b":null,"a":true}\n',
  )
  expect(headers).toEqual(['a', 't.en.x', 'l', 'b'])
  expect(isGuarded).toBe(false)
  expect(rows).toEqual([
    { line: 1, cells: ['1', '=1', 'i;j'] },
    { line: 2, cells: [], fault: 'This line is not a JSON object.' },
    { line: 4, cells: ['true', '', '', ''] },
  ])
})

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
async function aWorkbook(parts: Record<string, string>): Promise<Buffer> {
  const zip = new ZipFile()
  const all = {
    'xl/workbook.xml': `<workbook xmlns:r="${RELATIONS}"><sheets><sheet name="hidden" state="hidden" r:id="x"/><sheet name="A" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="rId1" Target="worksheets/s.xml"/></Relationships>',
    ...parts,
  }
  for (const [name, text] of Object.entries(all)) zip.addBuffer(Buffer.from(text), name)
  zip.end()
  const chunks: Buffer[] = []
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
const sheet = (rows: string) =>
  `<x:worksheet xmlns:x="m"><x:sheetData>${rows.replaceAll(/<(\/?)(?=\w)/g, '<$1x:')}</x:sheetData></x:worksheet>`

describe('a workbook', () => {
  test('is read with texts, numbers, dates and the results of formulas', async () => {
    const workbook = await aWorkbook({
      'xl/sharedStrings.xml':
        '<sst><si><t>title</t></si><si><r><t>葬</t></r><r><t xml:space="preserve">送 </t></r><rPh><t>そう</t></rPh></si></sst>',
      'xl/styles.xml':
        '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="yyyy\\-mm"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/></cellXfs></styleSheet>',
      'xl/worksheets/s.xml': sheet(
        '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>n_x000D_</t></is></c><c r="D1" t="str"><v>d</v></c></row>' +
          '<row r="3"><c r="A3" t="s"><v>1</v></c><c r="B3"><f>A1+1</f><v>0.30000000000000004</v></c><c r="D3" s="1"><v>45198</v></c></row>' +
          '<row r="4"><c r="A4" t="b"><v>1</v></c><c r="B4" t="e"><v>#REF!</v></c><c r="D4" s="2"><v>45198.5</v></c></row>' +
          '<row r="5"><c r="A5" t="inlineStr"><is><t>a <![CDATA[& b]]></t></is></c></row>',
      ),
    })
    const { headers, rows } = await read(workbook)
    expect(headers).toEqual(['title', 'n', 'Column 3', 'd'])
    expect(rows).toEqual([
      { line: 3, cells: ['葬送 ', '0.3', '', '2023-09-29'] },
      { line: 4, cells: ['true', '#REF!', '', '2023-09-29T12:00:00.000Z'] },
      { line: 5, cells: ['a & b'] },
    ])
  })

  test('has errors and formulas without a result as such, and no value for an empty cell of any type', async () => {
    const cells = [
      '<c t="e"><f>VLOOKUP(A2,B!A:B,2,0)</f><v>#N/A</v></c>',
      '<c t="e"><v>#NEW!</v></c>',
      '<c t="e"><v>new</v></c>',
      '<c t="str"><f>UPPER(B2)</f></c>',
      '<c><f>A1+1</f></c>',
      '<c t="str"><f>IF(A1,"x","")</f><v></v></c>',
      ...['b', 's', 'n', 'str'].map((type) => `<c t="${type}"/>`),
    ]
    const workbook = await aWorkbook({
      'xl/sharedStrings.xml': '<sst><si><t>shared</t></si></sst>',
      'xl/worksheets/s.xml': sheet(
        `<row>${cells.map(() => '<c t="s"><v>0</v></c>').join('')}</row><row>${cells.join('')}</row>`,
      ),
    })
    expect(await cellsOf(workbook)).toEqual([
      ['#N/A', '#NEW!', '#VALUE!', '#FORMULA!', '#FORMULA!', '', '', '', '', ''],
    ])
  })

  test('is rejected if it lacks a text that a cell has', async () => {
    const workbook = await aWorkbook({ 'xl/worksheets/s.xml': sheet('<row><c t="s"><v>0</v></c></row>') })
    await expect(read(workbook)).rejects.toMatchObject({ code: 'workbook' })
  })

  test('has its rows counted if they have no valid numbers', async () => {
    const row = (number: string) => `<row r="${number}"><c t="str"><v>x</v></c></row>`
    const workbook = await aWorkbook({
      'xl/worksheets/s.xml': sheet(['1', 'x', '1e20', '-3', '2.5', '99999999999', '9', ''].map(row).join('')),
    })
    expect((await read(workbook)).rows.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6, 9, 10])
  })

  test('class 16: is rejected if its cells share a long text, or so many that it would be far larger than the file', async () => {
    const sharing = async (chars: number, rows: number) =>
      read(
        await aWorkbook({
          'xl/sharedStrings.xml': `<sst><si><t>${'x'.repeat(chars)}</t></si></sst>`,
          'xl/worksheets/s.xml': sheet('<row><c t="s"><v>0</v></c></row>'.repeat(rows)),
        }),
      )
    expect((await sharing(1_000_000, 10)).rows).toHaveLength(9)
    await expect(sharing(1_000_001, 2)).rejects.toMatchObject({ code: 'cell' })
    await expect(sharing(1_000_000, 110)).rejects.toMatchObject({ code: 'inflated' })
  })

  test('is rejected if it is a zip bomb or damaged', async () => {
    const bomb = await aWorkbook({
      'xl/sharedStrings.xml': `<sst>${' '.repeat(129 * 1024 * 1024)}</sst>`,
      'xl/worksheets/s.xml': sheet(''),
    })
    expect(bomb.length).toBeLessThan(1_000_000)
    await expect(read(bomb)).rejects.toMatchObject({ code: 'inflated' })
    // Its header claims a small size.
    const lying = Buffer.from(
      await aWorkbook({ 'xl/worksheets/s.xml': sheet(`<row r="1">${'<c/>'.repeat(100_000)}</row>`) }),
    )
    const packed = deflateRawSync(Buffer.from('x'))
    const at = lying.lastIndexOf(Buffer.from('PK\x01\x02'))
    lying.writeUInt32LE(packed.length, at + 24)
    await expect(read(lying)).rejects.toMatchObject({ code: 'workbook' })
    await expect(read(lying.subarray(0, 300))).rejects.toMatchObject({ code: 'workbook' })
    const entities =
      '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><worksheet><sheetData><row r="1"><c t="str"><v>&b;</v></c></row></sheetData></worksheet>'
    await expect(read(await aWorkbook({ 'xl/worksheets/s.xml': entities }))).rejects.toMatchObject({ code: 'workbook' })
  })
})

const FIELDS = [
  'mediaType',
  'translations',
  'originalTitle',
  'isOngoing',
  'releaseDate',
  'duration',
  'episodes',
  'characters',
  'tags',
  'cover',
  'assets',
  'relatedMedia',
  'readings',
]
const guess = (header: string, known = {}, languages = ['en', 'zh-Hans', 'ja']) =>
  guessMapping([header], known, { type: 'Media', fields: FIELDS, languages })[header]

test.each([
  ['translations.en.title', 'translations.en.title'],
  ['translations.zh-hans.title', 'translations.zh-Hans.title'],
  ['_id', '_id'],
  ['Title (English)', 'translations.en.title'],
  ['English title', 'translations.en.title'],
  ['Title', 'translations.en.title'],
  ['标题', 'translations.zh-Hans.title'],
  ['标题（英文）', 'translations.en.title'],
  ['日文标题', 'translations.ja.title'],
  ['中文名', 'translations.zh-Hans.title'],
  ['英文名', 'translations.en.title'],
  ['日文名', 'translations.ja.title'],
  ['繁體中文譯名', 'translations.zh-Hant.title'],
  ['日文原名', 'originalTitle'],
  ['邦題', 'translations.ja.title'],
  ['名前', 'translations.ja.title'],
  ['中文（繁體）', 'translations.zh-Hant.title'],
  ['Chinese (Traditional)', 'translations.zh-Hant.title'],
  ['タイトル（簡体字）', 'translations.zh-Hans.title'],
  ['読み仮名', 'readings'],
  ['简介', 'translations.zh-Hans.description'],
  ['Description [ja]', 'translations.ja.description'],
  ['title_ja', 'translations.ja.title'],
  ['Japanese', 'translations.ja.title'],
  ['Traditional Chinese Title', 'translations.zh-Hant.title'],
  ['タイトル', 'translations.ja.title'],
  ['Release date', 'releaseDate'],
  ['releaseDate', 'releaseDate'],
  ['发布日期', 'releaseDate'],
  ['Type', 'mediaType'],
  ['Original title', 'originalTitle'],
  ['原名', 'originalTitle'],
  ['Genres', 'tags'],
  ['集数', 'episodes'],
  ['Norwegian title', 'translations.no.title'],
  ['Title (id)', 'translations.id.title'],
  ['No.', null],
  ['№', null],
  ['Title ID', null],
  ['averageRating', null],
  ['version', null],
  ['password', null],
  ['import.reason', null],
  ['__proto__', null],
  ['constructor', null],
])('maps the header %j to %j', (header, path) => {
  expect(guess(header)).toBe(path)
})

test('maps “no” and “id” to Norwegian and Indonesian if these languages are in use', () => {
  expect(guess('Title NO', {}, ['en', 'no'])).toBe('translations.no.title')
  expect(guess('Title ID', {}, ['en', 'id'])).toBe('translations.id.title')
})

test('maps a Chinese header to the script in which it is written, if that is in use', () => {
  const both = ['en', 'zh-Hant', 'zh-Hans']
  expect(guess('標題', {}, both)).toBe('translations.zh-Hant.title')
  expect(guess('标题', {}, both)).toBe('translations.zh-Hans.title')
  expect(guess('標題', {}, ['en', 'zh'])).toBe('translations.zh.title')
})

test('prefers the earlier choice of the user to the header', () => {
  expect(guess('Title', { Title: 'originalTitle' })).toBe('originalTitle')
  expect(guess('Title', { Title: null })).toBeNull()
})
