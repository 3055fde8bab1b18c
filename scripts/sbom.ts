// Writes a software bill of materials (SBOM, CycloneDX 1.5) of all shipped packages: `npm run sbom [file]`. It is
// derived from package-lock.json only, so it is reproducible; `npm sbom` omits packages that are also needed to build
// and test.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Locked, lockedPackages, namedPackages, root } from './locked.ts'

const { name, version, license } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  name: string
  version: string
  license: string
}
const packages = lockedPackages().filter(({ isForWork }) => !isForWork)
const byPlace = new Map(packages.map((each) => [each.at, each]))
const product = { type: 'application', 'bom-ref': `${name}@${version}`, name, version, licenses: licensesOf(license) }

const bill = {
  $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  metadata: { component: product },
  components: packages.map(componentOf),
  dependencies: [
    { ref: product['bom-ref'], dependsOn: refsOf(namedPackages(false), '') },
    ...packages.map((each) => ({ ref: each.at, dependsOn: refsOf(each.dependencies, each.at) })),
  ],
}
const [file = 'sbom.json', ...more] = process.argv.slice(2)
if (file.startsWith('-') || more.length > 0) {
  console.error('Usage: npm run sbom [file]')
  process.exit(1)
}
writeFileSync(file, `${JSON.stringify(bill, undefined, 2)}\n`)
console.log(`${file}: ${bill.components.length} components`)

function componentOf(each: Locked) {
  const [algorithm = '', hash = ''] = (each.integrity ?? '').split('-')
  return {
    type: 'library',
    'bom-ref': each.at,
    name: each.name,
    version: each.version,
    scope: each.isOptional ? 'optional' : 'required',
    purl: `pkg:npm/${each.name.replace('@', '%40')}@${each.version}`,
    hashes: [{ alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(hash, 'base64').toString('hex') }],
    licenses: licensesOf(each.licence),
  }
}

function licensesOf(licence: string) {
  return / (AND|OR) /.test(licence) ? [{ expression: licence }] : [{ license: { id: licence } }]
}

/** The paths to which Node resolves the packages `names` when the package at `from` imports them. */
function refsOf(names: string[], from: string): string[] {
  const folders = from === '' ? ['contract', 'server', 'console'] : from.split('/node_modules/')
  const above = folders.map((_, depth) => folders.slice(0, depth + 1).join('/node_modules/')).toReversed()
  const beside = from === '' ? folders : above
  return names.flatMap((each) => {
    const places = [...beside.map((folder) => `${folder}/node_modules/${each}`), `node_modules/${each}`]
    return places.find((place) => byPlace.has(place)) ?? []
  })
}
