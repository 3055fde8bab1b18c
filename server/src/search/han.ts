import compatibility from 'opencc-js/dict/CJK_Compatibility_Ideographs'
import hongKong from 'opencc-js/dict/HKVariantsRev'
import japanese from 'opencc-js/dict/JPShinjitaiCharacters'
import toTraditional from 'opencc-js/dict/STCharacters'
import toSimplified from 'opencc-js/dict/TSCharacters'
import taiwan from 'opencc-js/dict/TWVariantsRev'
import { lengthOf } from './chars.ts'

/** Variants in Japanese names, each with the common form. */
const IN_NAMES = '髙高 﨑崎 邉邊 𠮷吉 濵濱 栁柳'

let forms: Map<string, string> | undefined

/**
 * For each Han character with several forms (traditional, Taiwan, Hong Kong, Japanese, simplified), the one that stands
 * for all of them. Built on first use, in about ten milliseconds. OpenCC's own converters are not used, since they
 * choose by phrase, which a title cut in the middle no longer has.
 */
export function hanForms(): ReadonlyMap<string, string> {
  forms ??= makeForms()
  return forms
}

function makeForms(): Map<string, string> {
  const parents = new Map<string, string>()
  const rootOf = (char: string): string => {
    let root = char
    for (let next = parents.get(root); next !== undefined; next = parents.get(root)) root = next
    return root
  }
  // The second argument becomes the root, so the simplified form wins: its dictionary is joined last.
  const join = (from: string, to: string) => {
    const [below, above] = [rootOf(from), rootOf(to)]
    if (below !== above) parents.set(below, above)
  }
  for (const [from, to] of pairs(compatibility, japanese, hongKong, taiwan)) join(from, to)
  for (const pair of IN_NAMES.split(' ')) {
    const [variant = '', common = ''] = pair
    join(variant, common)
  }
  for (const [simplified, traditional] of pairs(toTraditional)) join(traditional, simplified)
  for (const [traditional, simplified] of pairs(toSimplified)) join(traditional, simplified)
  return new Map([...parents.keys()].map((char) => [char, rootOf(char)]))
}

/** The first form of each entry: further ones are for other meanings, and joining those would join different words. */
function* pairs(...dictionaries: string[]): Generator<[string, string]> {
  for (const entry of dictionaries.flatMap((lines) => lines.split('|'))) {
    const [from = '', to = ''] = entry.split(/\s/)
    if (lengthOf(from) === 1 && lengthOf(to) === 1) yield [from, to]
  }
}
