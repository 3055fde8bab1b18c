import { reasonText } from '@mokuroku/contract/reasons'
import { invalid } from '#lib/errors.ts'
import { type Actor, has } from '#access/permissions.ts'

/** The maximum length of a comment without canCommentUnrestricted, in characters. */
const MAX_COMMENT_CHARS = 500

const MARKUP = /<\/?[a-z!][^>]*>|!?\[[^\]]*\]\([^)]*\)|\[\/?(?:url|img|b|i|u)\b[^\]]*\]/i
// Browsers treat backslashes as slashes.
const ADDRESS = /\b[a-z][a-z0-9+.-]*:[\\/]{2}\S|\bwww\.\S|\bmailto:\S|[a-z0-9-]\.[a-z]{2,24}[\\/]/i
/** A word with a dot in it, like a host name. A sentence that begins without a space, "so.Then", does not count. */
const HOST = /[A-Za-z0-9-]\.(?:[a-z]{2,24}|[A-Z]{2,24})(?![A-Za-z])/

/** Throws for a comment that the actor's tier does not allow (docs/behaviour.md#ratings). */
export function checkComment(comment: string, actor: Actor): void {
  if (has(actor, 'canCommentUnrestricted')) return
  const refuse = (message: string) => invalid([{ path: 'comment', message }], message)
  if (Array.from(comment).length > MAX_COMMENT_CHARS) refuse(reasonText('commentLong', { limit: MAX_COMMENT_CHARS }))
  if (MARKUP.test(comment)) refuse(reasonText('commentMarkup'))
  if (ADDRESS.test(comment) || HOST.test(comment)) refuse(reasonText('commentLinks'))
}
