// Numbers that mean thousands in some countries and decimals in others, such as 1,500.
import { normalize } from '@mokuroku/contract/normalize'

/** The maximum length of a cell that is not plain text, in characters: normalizing a huge one would take a second. */
export const MAX_WORD_CHARS = 1000
/** No group begins with a zero. */
const UNCLEAR = /^[+-]?[1-9]\d{0,2}([.,])\d{3}$/

/** The sign before the last three digits of such a number; undefined for any other text. */
export const unclearSign = (text: string): string | undefined =>
  text.length > MAX_WORD_CHARS ? undefined : UNCLEAR.exec(normalize(text, 'NFKC').trim())?.[1]
