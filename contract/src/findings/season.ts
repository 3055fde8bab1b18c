import { primaryLanguage } from '../languageTags.ts'
import { type Check, titlesOf } from './check.ts'

/** Matches the name of a second or later season. */
const LATER_SEASON =
  /第\s*(?:[2-9]|[1-9][0-9]|[二三四五六七八九十]{1,3})\s*(?:季|期|シリーズ|部)|\b(?:season|part)\s*[2-9]\b|\b(?:2nd|3rd|[4-9]th)\s+season/i
/** Matches anything that may stand for a season number. */
const ANY_NUMBER =
  /[0-9一二三四五六七八九十弐参壱貳貮叁肆伍陸]|\b(?:[IVX]+|second|third|fourth|final|two|three|new|next)\b|[新续續]|[!！+＋'’]\s*$/iu

/** A title without any number, although the original or the Japanese title names a later season. */
export const season: Check = (entity) => {
  const titles = titlesOf(entity).map(([language, title]) => ({ language, title, folded: title.normalize('NFKC') }))
  const isOriginal = ({ language, title }: { language: string; title: string }) =>
    primaryLanguage(language) === 'ja' || title === entity.original
  const isSaid =
    LATER_SEASON.test(entity.original.normalize('NFKC')) ||
    titles.some((each) => isOriginal(each) && LATER_SEASON.test(each.folded))
  if (!isSaid) return []
  return titles
    .filter((each) => !isOriginal(each) && !ANY_NUMBER.test(each.folded))
    .map(({ language, title }) => ({ language, field: entity.title, text: title }))
}
