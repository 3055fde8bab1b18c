import { normalize } from '@mokuroku/contract/normalize'
import { reasonText } from '@mokuroku/contract/reasons'
import { invalid } from '#lib/errors.ts'
import type { Actor } from '#access/permissions.ts'

/** The maximum length of a comment without canCommentUnrestricted, in characters. */
const MAX_COMMENT_CHARS = 500

const MARKUP = /<\/?[a-z!][^>]*>|!?\[[^\]]*\]\([^)]*\)|\[\/?(?:url|img|b|i|u)\b[^\]]*\]/i
// Browsers treat backslashes as slashes.
const ADDRESS = /\b[a-z][a-z0-9+.-]*:[\\/]{2}\S|\bwww[.。]\S|\bmailto:\S|[a-z0-9-]\.[a-z]{2,24}(?::\d+)?[\\/]/i
/** A word with a dot in it, like a host name. A sentence that begins without a space, "so.Then", does not count. */
const HOST = /[\p{L}\p{M}\p{N}-]\.(?:\p{Ll}{2,24}|\p{Lu}{2,24})(?![\p{Ll}\p{Lu}])/u
/**
 * Hosts that only their ending tells from sentences: Browsers take 。 for a dot, which ends most sentences in Chinese
 * and Japanese, often without a space; and scripts without upper case do not show where a sentence begins.
 */
const KNOWN_ENDING =
  /[\p{L}\p{M}\p{N}-](?:。(?:com|net|org)(?![a-z])|\.(?:中国|中國|香港|台湾|台灣|公司|网址|网站|コム|みんな|한국|닷컴|닷넷|ไทย|भारत)(?![\p{L}\p{M}]))/iu

/** The comment as a browser reads an address in it: full-width signs like others, and without invisible characters. */
const asAddress = (comment: string): string =>
  normalize(comment.replace(/\p{Default_Ignorable_Code_Point}/gu, ''), 'NFKC')

/** Throws for a comment that the actor's tier does not allow (docs/behaviour.md#ratings). */
export function checkComment(comment: string, actor: Actor): void {
  if (actor.permissions.canCommentUnrestricted) return
  const refuse = (message: string) => invalid([{ path: 'comment', message }], message)
  if (Array.from(comment).length > MAX_COMMENT_CHARS) refuse(reasonText('commentLong', { limit: MAX_COMMENT_CHARS }))
  if (MARKUP.test(comment)) refuse(reasonText('commentMarkup'))
  const read = asAddress(comment)
  if ([ADDRESS, HOST, KNOWN_ENDING].some((pattern) => pattern.test(read))) refuse(reasonText('commentLinks'))
}
