import { expect, test } from 'vitest'
import { linesOf } from './externalSearch.ts'

async function* bytewise(text: string): AsyncGenerator<Uint8Array> {
  for (const byte of new TextEncoder().encode(text)) yield Uint8Array.of(byte)
}

async function linesIn(text: string): Promise<string[]> {
  const lines = []
  for await (const line of linesOf(bytewise(text))) lines.push(line)
  return lines
}

test('reads the lines of a response that arrives byte by byte', async () => {
  expect(await linesIn('data: 目\r\n\ndata: 録\nrest')).toEqual(['data: 目', '', 'data: 録', 'rest'])
})

// Split anew with every byte, this would take minutes.
test('class 16: a long line that arrives byte by byte takes no longer than its length', async () => {
  const line = 'a'.repeat(250_000)
  expect(await linesIn(`${line}\nb`)).toEqual([line, 'b'])
})
