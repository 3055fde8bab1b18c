import { reasonText } from '@mokuroku/contract/reasons'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '#lib/errors.ts'

/** The maximum number of values in a request body; the largest batch of translations needs about two thirds of it. */
export const MAX_VALUES = 30_000

/**
 * Parses JSON bodies, and rejects one with too many values before parsing it: a value costs far more than its bytes.
 */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('text/plain')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body)
    // A value takes at least two characters: a digit and a comma.
    if (text.length > 2 * MAX_VALUES && holdsMoreThan(MAX_VALUES, text))
      return done(new Refusal(413, 'tooLarge', reasonText('manyValues', { limit: MAX_VALUES })))
    // It responds by calling `done`.
    void parse(request, text, done)
  })
}

/** Whether a JSON text has more than `limit` values: counts commas and opening brackets outside of strings. */
function holdsMoreThan(limit: number, text: string): boolean {
  let count = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) inString = !inString
    else if (inString) {
      if (code === BACKSLASH) at++
    } else if ((code === COMMA || code === BRACKET || code === BRACE) && ++count > limit) return true
  }
  return false
}

const [QUOTE, COMMA, BRACKET, BACKSLASH, BRACE] = [0x22, 0x2c, 0x5b, 0x5c, 0x7b]
