import { invalid } from '#lib/errors.ts'
import { type Actor, has } from '#lib/may.ts'

/** The longest comment of those whose tier does not include canCommentUnrestricted, in characters. */
const LONGEST = 500

const MARKUP = /<\/?[a-z!][^>]*>|!?\[[^\]]*\]\([^)]*\)|\[\/?(?:url|img|b|i|u)\b[^\]]*\]/i
const LINK = /\b[a-z][a-z0-9+.-]*:\/\/\S|\bwww\.\S|\bmailto:\S|\b(?:[a-z0-9-]+\.)+[a-z]{2,24}\/\S*/i

/** Refuses what the actor's tier does not let a comment be (decisions 5). */
export function checkComment(comment: string, actor: Actor): void {
  if (has(actor, 'canCommentUnrestricted')) return
  const refuse = (message: string) => invalid([{ path: 'comment', message }], message)
  if (Array.from(comment).length > LONGEST) refuse(`A comment has at most ${LONGEST} characters.`)
  if (MARKUP.test(comment)) refuse('A comment is plain text, without markup.')
  if (LINK.test(comment)) refuse('A comment is plain text, without links.')
}
