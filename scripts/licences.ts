// Lists the licences of all shipped packages: `npm run licences` writes docs/licences.md; --check only compares.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { addressOf, type Locked, lockedPackages, root } from './locked.ts'

const file = path.join(root, 'docs/licences.md')

/**
 * Licences that are compatible with a product under MIT. Packages under LGPL, MPL and OFL are used unchanged, as
 * separate files; data under CC-BY is credited where it is displayed. Of several licences joined by "OR", one is
 * enough.
 */
const ALLOWED = new Set(
  'MIT MIT-0 ISC 0BSD BSD-2-Clause BSD-3-Clause Apache-2.0 BlueOak-1.0.0 Unlicense CC0-1.0 MPL-2.0 LGPL-3.0-or-later OFL-1.1 CC-BY-4.0'.split(
    ' ',
  ),
)

const packages = lockedPackages().filter(({ isForWork }) => !isForWork)
const refused = packages.filter(({ licence }) => !isAllowed(licence))
if (refused.length > 0) fail(refused.map(({ name, licence }) => `${name}: the licence ${licence} is not allowed`))

const text = document()
if (process.argv.includes('--check')) {
  if (readFileSync(file, 'utf8') !== text) fail(['docs/licences.md is out of date. Run: npm run licences'])
} else writeFileSync(file, text)
console.log(`${packages.length} packages, all under licences that are allowed`)

function isAllowed(licence: string): boolean {
  const bare = licence.replace(/[()]/g, '')
  if (bare.includes(' OR ')) return bare.split(' OR ').some((each) => isAllowed(each))
  return bare.split(' AND ').every((each) => ALLOWED.has(each))
}

function document(): string {
  const counts = [...Map.groupBy(packages, ({ licence }) => licence)].toSorted(
    ([, one], [, two]) => two.length - one.length,
  )
  const table = (heads: string[], rows: string[][]) =>
    [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
  return `# Licences

What is shipped with Mokuroku, or installed to run it: everything in package-lock.json but what only builds and tests. Written by \`npm run licences\`; \`npm test\` fails when it is out of date, or when a licence appears that \`scripts/licences.ts\` does not allow. Why each of the direct ones is there: [dependencies.md](dependencies.md).

${table(
  ['licence', 'packages'],
  counts.map(([licence, all]) => [licence, String(all.length)]),
)}

${table(
  ['package', 'version', 'licence', 'source'],
  packages.map((each) => [each.name, each.version, each.licence, sourceOf(each) || 'not named']),
)}
`
}

/** The source of a package; for a platform-specific one that of its dependent, which is installed everywhere. */
function sourceOf(one: Locked): string {
  let at = one
  for (let asking: Locked | undefined = one; at.isOptional && asking;) {
    asking = packages.find(({ dependencies, name }) => dependencies.includes(at.name) && name !== at.name)
    at = asking ?? at
  }
  return addressOf(at.at)
}

function fail(lines: string[]): never {
  for (const line of lines) console.error(line)
  process.exit(1)
}
