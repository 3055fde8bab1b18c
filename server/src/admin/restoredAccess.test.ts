import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { operator, stock } from '#test/operator.ts'
import { type Place, placesOfFile } from '#test/instances.ts'
import { startServer } from '#test/process.ts'

const somewhere = placesOfFile()

async function aBackup() {
  const place = await somewhere()
  await stock(place)
  const backup = join(dirname(place.folder), 'backup')
  return { place, backup }
}

const headers = { 'content-type': 'application/json' }
const EMAIL = 'admin@example.org'

/** The token in the last link that was sent from a place. */
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
  const { place, backup } = await aBackup()
  // Or the server would begin to index, and be stopped before the end.
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
  await expect.poll(() => linkIn(place), { timeout: 10_000 }).not.toBe('')
  const checking = `SELECT "_id" FROM "jobs" WHERE "_id" = 'findings.rebuild' AND "state" <> 'done'`
  await expect.poll(() => place.sql(checking), { timeout: 20_000 }).toEqual([])
  await server.end()
  expect(await operator(place, ['verify'])).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^No problems found$/m),
  })
  expect(await operator(place, ['backup', backup])).toMatchObject({ code: 0 })

  const other = await somewhere()
  expect(await operator(other, ['restore', backup])).toMatchObject({ code: 0 })
  expect(await commandsIn(other)).toEqual(['search', 'search', 'verify', 'backup', 'restore'])
  expect((await operator(other, ['verify'])).output).toMatch(/^No problems found$/m)
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
}, 120_000)

test('a secret that the backup does not name is not restored', async () => {
  const { place, backup } = await aBackup()
  expect(await operator(place, ['backup', backup], { AUTH_SECRET: 'x'.repeat(40) })).toMatchObject({ code: 0 })
  writeFileSync(join(backup, 'secret'), 'y'.repeat(43), { mode: 0o644 })
  writeFileSync(join(backup, 'extra.txt'), 'anything')
  const other = await somewhere()
  expect(await operator(other, ['restore', backup])).toMatchObject({ code: 0 })
  expect(readdirSync(other.folder)).not.toContain('secret')
  expect(readdirSync(other.folder)).not.toContain('extra.txt')

  const list = join(backup, 'checksums.txt')
  const named = `${readFileSync(list, 'utf8')}${createHash('sha256').update('y'.repeat(43)).digest('hex')}  secret\n`
  writeFileSync(list, named)
  const manifest = join(backup, 'manifest.json')
  const files = { sha256: createHash('sha256').update(named).digest('hex') }
  const before = JSON.parse(readFileSync(manifest, 'utf8')) as { files: object }
  writeFileSync(manifest, JSON.stringify({ ...before, files: { ...before.files, ...files } }))
  expect((await operator(await somewhere(), ['restore', backup])).errors).toMatch(/secret is not as manifest.json says/)
}, 60_000)

const open = (folder: string): string[] => {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
  return [folder, ...paths].filter((path) => (statSync(path).mode & 0o077) !== 0)
}

test('everything in a data folder is readable by its owner only, also in one that was there before', async () => {
  const place = await somewhere()
  chmodSync(place.folder, 0o755)
  mkdirSync(join(place.folder, 'files'), { mode: 0o755 })
  for (const name of ['catalogue.sqlite', 'lock.sqlite']) {
    writeFileSync(join(place.folder, name), '')
    chmodSync(join(place.folder, name), 0o644)
  }
  const server = await startServer(place.env)
  expect(open(place.folder)).toEqual([])
  await server.end()
  chmodSync(join(place.folder, 'lock.sqlite'), 0o644)
  const backup = join(dirname(place.folder), 'backup')
  expect(await operator(place, ['backup', backup])).toMatchObject({ code: 0 })
  expect(open(place.folder)).toEqual([])
  expect(open(backup)).toEqual([])
  chmodSync(join(backup, 'catalogue.sqlite'), 0o644)
  const other = await somewhere()
  expect(await operator(other, ['restore', backup])).toMatchObject({ code: 0 })
  expect(open(other.folder)).toEqual([])
}, 60_000)
