import { isInFamily, missingLanguages } from '@mokuroku/contract/languageTags'

/** The languages of a batch without those that another one of it stands for: `zh` alone of `zh` and `zh-Hans`. */
export const familiesOf = (tags: string[]): string[] =>
  tags.filter((tag) => !tags.some((other) => other !== tag && isInFamily(tag, other)))

/**
 * The languages in which one media of a batch may have texts: its own, as it writes them, and the others of the batch
 * that none of its own stands for. A media in `zh-Hans` gets no `zh` beside it.
 */
export const targetsOf = (own: string[], families: string[]): string[] => [...own, ...missingLanguages(families, own)]

/** Texts under the tags of `targets`, `zh-Hans` as `zh` where that is the target; those of other languages are left out. */
export function inTargets<T>(texts: Record<string, T>, targets: string[]): Record<string, T> {
  const result: Record<string, T> = {}
  for (const [tag, each] of Object.entries(texts)) {
    const target = inLanguages(tag, targets)
    // What is given under the very tag comes before what is only given under a related one.
    if (targets.includes(target) && (tag === target || !(target in texts))) result[target] = each
  }
  return result
}

/** The tag that the product uses for a language: `zh-Hans` is `zh` where that is what there is, and `ja-JP` is `ja`. */
export function inLanguages(tag: string, used: string[]): string {
  if (used.includes(tag)) return tag
  const wanted = scriptOf(tag)
  return used.find((each) => scriptOf(each) === wanted) ?? tag
}

/** Language and script of a tag, the likely script where it names none: `zh-Hans` of `zh` and `zh-CN`. */
export function scriptOf(tag: string): string {
  try {
    const { language, script } = new Intl.Locale(tag).maximize()
    return `${language}-${script ?? ''}`
  } catch {
    return tag
  }
}

// What a text in a language is written in, beside Latin words that any language borrows.
const SCRIPTS: Record<string, RegExp> = {
  Jpan: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u,
  Hans: /\p{Script=Han}/u,
  Hant: /\p{Script=Han}/u,
  Kore: /\p{Script=Hangul}/u,
  Thai: /\p{Script=Thai}/u,
  Cyrl: /\p{Script=Cyrillic}/u,
  Latn: /\p{Script=Latin}/u,
}
/** What no text of a language holds much of. */
const FOREIGN: Record<string, RegExp> = {
  Jpan: /[\p{Script=Hangul}\p{Script=Thai}\p{Script=Cyrillic}]/gu,
  Hans: /[\p{Script=Katakana}\p{Script=Hiragana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Cyrillic}]/gu,
  Hant: /[\p{Script=Katakana}\p{Script=Hiragana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Cyrillic}]/gu,
  Kore: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Cyrillic}]/gu,
  Thai: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Han}\p{Script=Cyrillic}]/gu,
  Cyrl: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Han}\p{Script=Thai}]/gu,
  Latn: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Han}\p{Script=Thai}\p{Script=Cyrillic}]/gu,
}
/** From this length on a text has something of its own script: shorter ones may be a name in Latin letters. */
const LONG = 40

/** Whether a text is plainly not written as its language is: half of it in a foreign script, or none in its own. */
export function isWrongScript(tag: string, text: string): boolean {
  const script = scriptOf(tag).split('-')[1] ?? ''
  const [own, foreign] = [SCRIPTS[script], FOREIGN[script]]
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  if (!own || !foreign || letters === 0) return false
  return (text.match(foreign)?.length ?? 0) * 2 > letters || (letters >= LONG && !own.test(text))
}
