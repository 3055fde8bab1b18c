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
  ['"First line\nsecond line"\nOnly one\n', [['First line\nsecond line'], ['Only one']]],
  ['"One\r\n""two"" x"\tb', [['One\n"two" x', 'b']]],
  ['"Kokoro"\n"a" b\n"c', [['"Kokoro"'], ['"a" b'], ['"c']]],
  ['', [['']]],
])('splits %j into cells', (text, cells) => {
  expect(pastedCells(text)).toEqual(cells)
})
