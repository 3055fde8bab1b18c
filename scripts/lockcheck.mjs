// npm ci refuses a lock file that names optional dependencies without an entry for them (other platforms' binaries), and
// one with download hosts in it works only where those hosts can be reached.
import { readFileSync } from 'node:fs'

const packages = JSON.parse(readFileSync(process.argv[2] ?? 'package-lock.json', 'utf8')).packages

/** Looks for a package as Node does: in node_modules beside the one that needs it, then in every folder above. */
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
