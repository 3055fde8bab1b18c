/**
 * Whether a key event belongs to IME composition (Chinese, Japanese, Korean). Safari sends the Enter that ends it after
 * `compositionend`, with key code 229.
 */
export const isComposing = ({ isComposing: during, keyCode }: KeyboardEvent) => during || keyCode === 229
