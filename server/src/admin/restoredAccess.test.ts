import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { fillCatalogue, operator, restoreInto } from '#test/operator.ts'
import { type Place, placesOfFile } from '#test/instances.ts'
import { startServer } from '#test/process.ts'

const somewhere = placesOfFile()

const headers = { 'content-type': 'application/json' }
const EMAIL = 'admin@example.org'

/** The token in the last link that was emailed by the server of a place. */
function linkIn({ folder }: Place): string {
  const outbox = join(folder, 'outbox')
  const texts = readdirSync(outbox).map((name) => readFileSync(join(outbox, name), 'utf8'))
  return /token=(?:3D)?([\w-]{20,})/.exec(texts.join('\n').replace(/=\r?\n/g, ''))?.[1] ?? ''
}

const commandsIn = async (place: Place): Promise<string[]> => {
  const rows = await place.sql(`SELECT "details" FROM "audit" WHERE "action" = 'operator.ran' ORDER BY "seq"`)
  return rows.map(({ details }) => (JSON.parse(String(details)) as { command: string }).command)
}

test('a restore ends every session and reset link, and each command leaves an audit entry', async () => {
  const place = await somewhere()
  await fillCatalogue(place)
  const backup = join(dirname(place.folder), 'backup')
  // Otherwise the server would start indexing, and be stopped before the end.
  expect(await operator(place, ['search'])).toMatchObject({ code: 0 })
  const server = await startServer(place.env)
  const signIn = await fetch(`${server.url}/api/auth/login`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ email: EMAIL, password: 'correct horse battery' }),
  })
  const { token } = (await signIn.json()) as { token: string }
  await fetch(`${server.url}/api/auth/forgot-password`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ email: EMAIL }),
  })
  await expect.poll(() => linkIn(place)).not.toBe('')
  const checking = `SELECT "_id" FROM "jobs" WHERE "kind" IN ('findings.rebuild', 'search.readings') AND "state" <> 'done'`
  await expect.poll(() => place.sql(checking)).toEqual([])
  await server.end()
  expect(await operator(place, ['backup', backup])).toMatchObject({ code: 0 })

  const other = await somewhere()
  expect(await restoreInto(other, backup)).toMatchObject({ code: 0 })
  expect(await commandsIn(other)).toEqual(['search', 'search', 'backup', 'restore'])
  const again = await startServer(other.env)
  const verify = await fetch(`${again.url}/api/auth/verify`, { headers: { authorization: `Bearer ${token}` } })
  expect(verify.status).toBe(401)
  const reset = await fetch(`${again.url}/api/auth/reset-password`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ token: linkIn(place), password: 'another horse battery' }),
  })
  expect(reset.status).toBeGreaterThanOrEqual(400)
  await again.end()
})
