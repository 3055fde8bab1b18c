import { expect, test } from 'vitest'
import { UNKNOWN, goldenSet } from '../../eval/golden.ts'
import { accuracy, score, tableOf } from '../../eval/score.ts'
import type { Provider } from '../src/ai/providers/provider.ts'
import { reference } from '../src/ai/providers/reference.ts'

test('the reference provider is right about known titles, and says so if it knows nothing', async () => {
  const result = await score(reference, { size: 40 })
  for (const tally of [...Object.values(result.titles), ...Object.values(result.fields)]) {
    expect(accuracy(tally)).toBeGreaterThanOrEqual(0.95)
    expect(tally.wrong).toBe(0)
  }
  expect(result.valid.count).toBe(40)
  expect(result.honest).toEqual({ of: UNKNOWN.length, count: UNKNOWN.length })
  expect(result.wrongScript.count).toBe(0)
  expect(result.failed).toBe(0)
})

/** A provider with the same answer for everything. */
const parrot = (text: string): Provider => ({
  ...reference,
  kind: 'model',
  name: 'Parrot',
  answer: async function* () {
    yield text
  },
})

test('counts made-up answers as wrong', async () => {
  const said = {
    mediaType: 'MANGA',
    originalTitle: 'Polly',
    releaseDate: '1901-01-01',
    translations: { ja: { title: 'Попугай' }, en: { title: 'Polly' } },
  }
  const result = await score(parrot(`\`\`\`json\n${JSON.stringify(said)}\n\`\`\``), {
    size: 5,
    unknown: UNKNOWN.slice(0, 3),
  })
  expect(result.honest.count).toBe(0)
  expect(result.fields.mediaType).toEqual({ right: 0, missing: 0, wrong: 5 })
  expect(result.titles.en?.right).toBe(0)
  expect(result.wrongScript).toEqual({ of: 16, count: 8 })
  expect(tableOf('Parrot', result)).toMatch(/unknown, and said so\s+0 of 3\s+0\.0 %/)
})

test('counts unusable answers as invalid, and errors as failed', async () => {
  const silent = await score(parrot('I do not know.'), { size: 3, unknown: ['x'] })
  expect([silent.valid.count, silent.honest.count, silent.fields.originalTitle?.missing]).toEqual([0, 1, 3])
  const failing = {
    ...parrot(''),
    answer: () => {
      throw new Error('no')
    },
  }
  expect((await score(failing, { size: 2, unknown: ['x'] })).failed).toBe(3)
})

test('the golden set is deterministic, and asks in several languages', () => {
  expect(goldenSet(12)).toEqual(goldenSet(12))
  expect(new Set(goldenSet(12).map(({ asked }) => asked)).size).toBeGreaterThan(2)
})
