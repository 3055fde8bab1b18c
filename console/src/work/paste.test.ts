import { expect, test } from 'vitest'
import { pastedCells } from './paste.ts'

test.each([
  ['One\nTwo\n', [['One'], ['Two']]],
  ['One\r\nTwo', [['One'], ['Two']]],
  ['One\rTwo', [['One'], ['Two']]],
  ['One\n\nThree', [['One'], [''], ['Three']]],
  [
    ' a \tb\n c\t',
    [
      ['a', 'b'],
      ['c', ''],
    ],
  ],
  ['心', [['心']]],
  ['', [['']]],
])('splits %j into cells', (text, cells) => {
  expect(pastedCells(text)).toEqual(cells)
})
