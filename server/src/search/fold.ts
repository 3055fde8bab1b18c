import { chars } from './chars.ts'
import { hanForms } from './han.ts'
import { normalRomaji, romaji } from './romaji.ts'

/** Longer texts are cut: an index row of PostgreSQL holds 2,700 bytes. */
const MAX_FOLDED_CHARS = 400
/** Kana in a row from which a text with Han characters is worth reading aloud: less is grammar (の, して). */
const WORTH_READING = 3

/** Latin letters that are not a letter and an accent, and the Greek sigma that ends words. */
const LETTERS = new Map(
  Object.entries({
    ß: 'ss',
    ø: 'o',
    æ: 'ae',
    œ: 'oe',
    đ: 'd',
    ð: 'd',
    ħ: 'h',
    ı: 'i',
    ł: 'l',
    ŋ: 'n',
    þ: 'th',
    ς: 'σ',
  }),
)
// Said in one breath with what stands around them: they part no words. The long vowel mark is often left out.
const DROPPED = /['’‘ʼʻ`ー\p{Cf}\p{Variation_Selector}]/gu
// Tone marks and accents; never the dots of kana, nor the vowels of Thai and the Indian scripts, which are letters.
const ACCENTS = /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{Mn}+/gu
const KEPT = /[\p{L}\p{N}\p{M}]/u
/** Marks that repeat the character before them: 佐々木, こゝろ. */
const REPEATS = /[々ゝヽ]/
const REPEATED = /[\p{Script=Han}\p{Script=Hiragana}]/u
const VOICED: Record<string, string> = { ゔぁ: 'ば', ゔぃ: 'び', ゔぇ: 'べ', ゔぉ: 'ぼ', ゔ: 'ぶ' }
const LONE_VU: Record<string, string> = { ヷ: 'ば', ヸ: 'び', ヹ: 'べ', ヺ: 'ぼ' }

/**
 * The one form in which texts are compared: width, case, accents, kana, and the forms of Han characters made the same,
 * punctuation made spaces. Words stay apart by one space. A text of nothing but symbols keeps them.
 */
export function fold(text: string): string {
  // NFKC would make a lone acute a space and an accent.
  const lower = text.toWellFormed().replaceAll('´', "'").normalize('NFKC').toLowerCase()
  const bare = lower.replace(DROPPED, '').normalize('NFD').replace(ACCENTS, '').normalize('NFKC')
  let folded = ''
  let last = ''
  for (const char of bare) {
    const next = REPEATS.test(char) && REPEATED.test(last) ? last : foldChar(char)
    if (next !== ' ' || (last !== ' ' && last !== '')) folded += next
    last = next
  }
  // A mark may now follow another character than before: は, repeated, and the mark of ぱ.
  folded = folded
    .trimEnd()
    .normalize('NFC')
    .replace(/ゔ[ぁぃぇぉ]?/g, (sound) => VOICED[sound] ?? `ぶ${sound.slice(1)}`)
  return folded || lower.replace(/[\p{C}\p{Z}]/gu, '')
}

/** A folded text without its spaces, as it is stored and compared. */
export const compact = (folded: string): string => chars(folded.replaceAll(' ', '')).slice(0, MAX_FOLDED_CHARS).join('')

/**
 * The folded text, and the ways its kana or romaji may be spelled in Latin letters: as written (`toukyou`), and with
 * long vowels and older spellings made the same (`tokyo`). A label is kept, and a query asked, in all of them.
 * Han characters stay what they are: how they are read is not in the text.
 */
export function variants(text: string): string[] {
  const folded = fold(text)
  const latin = hasReading(folded) ? romaji(folded) : folded
  return [...new Set([folded, latin, normalRomaji(latin)])]
}

function hasReading(folded: string): boolean {
  const longest = Math.max(0, ...(folded.match(/[ぁ-ゖ]+/g) ?? []).map(({ length }) => length))
  return longest >= WORTH_READING || (longest > 0 && !/\p{Script=Han}/u.test(folded))
}

const known = new Map<string, string>()

/** What becomes of one character, remembered; the Basic Multilingual Plane bounds the memory. */
function foldChar(char: string): string {
  const remembered = known.get(char)
  if (remembered !== undefined) return remembered
  const folded = formOf(char)
  if (char.length === 1) known.set(char, folded)
  return folded
}

function formOf(char: string): string {
  const code = char.codePointAt(0) ?? 0
  if ((code >= 0x30a1 && code <= 0x30f6) || code === 0x30fe) return String.fromCodePoint(code - 0x60)
  if (!KEPT.test(char)) return ' '
  return LETTERS.get(char) ?? LONE_VU[char] ?? hanForms().get(char) ?? char
}
