import { isUtf8 } from 'node:buffer'
import { SENTENCES } from '@mokuroku/contract/faults'
import { excessOf } from '@mokuroku/contract/jsonSize'
import { reasonText } from '@mokuroku/contract/reasons'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '#lib/errors.ts'

/**
 * Parses JSON bodies. Before that, rejects one that is not in UTF-8, whose characters would be replaced by U+FFFD, and one
 * that exceeds a limit of a JSON text.
 */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('text/plain')
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    // A JSON type without a body, and without its length.
    if (body.length === 0) return done(null, undefined)
    if (!isUtf8(body)) return done(new Refusal(400, 'invalid', SENTENCES.jsonFormat))
    const text = body.toString()
    const excess = excessOf(text)
    if (excess) {
      const [status, code] = excess.code === 'deepValues' ? ([400, 'invalid'] as const) : ([413, 'tooLarge'] as const)
      return done(new Refusal(status, code, reasonText(excess.code, { limit: excess.limit })))
    }
    // It responds by calling `done`.
    void parse(request, text, done)
  })
}
