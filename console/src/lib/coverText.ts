/** Number of background colours for covers without an image: `--cover-0` to `--cover-7`. */
export const GROUNDS = 8

export interface CoverText {
  /** A few characters, for the smallest covers. */
  short: string
  long: string
  /** Whether the text is set vertically. */
  isVertical: boolean
  /** Index of the background colour; the same for the same seed. */
  ground: number
}

const VERTICAL = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
/** Two columns of four. */
const VERTICAL_CHARACTERS = 8
const LONG_CHARACTERS = 40
const segmenter = new Intl.Segmenter()

/** The text on the cover of an entity without an image: its title, in its own script. */
export function coverText(title: string, seed: string): CoverText {
  const letters = title.replaceAll(/[^\p{L}\p{N}\p{M}ー々〆ヶ]/gu, '')
  const shown = Array.from(first(letters, VERTICAL_CHARACTERS))
  const isVertical = shown.filter((letter) => VERTICAL.test(letter)).length * 2 > shown.length
  const words = title.split(/[^\p{L}\p{N}\p{M}]+/u).filter(Boolean)
  const initials = words.length > 1 ? words.slice(0, 2).map((word) => first(word, 1)) : [first(letters, 2)]
  return {
    short: isVertical ? first(letters, VERTICAL_CHARACTERS) : initials.join(''),
    long: isVertical ? first(letters, VERTICAL_CHARACTERS) : first(title, LONG_CHARACTERS),
    isVertical,
    ground: hash(seed) % GROUNDS,
  }
}

/** The first characters (grapheme clusters). */
const first = (text: string, count: number) =>
  Array.from(segmenter.segment(text.slice(0, count * 8)), ({ segment }) => segment)
    .slice(0, count)
    .join('')

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return value >>> 0
}
