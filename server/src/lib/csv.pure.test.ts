import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvLine, escapeCell, escapeFormula, unescapeFormula } from './csv.ts'

/** Texts that are likely to have a formula somewhere. */
const text = fc.string({ unit: fc.constantFrom(...Array.from(`=+-@＝＋－＠\t\r\n;,'"a 目`)), maxLength: 12 })

test('class 19: a program that takes another separator, and so sees no quotation marks, finds no formula', () => {
  fc.assert(
    fc.property(text, (cell) => {
      const parts = csvLine(['id', cell, 'end']).split(/[;\t\r\n]/)
      for (const part of parts) expect(part).not.toMatch(/^"*[=+\-@＝＋－＠]/)
    }),
  )
})

test.each(Array.from('=+-@＝＋－＠\t\r'))(
  'class 19: a cell that begins with %j is text, in a table and in a workbook',
  (sign) => {
    for (const escape of [escapeFormula, escapeCell]) {
      expect(escape(`${sign}1`)).toBe(`'${sign}1`)
      expect(escape(`'${sign}1`)).toBe(`''${sign}1`)
    }
  },
)

test('a cell with a separator of any spreadsheet, a quotation mark or a line break is quoted', () => {
  expect(csvLine(['a,b', 'a;b', 'a\tb', 'a"b', 'a\nb', 'a\rb', 'a b'], ';')).toBe(
    '"a,b";"a;b";"a\tb";"a""b";"a\nb";"a\rb";a b\r\n',
  )
})

test('an escaped text can be restored, from a table and from a workbook', () => {
  fc.assert(
    fc.property(text, (cell) => {
      expect(unescapeFormula(escapeFormula(cell))).toBe(cell)
      expect(unescapeFormula(escapeCell(cell))).toBe(cell)
    }),
  )
})

test('a workbook, whose cells are never split, has list items as they are', () => {
  expect(escapeCell('Cast:\n- Haruka\n- Kyou')).toBe('Cast:\n- Haruka\n- Kyou')
  expect(escapeFormula('Cast:\n- Haruka')).toBe("Cast:\n'- Haruka")
})
