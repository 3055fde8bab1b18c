// Lists optional dependencies that package-lock.json names but has no entry for: npm ci refuses such a lock file.
import { readFileSync } from 'node:fs'
const lock = JSON.parse(readFileSync(process.argv[2] ?? 'package-lock.json', 'utf8')).packages
const missing = new Map()
for (const [at, entry] of Object.entries(lock))
  for (const name of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })) {
    let base = at,
      found = false
    for (;;) {
      if (lock[`${base ? base + '/' : ''}node_modules/${name}`]) {
        found = true
        break
      }
      const i = base.lastIndexOf('node_modules/')
      if (base === '') break
      base = i <= 0 ? '' : base.slice(0, i - 1)
      if (i < 0) base = ''
    }
    if (!found) missing.set(at, [...(missing.get(at) ?? []), name])
  }
for (const [at, names] of missing)
  console.log(at.replace('node_modules/', ''), lock[at].version, names.length, 'missing e.g.', names[0])
console.log(missing.size ? 'INCOMPLETE' : 'COMPLETE')
