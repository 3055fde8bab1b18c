/** The lines of a text from a spreadsheet, each with its cells. The line end after the last line is none of them. */
export function pastedCells(text: string): string[][] {
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n')
  return lines.map((line) => line.split('\t').map((cell) => cell.trim()))
}
