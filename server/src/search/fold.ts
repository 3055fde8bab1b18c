import { normalize } from '@mokuroku/contract/normalize'
import { chars, HAN } from './chars.ts'
import { hanForms } from './han.ts'
import { normalRomaji, romaji } from './romaji.ts'

/** Longer texts are cut, since an index row of PostgreSQL holds 2,700 bytes. */
const MAX_FOLDED_CHARS = 400
/** How much of a text is folded: twice the longest title. One character can become 18 when it is normalized (ﷺ). */
const MAX_CHARS = 2000
/** Minimum run of kana for which a text with Han characters is transliterated: shorter ones are grammar (の, して). */
const MIN_KANA_RUN = 3

/** Latin letters that do not decompose into a letter and an accent, and letters that are written one for the other. */
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
    // Arabic letters that are often written one for the other, or differ between Arabic and Persian keyboards.
    ة: 'ه',
    ى: 'ي',
    ی: 'ي',
    ک: 'ك',
    ٱ: 'ا',
    ہ: 'ه',
    ھ: 'ه',
    // Letters of Kurdish and Azerbaijani that keyboards of other languages lack.
    ە: 'ه',
    ێ: 'ي',
    ۆ: 'و',
    ڕ: 'ر',
    ڵ: 'ل',
    ə: 'e',
    // The forms of Hebrew letters at the end of words.
    ך: 'כ',
    ם: 'מ',
    ן: 'נ',
    ף: 'פ',
    ץ: 'צ',
    // Two consonants of Korean that keyboards combine.
    ᆪ: 'ᄀᄉ',
    ᆬ: 'ᄂᄌ',
    ᆭ: 'ᄂᄒ',
    ᆰ: 'ᄅᄀ',
    ᆱ: 'ᄅᄆ',
    ᆲ: 'ᄅᄇ',
    ᆳ: 'ᄅᄉ',
    ᆴ: 'ᄅᄐ',
    ᆵ: 'ᄅᄑ',
    ᄚ: 'ᄅᄒ',
    ᄡ: 'ᄇᄉ',
    // Small kana that are also written large: 関ヶ原.
    ゕ: 'か',
    ゖ: 'け',
  }),
)
// Removed without separating words: apostrophes, invisible characters, the long vowel mark, which is often omitted, and
// the stretching mark of Arabic.
const DROPPED = /['’‘ʼʻ`ーـ\p{Cf}\p{Variation_Selector}]/gu
/** Decimal digits of other scripts. */
const DIGIT = /\p{Nd}/u
// Tone marks, accents, and the vowel marks of Arabic and Hebrew, which are usually omitted; but neither the voicing marks
// of kana nor the vowel signs of Thai and Indic scripts. The dot of Devanagari is often omitted, too.
const ACCENTS =
  /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}])\p{Mn}+|\u093c/gu
/** Nasal consonants of Devanagari before one of the same place, which are also written as a dot: हिन्दी, हिंदी. */
const NASALS = /ङ्(?=[क-घ])|ञ्(?=[च-झ])|ण्(?=[ट-ढ])|न्(?=[त-ध])|म्(?=[प-भ])|ँ/gu
const ASCII = /^[\0-\x7f]*$/
const KEPT = /[\p{L}\p{N}\p{M}]/u
/** Iteration marks, which repeat the character before them: 佐々木, こゝろ; some with a voicing mark: いすゞ. */
const REPEATS = /[々〻ゝヽゞヾ]/
const REPEATED = /[\p{Script=Han}\p{Script=Hiragana}]/u
/** Voicing marks of kana: が, ぱ. */
const MARKS = /[\u3099\u309a]/
const VOICED: Record<string, string> = { ゔぁ: 'ば', ゔぃ: 'び', ゔぇ: 'べ', ゔぉ: 'ぼ', ゔ: 'ぶ' }
const LONE_VU: Record<string, string> = { ヷ: 'ば', ヸ: 'び', ヹ: 'べ', ヺ: 'ぼ' }

/**
 * Normalizes a text for comparison: unifies width, case, accents, kana and the forms of Han characters, and replaces
 * punctuation by spaces. Words are separated by one space. A text of symbols only keeps them.
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return foldAscii(text)
  // NFKC would turn a lone acute accent into a space and a combining accent. SPY×FAMILY is typed as Spy x Family.
  const plain = text.toWellFormed().replaceAll('´', "'").replaceAll('×', ' x ')
  const lower = normalize(plain, 'NFKC').toLowerCase().slice(0, MAX_CHARS).toWellFormed()
  const unmarked = normalize(lower.replace(DROPPED, ''), 'NFD').replace(ACCENTS, '')
  // The vowel แ is also typed as twice เ.
  const bare = normalize(unmarked, 'NFKC').replace(NASALS, 'ं').replaceAll('เเ', 'แ')
  let folded = ''
  let last = ''
  for (const char of bare) {
    const next = REPEATS.test(char) && REPEATED.test(last) ? repeat(char, last) : foldChar(char)
    if (next !== ' ' || (last !== ' ' && last !== '')) folded += next
    last = (MARKS.test(next) && composed(last, next)) || next
  }
  // Compose again: after replacing an iteration mark, a voicing mark may follow another character than before.
  folded = normalize(folded.trimEnd(), 'NFC').replace(
    /ゔ[ぁぃぇぉ]?/g,
    (sound) => VOICED[sound] ?? `ぶ${sound.slice(1)}`,
  )
  return folded || lower.replace(/[\p{C}\p{Z}\p{Variation_Selector}]/gu, '')
}

/** As `fold`, in a fraction of the time. */
function foldAscii(text: string): string {
  const lower = text.toLowerCase().slice(0, MAX_CHARS)
  const folded = lower.replace(/['`]+/g, '').replace(/[^a-z\d]+/g, ' ')
  return folded.trim() || lower.replace(/[\p{C}\p{Z}]/gu, '')
}

/** A folded text without spaces, as it is stored and compared. */
export function compact(folded: string): string {
  const whole = folded.replaceAll(' ', '')
  return whole.length <= MAX_FOLDED_CHARS ? whole : chars(whole).slice(0, MAX_FOLDED_CHARS).join('')
}

/**
 * The folded text, and its spellings in Latin letters if it has kana or romaji: as written (`toukyou`), and normalized,
 * with short vowels and one spelling per sound (`tokyo`). A label is indexed, and a query searched, in all of them. Han
 * characters stay as they are, since the text does not tell their reading.
 */
export function variants(text: string): string[] {
  const folded = fold(text)
  const latin = hasReading(folded) ? romaji(folded) : folded
  return [...new Set([folded, latin, normalRomaji(latin)])]
}

/** The variants of a label: those of a Korean text include its initial consonants (초성), by which Koreans search. */
export function labelVariants(text: string): string[] {
  const [folded = '', ...others] = variants(text)
  const isKorean = (folded.match(SYLLABLE)?.length ?? 0) > 1
  return [folded, ...others, ...(isKorean ? [folded.replace(SYLLABLE, initialOf)] : [])]
}

const SYLLABLE = /[가-힣]/g
const initialOf = (syllable: string): string => normalize(syllable, 'NFD').charAt(0)

function hasReading(folded: string): boolean {
  const longestRun = Math.max(0, ...(folded.match(/[ぁ-ゖ]+/g) ?? []).map(({ length }) => length))
  return longestRun >= MIN_KANA_RUN || (longestRun > 0 && !HAN.test(folded))
}

/** What an iteration mark stands for: `last`, voiced if the mark says so and there is such a kana. */
const repeat = (mark: string, last: string): string =>
  (/[ゞヾ]/.test(mark) && composed(normalize(last, 'NFD').charAt(0), '\u3099')) || last

/** A kana with a voicing mark as one character; undefined if there is none. */
function composed(kana: string, mark: string): string | undefined {
  const char = normalize(kana + mark, 'NFC')
  return char.length === 1 ? char : undefined
}

const known = new Map<string, string>()

/** The folded form of a character, cached; the Basic Multilingual Plane limits the size of the cache. */
function foldChar(char: string): string {
  const remembered = known.get(char)
  if (remembered !== undefined) return remembered
  const folded = formOf(char)
  if (char.length === 1) known.set(char, folded)
  return folded
}

function formOf(char: string): string {
  const code = char.codePointAt(0) ?? 0
  if ((code >= 0x30a1 && code <= 0x30f6) || code === 0x30fe) return formOf(String.fromCodePoint(code - 0x60))
  if (!KEPT.test(char)) return ' '
  if (DIGIT.test(char)) return digitOf(code)
  return LETTERS.get(char) ?? LONE_VU[char] ?? hanForms().get(char) ?? char
}

/** The ASCII digit of a decimal digit: in every script, they are in rows of ten, from zero to nine. */
function digitOf(code: number): string {
  let before = 0
  while (DIGIT.test(String.fromCodePoint(code - before - 1))) before += 1
  return String(before % 10)
}
