import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Makes the sessions of a user so many minutes older, in the database of the server that all tests share. */
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
