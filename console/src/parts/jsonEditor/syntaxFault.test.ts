import { describe, expect, test } from 'vitest'
import { syntaxFault } from './syntaxFault.ts'

describe('a syntax error', () => {
  test.each([
    ['{\n  "a": 1\n  "b": 2\n}', 3],
    ['{\n  "a": ,\n}', 2],
    ['{ "a": 1 } x', 1],
    ['{"a": "line\nbreak"}', 1],
  ])('is located in %j', (wrong, line) => expect(syntaxFault(wrong).line).toBe(line))

  test.each([
    ['\uFEFF{ "a": 1 }', 'byteOrderMark', '\uFEFF'],
    ['{ "a": 1 // one\n}', 'comment', '//'],
    ['{ # one\n "a": 1 }', 'comment', '#'],
    ['{ "a": /* one */ 1 }', 'comment', '/*'],
    ['{ “a”: 1 }', 'curlyQuotes', '“a”'],
    ["{ 'a': 1 }", 'singleQuotes', "'a'"],
    ['{ "a"：1 }', 'fullWidth', '：1'],
    ['{\n  "a": "one,\n  "b": 2\n}', 'openString', '"one'],
    ['{ "a": "one\ttwo" }', 'escape', '"one\ttwo"'],
    ['{ "a": [1, 2,] }', 'trailingComma', ','],
    ['{ "a": 1 "b": 2 }', 'missingComma', '"b"'],
    ['{ a: 1 }', 'word', 'a'],
    ['{ "a": NaN }', 'word', 'NaN'],
    ['{ "a": 1', undefined, ''],
  ])('in %j is classified as %s', (wrong, misfit, marked) => {
    const { from, to, misfit: found } = syntaxFault(wrong)
    expect([found, wrong.slice(from, to)]).toEqual([misfit, marked])
  })
})
