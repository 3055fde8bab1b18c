import { SHOWS, shownAt, SUBJECTS, WRITES, writtenBy } from '@mokuroku/contract/freshness'
import { expect, test } from 'vitest'
import { nameOf, routes } from './contract.ts'

const all = [...routes.values()]
const reads = all.filter(({ method }) => method === 'GET')
const writes = all.filter(({ method }) => method !== 'GET')

// What they leave out is named in their types.
test('SHOWS and WRITES list nothing that is not a route', () => {
  expect(reads.map(({ path }) => path)).toEqual(expect.arrayContaining(Object.keys(SHOWS)))
  expect([...routes.keys()]).toEqual(expect.arrayContaining(Object.keys(WRITES)))
})

test('every subject is written by some route, and all but audit entries are shown outside the audit log', () => {
  const written = new Set(writes.flatMap(writtenBy))
  const shown = new Set(reads.filter(({ path }) => !path.startsWith('/api/audit')).flatMap(({ path }) => shownAt(path)))
  expect(SUBJECTS.filter((kind) => !written.has(kind))).toEqual([])
  expect(SUBJECTS.filter((kind) => !shown.has(kind))).toEqual(['AuditEntry'])
})

test('every write makes a read of its own area stale, except for known routes', () => {
  // These writes make nothing outdated that a signed-in user can have open.
  const apart = [
    /forgot-password/,
    /match-characters$/,
    /preview$/,
    /duplicates$/,
    /export$/,
    /settings\/.*test$/,
    /^POST \/api\/(search|uploads)$/,
    /^DELETE \/api\/uploads/,
    /preferences$/,
    /^POST \/api\/work/,
  ]
  const areaOf = (path: string) => path.split('/')[2]
  const idle = writes.filter((route) => {
    const own = reads.filter(({ path }) => areaOf(path) === areaOf(route.path) && shownAt(path)?.length)
    const kinds = writtenBy(route)
    return own.length > 0 && !own.some(({ path }) => shownAt(path)?.some((kind) => kinds.includes(kind)))
  })
  expect(idle.map(nameOf).filter((name) => !apart.some((each) => each.test(name)))).toEqual([])
})

test('an unknown route writes and shows nothing', () => {
  expect(writtenBy({ method: 'POST', path: '/api/none' })).toEqual([])
  expect(shownAt('toString')).toBeUndefined()
})
