import { type Rating, ratingsApi } from '@mokuroku/contract/ratings'
import { call } from '#api/call.ts'
import { useTitleOf } from '#parts/titles.ts'
import { useDelete } from '#parts/useDelete.tsx'
import { mediaOf, raterOf } from './rights.ts'
import { ratingTexts } from './texts.ts'

/** Deletes a rating; a toast offers to undo it. */
export function useDeleteRating(onDone?: () => unknown) {
  const texts = ratingTexts.use()
  const titleOf = useTitleOf()
  return useDelete<Rating>({
    texts,
    nameOf: (rating) => {
      const media = mediaOf(rating)
      return media ? titleOf(media) : { text: texts.goneMedia, lang: undefined }
    },
    remove: ({ _id, version }) => call(ratingsApi.remove, { id: _id, base: version }),
    restore: (id) => call(ratingsApi.restore, { id }),
    onDone,
    more: (rating) => <p>{texts.by(raterOf(rating)?.username ?? texts.anonymous, rating.score.toFixed(1))}</p>,
  })
}
