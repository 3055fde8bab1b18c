import { excessOf } from '@mokuroku/contract/jsonSize'
import { reasonText } from '@mokuroku/contract/reasons'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '#lib/errors.ts'

/** Parses JSON bodies, and rejects one that exceeds a limit of a JSON text before parsing it. */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('text/plain')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body)
    const excess = excessOf(text)
    if (excess) {
      const [status, code] = excess.code === 'deepValues' ? ([400, 'invalid'] as const) : ([413, 'tooLarge'] as const)
      return done(new Refusal(status, code, reasonText(excess.code, { limit: excess.limit })))
    }
    // It responds by calling `done`.
    void parse(request, text, done)
  })
}
