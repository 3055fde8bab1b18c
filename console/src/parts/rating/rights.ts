import type { Rating } from '@mokuroku/contract/ratings'
import { useMe } from '#api/session.ts'
import { ratingTexts } from './texts.ts'

/** Maximum comment length in characters, without and with canCommentUnrestricted. */
const COMMENT = { plain: 500, free: 5000 }

/**
 * What the signed-in user may do with ratings: each `no…` is the reason why not, if any. Mirrors the server's rules.
 */
export function useRatingRights() {
  const { _id, role, tier, permissions } = useMe()
  const texts = ratingTexts.use()
  const isTrusted = role === 'admin' || role === 'moderator'
  const noRate = isTrusted || permissions.canRateContent ? undefined : texts.mayNotRate(tier)
  const owns = (rating: Rating) => raterIdOf(rating) === _id
  const isFree = isTrusted || permissions.canCommentUnrestricted
  return {
    noRate,
    noEdit: (rating: Rating) => (isTrusted ? undefined : owns(rating) ? noRate : texts.notYours),
    noDelete: (rating: Rating) => (isTrusted || owns(rating) ? undefined : texts.notYours),
    /** Whether comments must be plain text. */
    plainComments: !isFree,
    longestComment: isFree ? COMMENT.free : COMMENT.plain,
  }
}

const raterIdOf = ({ userId }: Pick<Rating, 'userId'>) => (typeof userId === 'string' ? userId : userId._id)

/** The user who gave a rating; undefined if the account was deleted. */
export const raterOf = ({ userId }: Pick<Rating, 'userId'>) => (typeof userId === 'string' ? undefined : userId)

/** The rated media item; undefined if it was permanently deleted. */
export const mediaOf = ({ mediaId }: Pick<Rating, 'mediaId'>) => (typeof mediaId === 'string' ? undefined : mediaId)
