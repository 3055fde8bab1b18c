/** Names may contain spaces; after more than two, the text is no longer a name. */
const MAX_SPACES = 2
/**
 * `@` and a name. The `@` must not follow a letter, digit or underscore, as in `name@example.org`; it may follow
 * Chinese and Japanese characters, which are written without spaces.
 */
const MENTION =
  /(?:^|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[^\p{L}\p{N}_])@(?<name>[^@\s](?:[^@\n]{0,58}[^@\s])?)$/u

/** The name being typed after an `@` at the caret, and the index of that `@`. */
export function mentionAt(text: string, caret: number): { from: number; name: string } | undefined {
  const name = MENTION.exec(text.slice(0, caret))?.groups?.name
  if (name === undefined || name.split(' ').length - 1 > MAX_SPACES) return undefined
  return { from: caret - name.length - 1, name }
}
