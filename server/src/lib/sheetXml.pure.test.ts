import fc from 'fast-check'
import { SaxesParser } from 'saxes'
import { expect, test } from 'vitest'
import { sheetXml, unescapeSheet } from './sheetXml.ts'

function parsed(xml: string): string {
  let text = ''
  const parser = new SaxesParser()
  parser.on('text', (more) => (text += more))
  parser.write(`<t xml:space="preserve">${xml}</t>`).close()
  return text
}

test('a workbook keeps any characters, and what looks like an escape', () => {
  const unit = fc.constantFrom(...Array.from('___xxXX00041DdFfaB \r\n\t\v\0\x1f\ufffe\uffff\x85<&>"夏'))
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 16 }), (text) => {
      expect(unescapeSheet(parsed(sheetXml(text)))).toBe(text)
    }),
    {
      numRuns: 5000,
      examples: [['_x0041\r'], ['_x0041\v'], ['_x0041\uffff'], ['_x0041_x0042_'], ['_x005F_x000D_'], ['_x00\r_x000D_']],
    },
  )
})

test('only a small x makes an escape, as in spreadsheets', () => {
  expect(unescapeSheet('_X000D_ _x000d_')).toBe('_X000D_ \r')
})
