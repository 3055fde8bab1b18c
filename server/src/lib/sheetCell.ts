import { escapeCell } from './csv.ts'

/** Maximum number of characters in a cell (UTF-16 code units). Excel takes a workbook with a longer one for damaged. */
const MAX_CELL_CHARS = 32_767
/**
 * The errors that spreadsheets show, and save, in place of a value, in the language of their user: `#REF!`, `#WERT!`,
 * `#¿NOMBRE?`, `#N/D`, and `Err:502` of LibreOffice.
 */
const ERROR = /^#[¡¿]?[\p{Lu}\p{M}\d/_]{2,}[!?]$|^#\p{Lu}\/\p{Lu}$|^(?:Err|Fehler|Erreur|エラー|错误|錯誤) ?: ?5\d\d$/u
/** Those without a mark at their end. */
const UNMARKED = new Set(['#NV', '#YOK', '#HIÁNYZIK', '#NENÍ_K_DISPOZICI', '#GETTING_DATA', '#DATEN_ABRUFEN'])
/** Stands for the result of a formula that was never calculated, as in a workbook that a program wrote. */
export const NO_RESULT = '#FORMULA!'
const CUT = '… [cut: a cell holds at most 32,767 characters]'

/** A text as the cell of a workbook: never a formula, and if it is too long, its beginning, which says so at its end. */
export function sheetCell(text: string): string {
  const cell = escapeCell(text)
  if (cell.length <= MAX_CELL_CHARS) return cell
  const start = cell.slice(0, MAX_CELL_CHARS - CUT.length)
  // Without the first half of a character that takes two code units.
  return start.replace(/[\ud800-\udbff]$/, '') + CUT
}

/** A number as a person would write it, without floating-point noise. */
export const numberText = (number: number): string => String(Number(number.toPrecision(15)))

/** Whether a cell has only the beginning of a text. */
export const isCut = (cell: string): boolean => cell.endsWith(CUT)

/** Whether a cell has an error in place of a value. */
export const isError = (cell: string): boolean => ERROR.test(cell.trim()) || UNMARKED.has(cell.trim())
