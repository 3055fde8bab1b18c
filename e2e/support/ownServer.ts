// A separate server per worker, for tests that would affect others (such as those of the site's settings) or need the
// server's data folder (to read emails).
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startServer } from '../../server/test/process.ts'
import { admin, expect, test as base } from './fixtures.ts'

/** The timeout for starting the server, in milliseconds; long, because other tests run at the same time. */
const START_TIMEOUT_MS = 120_000

export const test = base.extend<object, { folder: string }>({
  folder: [
    async ({ browserName: _ }, use) => {
      const folder = mkdtempSync(path.join(tmpdir(), 'mokuroku-own-'))
      await use(folder)
      rmSync(folder, { recursive: true, force: true })
    },
    { scope: 'worker' },
  ],

  server: [
    async ({ folder }, use) => {
      const env = { DATA_DIR: folder, ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password }
      const { url, end } = await startServer(env)
      await use(url)
      await end()
    },
    { scope: 'worker', timeout: START_TIMEOUT_MS },
  ],

  hasSample: [({ browserName: _ }, use) => use(false), { scope: 'worker' }],

  baseURL: ({ server }, use) => use(server),
})

/** The latest email to an address, once there are more than `before`. */
export async function latestEmailTo(email: string, folder: string, before = 0): Promise<string> {
  const emails = () => emailsTo(email, folder)
  await expect.poll(() => emails().length).toBeGreaterThan(before)
  return emails().at(-1) ?? ''
}

function emailsTo(email: string, folder: string): string[] {
  const outbox = path.join(folder, 'outbox')
  try {
    const names = readdirSync(outbox).filter((name) => name.endsWith('.eml'))
    const emails = names.toSorted().map((name) => readFileSync(path.join(outbox, name), 'utf8'))
    return emails.filter((message) => message.includes(`To: ${email}`))
  } catch {
    return []
  }
}
