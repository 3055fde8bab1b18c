import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changedPaths, type Document, merge, resolveConflicts, getPath, withPaths } from './merge.ts'

const text = fc.string({ maxLength: 3 })
const document = fc.record({
  translations: fc.dictionary(fc.constantFrom('en', 'zh', 'ja', 'th'), fc.record({ title: text, description: text })),
  isOngoing: fc.boolean(),
  tags: fc.uniqueArray(fc.constantFrom('a', 'b', 'c')),
}) as fc.Arbitrary<Document>

test('keeps a change that only one side made', () => {
  fc.assert(
    fc.property(document, document, (base, mine) => {
      expect(changedPaths(merge(base, mine, base).merged, mine)).toEqual([])
      expect(changedPaths(merge(base, base, mine).merged, mine)).toEqual([])
    }),
  )
})

test('every change of either side is in the result or reported as a conflict', () => {
  fc.assert(
    fc.property(document, document, document, (base, mine, theirs) => {
      const { merged, conflicts } = merge(base, mine, theirs)
      const isText = (path: string) => path !== 'tags'
      const lostOfMine = changedPaths(mine, merged).filter((path) => changedPaths(base, mine).includes(path))
      expect(lostOfMine.filter((path) => isText(path) && !conflicts.includes(path))).toEqual([])
      const lostOfTheirs = changedPaths(theirs, merged).filter((path) => changedPaths(base, theirs).includes(path))
      expect(lostOfTheirs.filter(isText)).toEqual([])
      expect(conflicts).not.toContain('tags')
    }),
  )
})

test('the order of keys in a value is no difference', () => {
  const before = { permissions: { canRateContent: true, maxUploadSizeMB: 2 }, tags: ['a', 'b'] }
  const after = { tags: ['a', 'b'], permissions: { maxUploadSizeMB: 2, canRateContent: true } }
  expect(changedPaths(before, after)).toEqual([])
  const larger = { ...before, permissions: { ...before.permissions, maxUploadSizeMB: 3 } }
  expect(changedPaths(before, larger)).toEqual(['permissions'])
  expect(merge(before, larger, after)).toEqual({ merged: larger, conflicts: [] })
  expect(changedPaths(before, { ...before, tags: ['b', 'a'] })).toEqual(['tags'])
  expect(changedPaths(before, { ...before, tags: ['a'] })).toEqual(['tags'])
  expect(changedPaths(before, { ...before, permissions: null })).toEqual(['permissions'])
})

test('a merged list has the additions of both sides, and lacks the removals of both', () => {
  const list = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'))
  fc.assert(
    fc.property(list, list, list, (base, mine, theirs) => {
      const merged = merge({ tags: base }, { tags: mine }, { tags: theirs }).merged.tags as string[]
      const added = [...mine, ...theirs].filter((each) => !base.includes(each))
      const gone = new Set(base.filter((each) => !mine.includes(each) || !theirs.includes(each)))
      const stayed = base.filter((each) => !gone.has(each))
      expect(merged.toSorted()).toEqual([...new Set([...stayed, ...added])].toSorted())
    }),
  )
})

test('writing one language leaves all others byte-identical', () => {
  fc.assert(
    fc.property(document, document, text, (base, theirs, title) => {
      const mine = structuredClone(base)
      const languages = mine.translations as Record<string, Document>
      languages.fr = { title, description: '' }
      const { merged } = merge(base, mine, theirs)
      const { fr: _, ...others } = merged.translations as Record<string, unknown>
      expect(JSON.stringify(others)).toBe(JSON.stringify(theirs.translations))
    }),
  )
})

test('merging does not mutate its arguments', () => {
  fc.assert(
    fc.property(document, document, document, (base, mine, theirs) => {
      const before = JSON.stringify([base, mine, theirs])
      merge(base, mine, theirs)
      expect(JSON.stringify([base, mine, theirs])).toBe(before)
    }),
  )
})

test('resolving a conflict applies the chosen side, and keeps everything else merged', () => {
  fc.assert(
    fc.property(document, document, document, fc.func(fc.boolean()), (base, mine, theirs, isMine) => {
      const { merged, conflicts } = merge(base, mine, theirs)
      const toMine = conflicts.filter(isMine)
      const settled = resolveConflicts(base, mine, theirs, toMine)
      for (const path of conflicts)
        expect(getPath(settled, path) ?? '').toEqual(getPath(toMine.includes(path) ? mine : theirs, path) ?? '')
      const isKept = (path: string) => getPath(merged, path) === undefined && getPath(settled, path) !== undefined
      const changed = changedPaths(merged, settled).filter((path) => !conflicts.includes(path))
      for (const path of changed) {
        expect(isKept(path)).toBe(true)
        expect([getPath(mine, path), getPath(theirs, path)]).toContain(getPath(settled, path))
      }
      for (const texts of Object.values(settled.translations as Document))
        expect(Object.keys(texts as Document).toSorted()).toEqual(['description', 'title'])
    }),
  )
})

test('a language that one side removed and the other changed is kept whole or removed', () => {
  const english = { en: { title: 'Kim', description: '' } }
  const base = { translations: { ...english, fr: { title: 'A', description: 'B' } } }
  const changed = { translations: { ...english, fr: { title: 'A2', description: 'B' } } }
  const removed = { translations: english }
  const path = 'translations.fr.title'
  expect(resolveConflicts(base, changed, removed, [path])).toEqual(changed)
  expect(resolveConflicts(base, removed, changed, [])).toEqual(changed)
  expect(resolveConflicts(base, changed, removed, [])).toEqual(removed)
  expect(resolveConflicts(base, removed, changed, [path])).toEqual(removed)
})

test('takes over a language text by text, and keeps it complete', () => {
  const texts = (title: string, description = '') => ({ title, description })
  const now = { translations: { en: texts('Two', 'More'), fr: texts('Deux') } }
  const then = { translations: { en: texts('One'), ja: texts('一', '物語') } }
  expect(withPaths(now, then, ['translations.fr.title'])).toEqual({ translations: { en: texts('Two', 'More') } })
  expect(withPaths(now, then, ['translations.ja.title'])).toEqual({
    translations: { ...now.translations, ja: texts('一') },
  })
  expect(withPaths(now, then, ['translations.en.description'])).toEqual({
    translations: { ...now.translations, en: texts('Two') },
  })
  expect(withPaths(now, then, ['translations.ja', 'translations.fr'])).toEqual({
    translations: { en: texts('Two', 'More'), ja: texts('一', '物語') },
  })
  expect(withPaths(now, then, ['translations'])).toEqual(then)
  expect(withPaths(now, then, ['translations.de'])).toBeUndefined()
})
