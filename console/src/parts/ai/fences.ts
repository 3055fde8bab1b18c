/** The text of an answer as it is shown: what its code blocks hold, without the fences, which are marks for programs. */
export const withoutFences = (text: string): string =>
  text.replace(/^[ \t]*`{3,}[ \t]*\w*[ \t]*$\n?/gm, '').replace(/`{3,}[ \t]*$/gm, '')
