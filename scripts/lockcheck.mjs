// Checks package-lock.json: `npm ci` refuses a lock file without entries for all optional dependencies (binaries of
// other platforms), and one with download URLs works only where those hosts can be reached.
import { readFileSync } from 'node:fs'

const packages = JSON.parse(readFileSync(process.argv[2] ?? 'package-lock.json', 'utf8')).packages

/** Resolves a package as Node does: in the node_modules of its dependent, then in every parent folder. */
function isLocked(name, at) {
  const folders = at.split('/node_modules/')
  const candidates = folders.map((_, depth) => folders.slice(0, depth + 1).join('/node_modules/'))
  return [...candidates.map((folder) => `${folder}/node_modules/${name}`), `node_modules/${name}`].some(
    (key) => key in packages,
  )
}

const faults = Object.entries(packages).flatMap(([at, { dependencies, optionalDependencies, resolved }]) => [
  ...Object.keys({ ...dependencies, ...optionalDependencies })
    .filter((name) => !isLocked(name, at))
    .map((name) => `${at || 'package.json'} needs ${name}, which has no entry`),
  ...(/^https?:/.test(resolved ?? '') ? [`${at} names a download host: ${resolved}`] : []),
])
for (const fault of faults) console.log(fault)
console.log(faults.length === 0 ? 'COMPLETE' : 'INCOMPLETE')
process.exitCode = faults.length === 0 ? 0 : 1
