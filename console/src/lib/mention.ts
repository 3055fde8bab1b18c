/** A name can hold spaces; what follows a third one is the sentence that goes on. */
const MAX_SPACES = 2
/** What is no letter of a word that is written with spaces, as `name@example.org` is, and then `@` and a name. */
const MENTION =
  /(?:^|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[^\p{L}\p{N}_])@(?<name>[^@\s](?:[^@\n]{0,58}[^@\s])?)$/u

/** The name that is being typed behind an `@` at this place of a text, and where its `@` stands. */
export function mentionAt(text: string, caret: number): { from: number; name: string } | undefined {
  const name = MENTION.exec(text.slice(0, caret))?.groups?.name
  if (name === undefined || name.split(' ').length - 1 > MAX_SPACES) return undefined
  return { from: caret - name.length - 1, name }
}
