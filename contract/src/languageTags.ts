import { memoize } from './memoize.ts'

/** The longest tag, in characters: as long as all that RFC 5646 (4.4.1) lets everyone expect. */
const MAX_TAG_CHARS = 35

/**
 * The canonical form of a language tag; undefined if it is not well-formed, longer than `MAX_TAG_CHARS`, or does not
 * begin with a language: `x-klingon` and `i-default` do not, `art-x-klingon` does.
 */
export function canonical(tag: string): string | undefined {
  if (tag.length > MAX_TAG_CHARS) return undefined
  try {
    return Intl.getCanonicalLocales(tag)[0]
  } catch {
    return undefined
  }
}

/** The primary language of a BCP 47 tag: `zh` for `zh-Hant-TW`. */
export const primaryLanguage = (tag: string): string => tag.split('-')[0]?.toLowerCase() ?? ''

/**
 * Whether the BCP 47 tag `tag` equals `family` or is more specific: `zh-Hans` and `zh-TW` are in the family `zh`,
 * `zh-Hant-TW` is in `zh-Hant`, and `zh` is not in `zh-Hans`. This is basic filtering of RFC 4647, section 3.3.1. Tags
 * that are not well-formed are compared as they are.
 */
export function isInFamily(tag: string, family: string): boolean {
  const [narrow, wide] = [comparable(tag), comparable(family)]
  return narrow === wide || narrow.startsWith(`${wide}-`)
}

const comparable = memoize((tag) => (canonical(tag) ?? tag).toLowerCase())

/** Whether two BCP 47 tags have the same primary language: `zh-Hans` and `zh-Hant` do, `zh` and `ja` do not. */
export const areRelated = (one: string, other: string): boolean => primaryLanguage(one) === primaryLanguage(other)

/**
 * The languages of `offered` that no tag in `present` covers. Any Chinese text covers `zh`; a `zh-Hans` text does not
 * cover `zh-Hant`.
 */
export const missingLanguages = (offered: readonly string[], present: readonly string[]): string[] =>
  offered.filter((family) => !present.some((tag) => isInFamily(tag, family)))
