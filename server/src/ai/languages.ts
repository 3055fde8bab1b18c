import { isInFamily, missingLanguages } from '@mokuroku/contract/languageTags'

/** The languages of a batch, leaving out those that another one already covers: `zh` stands for `zh` and `zh-Hans`. */
export const familiesOf = (tags: string[]): string[] =>
  tags.filter((tag) => !tags.some((other) => other !== tag && isInFamily(tag, other)))

/**
 * The languages in which one media item of a batch may get texts: its own tags, and those of the batch that none of its
 * own covers. A media item with `zh-Hans` gets no `zh` in addition.
 */
export const targetsOf = (own: string[], families: string[]): string[] => [...own, ...missingLanguages(families, own)]

/** Maps texts to the tags in `targets` (`zh-Hans` to `zh` if that is the target); drops those of other languages. */
export function inTargets<T>(texts: Record<string, T>, targets: string[]): Record<string, T> {
  const result: Record<string, T> = {}
  for (const [tag, each] of Object.entries(texts)) {
    const target = inLanguages(tag, targets)
    // A text under the target tag itself takes precedence over one under a related tag.
    if (targets.includes(target) && (tag === target || !(target in texts))) result[target] = each
  }
  return result
}

/** The tag in `used` for a language: `zh-Hans` becomes `zh` if that is the one in use, and `ja-JP` becomes `ja`. */
export function inLanguages(tag: string, used: string[]): string {
  if (used.includes(tag)) return tag
  const script = scriptOf(tag)
  return used.find((each) => scriptOf(each) === script) ?? tag
}

/** Language and script of a tag; without a script, the likely one: `zh-Hans` for `zh` and `zh-CN`. */
export function scriptOf(tag: string): string {
  try {
    const { language, script } = new Intl.Locale(tag).maximize()
    return `${language}-${script ?? ''}`
  } catch {
    return tag
  }
}

// The characters a language is written in. Latin is allowed everywhere, since any language borrows Latin words.
const SCRIPTS: Record<string, RegExp> = {
  Jpan: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u,
  Hans: /\p{Script=Han}/u,
  Hant: /\p{Script=Han}/u,
  Kore: /\p{Script=Hangul}/u,
  Thai: /\p{Script=Thai}/u,
  Cyrl: /\p{Script=Cyrillic}/u,
  Latn: /\p{Script=Latin}/u,
}
/** Scripts that a text in this language contains little of. */
const FOREIGN: Record<string, RegExp> = {
  Jpan: /[\p{Script=Hangul}\p{Script=Thai}\p{Script=Cyrillic}]/gu,
  Hans: /[\p{Script=Katakana}\p{Script=Hiragana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Cyrillic}]/gu,
  Hant: /[\p{Script=Katakana}\p{Script=Hiragana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Cyrillic}]/gu,
  Kore: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Cyrillic}]/gu,
  Thai: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Han}\p{Script=Cyrillic}]/gu,
  Cyrl: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Han}\p{Script=Thai}]/gu,
  Latn: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Han}\p{Script=Thai}\p{Script=Cyrillic}]/gu,
}
/** From this length on, a text must contain its own script; shorter ones may be a name in Latin letters. */
const LONG_TEXT_CHARS = 40

/** Whether a text is clearly in the wrong script: more than half of it foreign, or long and nothing in its own. */
export function isWrongScript(tag: string, text: string): boolean {
  const script = scriptOf(tag).split('-')[1] ?? ''
  const [own, foreign] = [SCRIPTS[script], FOREIGN[script]]
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  if (!own || !foreign || letters === 0) return false
  return (text.match(foreign)?.length ?? 0) * 2 > letters || (letters >= LONG_TEXT_CHARS && !own.test(text))
}
