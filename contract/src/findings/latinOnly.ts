import { type Check, titlesOf } from './check.ts'
import { foldedLetters, isLatinOnly, scriptOf } from './scripts.ts'

const LATIN = /\p{Script=Latin}/u

/**
 * A title in Latin letters in a language of another script, although the original title, or else the Japanese one, is
 * not: “Gachiakuta” for ガチアクタ. A title that is a part of the original is exempt: BNA in “BNA ビー・エヌ・エー”.
 */
export const latinOnly: Check = (entity) => {
  const original = entity.original.trim() || (entity.texts.ja?.[entity.title] ?? '')
  if (isLatinOnly(original)) return []
  const folded = foldedLetters(original)
  return titlesOf(entity)
    .filter(([language, title]) => isForeign(language, title) && !folded.includes(foldedLetters(title)))
    .map(([language, title]) => ({ language, field: entity.title, text: title }))
}

const isForeign = (language: string, title: string): boolean =>
  !['', 'Latn'].includes(scriptOf(language)) && isLatinOnly(title) && LATIN.test(title)
