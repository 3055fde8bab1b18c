import { isInFamily } from '../languageTags.ts'
import { type Check, titlesOf } from './check.ts'

/** A wanted language without a title. Any Chinese title counts for `zh`. */
export const missing: Check = (entity) => {
  const filled = titlesOf(entity).map(([language]) => language)
  return entity.wanted
    .filter((family) => !filled.some((tag) => isInFamily(tag, family)))
    .map((language) => ({ language, field: entity.title, text: '' }))
}
