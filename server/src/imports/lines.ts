/**
 * The lines of a text; of one longer than `maxChars`, only the beginning. Only a line feed ends a line: `readline` also
 * splits at U+2028 and U+2029, which JSON contains unescaped.
 */
export async function* linesIn(text: AsyncIterable<string>, maxChars = Infinity): AsyncGenerator<string> {
  let line = ''
  for await (const part of text) {
    const [first = '', ...others] = part.split('\n')
    if (line.length <= maxChars) line += first
    for (const other of others) {
      yield line
      line = other
    }
  }
  if (line !== '') yield line
}
