import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Sets the start and the last confirmation of a user's sessions to `minutes` ago, in the shared server's database. */
export function ageSessions(userId: string, minutes: number): void {
  const port = Number(process.env.E2E_PORT ?? 3100)
  const file = new DatabaseSync(path.resolve(`node_modules/.cache/e2e-data-${port}/catalogue.sqlite`))
  file.exec('PRAGMA busy_timeout = 10000')
  const before = new Date(Date.now() - minutes * 60_000).toISOString()
  const age = (column: string) => `"${column}" = CASE WHEN "${column}" IS NULL THEN NULL ELSE ? END`
  file
    .prepare(`UPDATE "sessions" SET ${age('createdAt')}, ${age('confirmedAt')} WHERE "userId" = ?`)
    .run(before, before, userId)
  file.close()
}
