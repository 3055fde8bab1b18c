/** A cell in quotes, or any other cell, and what ends it. */
const CELL = /(?:"([^"]*(?:""[^"]*)*)"(?=[\t\n]|$)|([^\t\n]*))([\t\n]|$)/g

/**
 * Parses text copied from a spreadsheet into rows of cells. A line break at the end does not start another row.
 * Spreadsheets put a cell with line breaks or tabs in quotes, and double the quotes in it; other quotes are text.
 */
export function pastedCells(text: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain = '', end] of text.replace(/\r\n?/g, '\n').replace(/\n$/, '').matchAll(CELL)) {
    const cell = quoted === undefined ? plain : /[\t\n]/.test(quoted) ? quoted.replaceAll('""', '"') : `"${quoted}"`
    rows.at(-1)?.push(cell.trim())
    if (end === '') break
    if (end === '\n') rows.push([])
  }
  return rows
}
