// Tests that the npm package contains all that its command needs without the rest of the repository.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from './freePort.ts'
import { root } from './locked.ts'

interface Manifest {
  scripts: Record<string, string>
  dependencies: Record<string, string>
  bin: Record<string, string>
}
const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8')) as Manifest

/** The packages that are not bundled with the server (`external` in scripts/build.ts), or that it reads as files. */
const NOT_BUNDLED = ['@node-rs/argon2', 'bangumi-data', 'lindera-wasm-nodejs-ipadic', 'sharp', 'tinypool']

let packed: string[] | undefined
const packedPaths = (): string[] => (packed ??= listPacked())

function listPacked(): string[] {
  // First, since a build replaces the files that are listed.
  if (!process.env.MOKUROKU_IS_BUILT) execFileSync(process.execPath, [path.join(root, 'scripts/build.ts'), 'server'])
  // Its own cache, because an account without a home folder has none that can be written.
  const cache = mkdtempSync(path.join(tmpdir(), 'mokuroku-npm-'))
  onTestFinished(() => rmSync(cache, { recursive: true, force: true }))
  const pack = ['pack', '--dry-run', '--json', '--ignore-scripts', '--cache', cache]
  const npm = execFileSync('npm', pack, { cwd: root, encoding: 'utf8' })
  const [listed] = JSON.parse(npm) as { files: { path: string }[] }[]
  return listed?.files.map((file) => file.path) ?? []
}

test('the npm package depends on Node and on the unbundled packages of the server, in the same versions', () => {
  const [own, server] = [manifestOf('').dependencies, manifestOf('server').dependencies]
  expect(Object.keys(own).toSorted()).toEqual([...NOT_BUNDLED, 'node'].toSorted())
  for (const name of NOT_BUNDLED) expect({ name, version: own[name] }).toEqual({ name, version: server[name] })
})

test('the npm package contains the command, migrations, sample and manifests, but no sources', () => {
  const paths = new Set(packedPaths())
  for (const wanted of [
    ...Object.values(manifestOf('').bin),
    'server/migrations/001-core.sql',
    'server/sample/works.json',
    'server/package.json',
    'contract/package.json',
    'console/package.json',
    'docs/licences.md',
    'LICENSE',
  ])
    expect(paths).toContain(wanted)
  expect([...paths].filter((each) => /\/src\/|\/test\/|node_modules|\.stamp$|^data/.test(each))).toEqual([])
})

/** Unpacks the npm package into a new folder, with only these dependencies installed. Returns the folder. */
function installed(names: string[]): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'mokuroku-package-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  for (const each of packedPaths()) cpSync(path.join(root, each), path.join(folder, each))
  for (const name of names) {
    const link = path.join(folder, 'node_modules', name)
    mkdirSync(path.dirname(link), { recursive: true })
    symlinkSync(path.join(root, 'node_modules', name), link)
  }
  return folder
}

test('the npm package runs, and accepts images and spreadsheets, with only its declared dependencies', async () => {
  const folder = installed(NOT_BUNDLED)

  const usage = spawnSync(process.execPath, [path.join(folder, 'bin/mokuroku.js'), 'admin'], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect(usage.stdout).toMatch(/^mokuroku admin <command>\n/)
  const help = spawnSync(process.execPath, [path.join(folder, 'bin/mokuroku.js'), 'start', '--help'], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect(help).toMatchObject({ status: 0, stdout: expect.stringMatching(/^mokuroku \[start\] /) as string })

  const [email, password] = ['ada@example.org', 'correct horse battery']
  const port = String(await freePort())
  const server = spawn(process.execPath, [path.join(folder, 'bin/mokuroku.js')], {
    env: { PORT: port, DATA_DIR: path.join(folder, 'data'), ADMIN_EMAIL: email, ADMIN_PASSWORD: password },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(server, 'exit')
  onTestFinished(async () => {
    server.kill()
    await ended
  })
  const send = (to: string, init: RequestInit) => fetch(`http://127.0.0.1:${port}${to}`, init)
  const isReady = async () => (await send('/readyz', {}).catch(() => undefined))?.ok
  await expect.poll(isReady, { interval: 200 }).toBe(true)

  const headers = { 'content-type': 'application/json' }
  const signedIn = await send('/api/auth/login', { method: 'POST', headers, body: JSON.stringify({ email, password }) })
  const { token } = (await signedIn.json()) as { token: string }
  const upload = async (to: string, field: string, file: BlobPart, entityType = '') => {
    const body = new FormData()
    body.set('entityType', entityType)
    body.set(field, new Blob([file]), 'file')
    return (await send(to, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body })).status
  }
  expect(await upload('/api/assets/image', 'image', readFileSync(path.join(root, 'docs/desk.png')))).toBe(201)
  expect(await upload('/api/imports', 'file', 'mediaType,title_en\nANIME,Akira\n', 'Media')).toBe(201)
})

test.for([
  ['sharp', 'sharp, which processes images,', ['@img/colour', 'detect-libc', 'semver']],
  ['@node-rs/argon2', '@node-rs/argon2, which hashes passwords,', []],
] as const)(
  'refuses to start if the platform-specific package of %s is missing, and says so',
  ([library, which, needed]) => {
    const folder = installed(NOT_BUNDLED.filter((name) => name !== library))
    // A copy instead of a link, so that it does not find the platform-specific package next to the original.
    for (const name of [library, ...needed])
      cpSync(path.join(root, 'node_modules', name), path.join(folder, 'node_modules', name), { recursive: true })
    const env = { DATA_DIR: path.join(folder, 'data') }
    const start = spawnSync(process.execPath, [path.join(folder, 'bin/mokuroku.js')], { env, encoding: 'utf8' })
    expect(start).toMatchObject({ status: 1, stderr: expect.stringMatching(/^[^\n]+\n$/) as string })
    expect(start.stderr).toContain(`Mokuroku cannot start. ${which} is not installed for this machine `)
    expect(existsSync(env.DATA_DIR)).toBe(false)
  },
)

test('installing a checkout includes the build tools, even if NODE_ENV is production', () => {
  const listed = (...flags: string[]) => {
    const env = { ...process.env, NODE_ENV: 'production' }
    const list = execFileSync('npm', ['ls', '--depth=0', '--json', ...flags], { cwd: root, env, encoding: 'utf8' })
    return Object.keys((JSON.parse(list) as Manifest).dependencies)
  }
  expect(listed()).toContain('vite')
  // The same flags as those for `npm audit` (audit.ts).
  expect(listed('--omit=dev', '--include=prod')).not.toContain('vite')
})

test('scripts check the Node version first, and reject an older one', () => {
  const check = (version: string) =>
    spawnSync(process.execPath, [path.join(root, 'scripts/checkNode.mjs'), version], { encoding: 'utf8' })
  expect(check('20.20.2')).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(
      /^Mokuroku needs Node 24 or newer, and this is 20\.20\.2\. .*\n.*npm rebuild node/,
    ) as string,
  })
  expect(check('24.0.0')).toMatchObject({ status: 0, stderr: '' })
  const { scripts } = manifestOf('')
  for (const name of ['start', 'demo', 'dev', 'build', 'test'])
    expect(scripts[name]).toMatch(/^node scripts\/checkNode\.mjs && /)
})
