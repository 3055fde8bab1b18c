/** Without it, some spreadsheets do not read the file as Unicode. */
export const BYTE_ORDER_MARK = '\ufeff'

/** A line of a CSV file (RFC 4180). */
export const csvLine = (cells: string[], separator = ','): string =>
  `${cells.map((cell) => quoted(escapeFormula(cell))).join(separator)}\r\n`

/** Quotes separators of other locales, too: a program that guesses the separator could split the cell at one. */
const quoted = (text: string): string => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/**
 * Guards against formula injection: text that a spreadsheet would take for a formula, a Japanese one also after a
 * full-width sign, gets an apostrophe in front, which makes it text. So does such text after a semicolon, a tab or a
 * line break: where the separator is a semicolon, as in much of Europe, Excel does not see the quotation marks of a
 * table separated by commas, and a cell or row begins there. Text that has apostrophes there gets one more, so that
 * removing one restores any text.
 */
export const escapeFormula = (text: string): string => text.replaceAll(FORMULA, "'")

/** Like `escapeFormula`, for the cell of a workbook, which is never split: only its beginning can be a formula. */
export const escapeCell = (text: string): string => text.replaceAll(FORMULA_OF_CELL, "'")

/** The original text of a cell that `escapeFormula` or `escapeCell` made. */
export const unescapeFormula = (cell: string): string => cell.replaceAll(ESCAPED, '')

const FORMULA = /^(?='*[=+\-@＝＋－＠\t\r])|(?<=[;\t\r\n])(?=['"]*[=+\-@＝＋－＠])/g
const FORMULA_OF_CELL = /^(?='*[=+\-@＝＋－＠\t\r])|(?<=[;\t\r\n])(?='['"]*[=+\-@＝＋－＠])/g
const ESCAPED = /^'(?='*[=+\-@＝＋－＠\t\r])|(?<=[;\t\r\n])'(?=['"]*[=+\-@＝＋－＠])/g
