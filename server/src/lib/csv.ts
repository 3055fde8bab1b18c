/** Without it, some spreadsheets do not read a table as Unicode. */
export const BYTE_ORDER_MARK = '\ufeff'

/** A line of a table as RFC 4180 has it. */
export const csvLine = (cells: string[]): string => `${cells.map((cell) => quoted(guarded(cell))).join(',')}\r\n`

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/**
 * What a spreadsheet would take for a formula begins with an apostrophe, and so is a text. So does what begins with
 * apostrophes before that: one taken off again, every text is what it was.
 */
export const guarded = (text: string): string => (/^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text)

/** A cell of a table as `guarded` made it, as the text that it was made from. */
export const unguarded = (cell: string): string => (/^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell)
