// Our own transliteration: wanakana's is for learners, with ティ as `tei` and ファ as `fua`
// (docs/decisions/015-libraries.md).
import { chars } from './chars.ts'

/** Hepburn romanization of hiragana, by consonant and the vowels a, i, u, e, o. */
const ROWS: [string, string][] = [
  ['あいうえお', 'a i u e o'],
  ['かきくけこ', 'ka ki ku ke ko'],
  ['がぎぐげご', 'ga gi gu ge go'],
  ['さしすせそ', 'sa shi su se so'],
  ['ざじずぜぞ', 'za ji zu ze zo'],
  ['たちつてと', 'ta chi tsu te to'],
  ['だぢづでど', 'da ji zu de do'],
  ['なにぬねの', 'na ni nu ne no'],
  ['はひふへほ', 'ha hi fu he ho'],
  ['ばびぶべぼ', 'ba bi bu be bo'],
  ['ぱぴぷぺぽ', 'pa pi pu pe po'],
  ['まみむめも', 'ma mi mu me mo'],
  ['らりるれろ', 'ra ri ru re ro'],
  ['やゆよわをんゐゑ', 'ya yu yo wa o n i e'],
  ['ぁぃぅぇぉゃゅょゎゕゖっ', 'a i u e o ya yu yo wa ka ke tsu'],
]
const SOUNDS = new Map(ROWS.flatMap(([kana, latin]) => latin.split(' ').map((sound, at) => [kana.charAt(at), sound])))
const SMALL = /[ぁぃぅぇぉゃゅょ]/

/**
 * Transliterates the kana of a folded text to Hepburn, with long vowels as written; the rest stays as it is. Latin
 * letters after kana become a word of their own, so that their vowels do not count as long ones of the kana.
 */
export function romaji(folded: string): string {
  const kana = chars(folded.replace(BEFORE_LATIN, ' '))
  let latin = ''
  let isDoubled = false
  for (let at = 0; at < kana.length; at++) {
    const char = kana[at] ?? ''
    const small = kana[at + 1] ?? ''
    if (char === 'っ') {
      isDoubled = true
      continue
    }
    const joined = SMALL.test(small) ? join(SOUNDS.get(char), char, small) : undefined
    if (joined) at++
    const sound = joined ?? SOUNDS.get(char)
    latin += (isDoubled && sound ? doubling(sound) : '') + (sound ?? char)
    isDoubled = false
  }
  return latin
}

/** A kana followed by a small one: きゃ kya, しゃ sha, ふぁ fa, てぃ ti, うぃ wi, いぇ ye. */
function join(sound: string | undefined, kana: string, small: string): string | undefined {
  const vowel = SOUNDS.get(small)
  if (!sound || !vowel) return undefined
  const stem = sound.replace(/[aiueo]$/, '')
  if (vowel.length > 1) {
    const glide = /(?:sh|ch|j)$/.test(stem) ? vowel.slice(1) : vowel
    return sound.endsWith('i') || 'てでふ'.includes(kana) ? stem + glide : undefined
  }
  if (kana === 'う') return `w${vowel}`
  if (kana === 'い') return vowel === 'e' ? 'ye' : undefined
  if (kana === 'く' || kana === 'ぐ') return `${stem}w${vowel}`
  const joins = /^(?:sh|ch|j|ts|f|t|d)$/.test(stem) && !sound.endsWith(vowel)
  return joins ? stem + vowel : undefined
}

const doubling = (sound: string): string => (sound.startsWith('ch') ? 't' : sound.replace(/^([^aiueon])?.*$/, '$1'))

// A Latin word that could be Japanese, consisting of syllables only. English words rarely do (`sailor` has an l). Each
// syllable is atomic (matched ahead, then referred to): `nya` is also n + ya, and trying both for every syllable of a
// long word would take forever.
const SYLLABLES =
  /^(?:(?=((?:kk?|s?sh?|t?ts|tt?|[ct]?ch|n|hh?|ff?|m|y|rr?|w|gg?|zz?|dd?z?|bb?|pp?|jj?|v)?y?[aiueo]h?|n|m(?=[bpm])))\1)+$/
const SPELLINGS: [RegExp, string][] = [
  [/^wo$/, 'o'],
  [/v/g, 'b'],
  [/d?zy|jy|dj|d?z(?=i)|d(?=i)/g, 'j'],
  [/sy|s(?=i)/g, 'sh'],
  [/c?ch/g, 'ch'],
  [/ty|t(?=i)/g, 'ch'],
  [/tch/g, 'ch'],
  [/t(?=u)/g, 'ts'],
  [/d(?:z|(?=u))/g, 'z'],
  [/(?<![cst])hu/g, 'fu'],
  [/m(?=[bpm])/g, 'n'],
  [/oh(?![aiueoy])/g, 'o'],
  [/([aiueo])\1+/g, '$1'],
  [/ou/g, 'o'],
]

/** Roman numerals that would be shortened if they were romaji: II and III are different seasons. */
const NUMERAL = /^v?ii+$/
/** Where Latin letters follow kana: オーバーロードII, アリアAA. */
const BEFORE_LATIN = /(?<=[ぁ-ゖ])(?=[a-z])/g

/**
 * Normalizes the words of a folded text that may be romaji: long vowels become short, `si` becomes `shi`, `syo` `sho`.
 */
export const normalRomaji = (folded: string): string => folded.replace(/[a-z]+/g, spell)

function spell(word: string): string {
  if (!SYLLABLES.test(word) || NUMERAL.test(word)) return word
  return SPELLINGS.reduce((text, [pattern, plain]) => text.replace(pattern, plain), word)
}
