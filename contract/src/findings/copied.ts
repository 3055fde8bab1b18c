import { isInFamily, primaryLanguage } from '../languageTags.ts'
import { type Check, type Checked, titlesOf } from './check.ts'
import { couldBeIn, foldedLetters, hasChineseForm, isLatinOnly } from './scripts.ts'

/**
 * A title in a wanted language that is the original or the Japanese one, though it is in another language. A title of
 * Latin letters alone is none: it is the same everywhere.
 */
export const copied: Check = (entity) => {
  const titles = titlesOf(entity)
  const japanese = titles.find(([language]) => primaryLanguage(language) === 'ja')?.[1] ?? ''
  return titles
    .filter(([language, title]) => isWanted(entity, language) && isCopy(title, language, entity.original, japanese))
    .map(([language, title]) => ({ language, field: entity.title, text: title }))
}

const isWanted = ({ wanted }: Checked, language: string): boolean =>
  primaryLanguage(language) !== 'ja' && wanted.some((family) => isInFamily(language, family))

function isCopy(title: string, language: string, original: string, japanese: string): boolean {
  const folded = foldedLetters(title)
  if (folded === '' || isLatinOnly(title)) return false
  const isJapanese = folded === foldedLetters(japanese)
  if (!isJapanese && folded !== foldedLetters(original)) return false
  if (!couldBeIn(title, language)) return true
  // Written in Chinese characters alone, it may be Chinese or Japanese.
  return isJapanese && !hasChineseForm(title) && couldBeIn(title, 'ja')
}
