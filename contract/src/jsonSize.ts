/** The maximum number of values in a JSON text; the largest batch of translations needs about two thirds of it. */
export const MAX_VALUES = 30_000

/** How deep arrays and objects may be nested: parsed ones are serialized by recursion, which deeper ones would break. */
export const MAX_DEPTH = 32

/** The maximum number of keys of an object: each is checked, and an invalid one costs far more than its bytes. */
export const MAX_KEYS = 1000

/** The limit that a JSON text exceeds, as the code of a reason. */
type Excess = { code: 'manyValues' | 'deepValues' | 'manyKeys'; limit: number }

/**
 * Which limit a JSON text exceeds, by the commas and brackets outside of strings. Values cost far more than their bytes,
 * so this is checked before parsing; it stops at the first limit. A text that is not JSON is left to the parser.
 */
export function excessOf(text: string): Excess | undefined {
  /** The number of keys of each open object; -Infinity for an array. */
  const keys: number[] = []
  let [values, inString] = [0, false]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) inString = !inString
    else if (inString) {
      if (code === BACKSLASH) at++
    } else if (code === END_OF_ARRAY || code === END_OF_OBJECT) keys.pop()
    else if (code === COMMA || code === BRACKET || code === BRACE) {
      if (++values > MAX_VALUES) return { code: 'manyValues', limit: MAX_VALUES }
      if (code === COMMA) keys.push((keys.pop() ?? -Infinity) + 1)
      else if (keys.push(code === BRACE ? 1 : -Infinity) > MAX_DEPTH) return { code: 'deepValues', limit: MAX_DEPTH }
      if ((keys.at(-1) ?? 0) > MAX_KEYS) return { code: 'manyKeys', limit: MAX_KEYS }
    }
  }
  return undefined
}

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c]
const [BRACKET, END_OF_ARRAY, BRACE, END_OF_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
