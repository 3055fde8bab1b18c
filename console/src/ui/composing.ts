/**
 * Whether a key belongs to the composing of a word (Chinese, Japanese, Korean). Safari sends the Enter that ends it
 * after the end, with the key code that stands for "taken by the input method".
 */
export const isComposing = ({ isComposing: during, keyCode }: KeyboardEvent) => during || keyCode === 229
