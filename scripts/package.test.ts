// The npm package holds what its command needs when nothing else of the repository is there.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { root } from './locked.ts'

interface Manifest {
  dependencies: Record<string, string>
  bin: Record<string, string>
}
const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8')) as Manifest

/** What the bundle of the server leaves out (scripts/build.ts), and what it reads as a file. */
const NOT_BUNDLED = ['@node-rs/argon2', 'bangumi-data', 'lindera-wasm-nodejs-ipadic', 'sharp', 'tinypool']

test('the package depends on what the bundle of the server leaves out, in the same versions, and on Node', () => {
  const [own, server] = [manifestOf('').dependencies, manifestOf('server').dependencies]
  expect(Object.keys(own).toSorted()).toEqual([...NOT_BUNDLED, 'node'].toSorted())
  for (const name of NOT_BUNDLED) expect({ name, version: own[name] }).toEqual({ name, version: server[name] })
})

test('it holds the command, the migrations, the sample and the manifests, and no sources', () => {
  const npm = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root, encoding: 'utf8' })
  const [packed] = JSON.parse(npm) as { files: { path: string; mode: number }[] }[]
  const paths = new Set(packed?.files.map((file) => file.path))
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
