import { reasonText } from '@mokuroku/contract/reasons'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '#lib/errors.ts'

/** The maximum number of values in a request body; the largest batch of translations needs about two thirds of it. */
export const MAX_VALUES = 30_000

/** How deep arrays and objects may be nested: parsed ones are serialized by recursion, which deeper ones would break. */
export const MAX_DEPTH = 32

/**
 * Parses JSON bodies, and rejects one with too many values, which cost far more than their bytes, or one that is nested
 * too deep, before parsing it.
 */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('text/plain')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body)
    const { values, depth } = measure(text)
    if (values > MAX_VALUES) return done(new Refusal(413, 'tooLarge', reasonText('manyValues', { limit: MAX_VALUES })))
    if (depth > MAX_DEPTH) return done(new Refusal(400, 'invalid', reasonText('deepValues', { limit: MAX_DEPTH })))
    // It responds by calling `done`.
    void parse(request, text, done)
  })
}

/**
 * How many values a JSON text has, and how deep they are nested, by the commas and brackets outside of strings. Stops at
 * the limits.
 */
function measure(text: string): { values: number; depth: number } {
  let [values, depth, deepest, inString] = [0, 0, 0, false]
  for (let at = 0; at < text.length && values <= MAX_VALUES && deepest <= MAX_DEPTH; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) inString = !inString
    else if (inString) {
      if (code === BACKSLASH) at++
    } else if (code === COMMA) values++
    else if (code === BRACKET || code === BRACE) {
      values++
      depth++
      if (depth > deepest) deepest = depth
    } else if (code === END_OF_ARRAY || code === END_OF_OBJECT) depth--
  }
  return { values, depth: deepest }
}

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c]
const [BRACKET, END_OF_ARRAY, BRACE, END_OF_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
