// Generates contract/src/findings/chineseForms.ts: node scripts/chineseForms.ts
// The common characters that distinguish Simplified from Traditional Chinese, and both from Japanese. The character
// sets are GB 2312, Big5, and JIS X 0208, decoded by Node; the pairs of forms are from OpenCC.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import toTraditional from 'opencc-js/dict/STCharacters'
import toSimplified from 'opencc-js/dict/TSCharacters'

const FILE = path.resolve(import.meta.dirname, '../contract/src/findings/chineseForms.ts')
const PER_LINE = 60

/** The Chinese characters of a double-byte encoding whose lead byte is in the range. */
function charsIn(encoding: string, from: number, to: number): Set<string> {
  const decoder = new TextDecoder(encoding)
  const found = new Set<string>()
  for (let lead = from; lead <= to; lead += 1)
    for (let trail = 0x40; trail <= 0xfe; trail += 1) {
      const char = decoder.decode(Uint8Array.of(lead, trail))
      if (/^\p{Script=Han}$/u.test(char)) found.add(char)
    }
  return found
}

/** Like `charsIn` for GB 2312, whose trail bytes start at 0xa1, unlike those of its extension GBK. */
function gb2312(from: number, to: number): Set<string> {
  const decoder = new TextDecoder('gbk')
  const found = new Set<string>()
  for (let lead = from; lead <= to; lead += 1)
    for (let trail = 0xa1; trail <= 0xfe; trail += 1) found.add(decoder.decode(Uint8Array.of(lead, trail)))
  return found
}

const common = gb2312(0xb0, 0xd7)
const simplifiedSet = gb2312(0xb0, 0xf7)
const traditionalSet = charsIn('big5', 0xa4, 0xf9)
const japaneseSet = charsIn('shift_jis', 0x88, 0xea)
const commonJapanese = charsIn('shift_jis', 0x88, 0x97)
/** In GB 2312 although Simplified Chinese writes the other form. */
const NOT_SIMPLIFIED = '後'

/** The pairs of a dictionary, each a character and its first other form. */
const pairsIn = (dictionary: string): [string, string][] =>
  dictionary
    .split('|')
    .map((entry) => entry.split(/\s/))
    .map(([char = '', form = '']): [string, string] => [char, form])
    .filter(([char, form]) => char !== form)

const simplified = pairsIn(toTraditional)
  .map(([char]) => char)
  .filter((char) => common.has(char) && !traditionalSet.has(char))
const traditional = pairsIn(toSimplified)
  // Big5 lacks variants such as 爲, 羣 and 麪. Of what it lacks, Japanese has forms of its own, such as 説.
  .filter(([char, form]) => common.has(form) && (traditionalSet.has(char) || !commonJapanese.has(char)))
  .filter(([char]) => !simplifiedSet.has(char) || NOT_SIMPLIFIED.includes(char))
  .map(([char]) => char)

const lines = (chars: string[]): string => {
  const all = [...new Set(chars)].toSorted()
  return Array.from(
    { length: Math.ceil(all.length / PER_LINE) },
    (_, at) => `  '${all.slice(at * PER_LINE, (at + 1) * PER_LINE).join('')}'`,
  ).join(' +\n')
}

writeFileSync(
  FILE,
  `// Written by scripts/chineseForms.ts; not to be edited by hand.

const chinese =
${lines(simplified.filter((char) => !japaneseSet.has(char)))}
const shared =
${lines(simplified.filter((char) => japaneseSet.has(char)))}
const traditional =
${lines(traditional)}

/** Characters of Simplified Chinese that Japanese does not write. */
export const CHINESE_ONLY: ReadonlySet<string> = new Set(chinese)
/** Characters of Simplified Chinese that Traditional Chinese does not write. */
export const SIMPLIFIED_ONLY: ReadonlySet<string> = new Set(chinese + shared)
/** Characters of Traditional Chinese that Simplified Chinese does not write. */
export const TRADITIONAL_ONLY: ReadonlySet<string> = new Set(traditional)
`,
)
