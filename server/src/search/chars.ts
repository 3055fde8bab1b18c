/** The characters of a text by code point: what is counted, compared and cut here. */
export const chars = (text: string): string[] => Array.from(text)

export const lengthOf = (text: string): number => chars(text).length
