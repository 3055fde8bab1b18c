import type { Rating } from '@mokuroku/contract/ratings'
import { mediaOf, raterOf } from '#parts/rating/rights.ts'
import { ratingTexts } from '#parts/rating/texts.ts'
import { useTitleOf } from '#parts/titles.ts'

/** Returns a function with the display names of a rating's user and media item. */
export function useRatingNames() {
  const texts = ratingTexts.use()
  const titleOf = useTitleOf()
  return (rating: Rating) => {
    const media = mediaOf(rating)
    return {
      name: raterOf(rating)?.username ?? texts.anonymous,
      title: media ? titleOf(media) : { text: texts.goneMedia, lang: undefined },
    }
  }
}
