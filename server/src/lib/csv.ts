/** Without it, some spreadsheets do not read the file as Unicode. */
export const BYTE_ORDER_MARK = '\ufeff'

/** A line of a CSV file (RFC 4180). */
export const csvLine = (cells: string[]): string => `${cells.map((cell) => quoted(escapeFormula(cell))).join(',')}\r\n`

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/**
 * Guards against formula injection: text that a spreadsheet would take for a formula, a Japanese one also after a
 * full-width sign, gets an apostrophe in front, which makes it text. So does text with apostrophes before that, so that
 * removing one apostrophe restores any text.
 */
export const escapeFormula = (text: string): string => (/^'*[=+\-@＝＋－＠\t\r]/.test(text) ? `'${text}` : text)

/** The original text of a cell that `escapeFormula` made. */
export const unescapeFormula = (cell: string): string => (/^'+[=+\-@＝＋－＠\t\r]/.test(cell) ? cell.slice(1) : cell)
