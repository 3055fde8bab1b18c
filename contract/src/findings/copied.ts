import { isInFamily, primaryLanguage } from '../languageTags.ts'
import { type Check, type Checked, titlesOf } from './check.ts'
import { couldBeIn, foldedLetters, isLatinOnly } from './scripts.ts'

/**
 * A title in a wanted language that is only a copy of the original or the Japanese title. Titles in Latin letters are
 * exempt: they are usually the same in all languages.
 */
export const copied: Check = (entity) => {
  const titles = titlesOf(entity)
  const japanese = titles
    .filter(([language]) => primaryLanguage(language) === 'ja')
    .map(([, title]) => foldedLetters(title))
  return titles
    .filter(([language, title]) => isWanted(entity, language) && isCopy(title, language, entity.original, japanese))
    .map(([language, title]) => ({ language, field: entity.title, text: title }))
}

const isWanted = ({ wanted }: Checked, language: string): boolean =>
  primaryLanguage(language) !== 'ja' && wanted.some((family) => isInFamily(language, family))

function isCopy(title: string, language: string, original: string, japanese: string[]): boolean {
  const folded = foldedLetters(title)
  if (isLatinOnly(title)) return false
  const isJapanese = japanese.includes(folded)
  if (!isJapanese && folded !== foldedLetters(original)) return false
  if (!couldBeIn(title, language)) return true
  // The Japanese title of a Chinese or Korean work is a translation itself.
  if (!isLatinOnly(original) && !couldBeIn(original, 'ja')) return false
  // A title of Chinese characters only may be Chinese or Japanese.
  return isJapanese && couldBeIn(title, 'ja')
}
