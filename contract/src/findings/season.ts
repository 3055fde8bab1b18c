import { primaryLanguage } from '../languageTags.ts'
import { type Check, titlesOf } from './check.ts'
import { seasonOf } from './duplicate.ts'
import { normalize } from '../normalize.ts'

/** Whether a title names a second or later season. */
const namesLater = (title: string): boolean => seasonOf(title) > 1
/** Matches anything that may stand for a season number. */
const ANY_NUMBER =
  /[\p{Nd}一二三四五六七八九十弐参壱壹貳貮贰叁肆伍陸陆]|\b(?:[IVX]+|second|third|fourth|final|two|three|new|next)\b|[新续續]|[!！+＋'’]\s*$/iu

/** A title without any number, although the original or the Japanese title names a later season. */
export const season: Check = (entity) => {
  const titles = titlesOf(entity).map(([language, title]) => ({ language, title, folded: normalize(title, 'NFKC') }))
  const isOriginal = ({ language, title }: { language: string; title: string }) =>
    primaryLanguage(language) === 'ja' || title === entity.original
  const isSaid =
    namesLater(normalize(entity.original, 'NFKC')) || titles.some((each) => isOriginal(each) && namesLater(each.folded))
  if (!isSaid) return []
  return titles
    .filter((each) => !isOriginal(each) && !ANY_NUMBER.test(each.folded))
    .map(({ language, title }) => ({ language, field: entity.title, text: title }))
}
