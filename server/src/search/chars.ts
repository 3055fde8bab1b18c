export const HAN = /\p{Script=Han}/u
export const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u

/** The characters of a text by code point, which is how they are counted, compared and cut here. */
export const chars = (text: string): string[] => Array.from(text)

export const lengthOf = (text: string): number => chars(text).length
