import { expect, test } from 'vitest'
import { indexTitles, measureRecall, sampleTitles } from '../../eval/recall.ts'
import { withApp } from './app.ts'
import { withDictionary } from './dictionary.ts'

withApp()
withDictionary()

test('search reaches the required recall for every kind of query', async () => {
  // Takes whole items, with all their languages; docs/recall.md is measured over all items.
  const titles = sampleTitles().filter(({ id }) => Number(id.replace('anime', '')) % 12 === 0)
  await indexTitles(titles)
  const recalls = await measureRecall(titles, 30)
  const below = recalls.filter(({ queries, ten, floor }) => queries - ten > Math.ceil((1 - floor) * queries))
  expect(below).toEqual([])
  expect(recalls.reduce((sum, { queries }) => sum + queries, 0)).toBeGreaterThan(500)
})
