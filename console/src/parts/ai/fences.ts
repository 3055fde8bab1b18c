/** Removes the fences of Markdown code blocks from an answer, and keeps what the blocks contain. */
export const withoutFences = (text: string): string =>
  text.replace(/^[ \t]*`{3,}[ \t]*(?:\w+[ \t]*)?$\n?/gm, '').replace(/(?<!`)`{3,}[ \t]*$/gm, '')
