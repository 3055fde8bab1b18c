import { expect, test } from 'vitest'
import { SYSTEM } from '#access/permissions.ts'
import { db, engine, transaction } from '#database/db.ts'
import { BOUNDS, isCommon } from '#database/intersection.ts'
import { newId } from '#lib/ids.ts'
import type { ListQuery } from '#ledger/rowFilters.ts'
import { lists } from '#store/lists'
import { media } from '#store/media'
import { withApp } from '#test/app.ts'
import { mediaInput } from '#test/factories.ts'
import { estimateRows, plansOf } from '#test/plans.ts'
import { matchFilter } from './labelStore.ts'
import { search } from './store.ts'

withApp()

const ZEPHYRS = Array.from({ length: 40 }, (_, at) => `The hidden z${at % 2 === 0 ? 'e' : 'é'}phyr ${at}`)
const RANTAN = Array.from({ length: 20 }, (_, at) => `Rantan ${at}`)

test.runIf(process.env.ENGINE === 'postgres')(
  'in a huge index, finds common texts in a sample, words in the word index, rare ones anywhere',
  async () => {
    expect(engine).toBe('postgres')
    const texts = [
      ...Array.from({ length: 9000 }, (_, at) => `Quiet lantern ${at}`),
      'A borrowed lantern',
      ...ZEPHYRS,
      '古い らんたん',
      ...RANTAN,
    ]
    const entities = texts.map((text, at) => ({ id: `lantern-${at}`, labels: [{ language: 'en', text }] }))
    await transaction((tx) => search.add(tx, 'Media', entities))
    await estimateRows('labels', 5_000_000)

    for (const [q, kind] of [
      ['lantern', 'inside'],
      ['latnern', 'typo'],
    ] as const) {
      const { matches } = await search.find('Media', q, 10)
      expect(matches.map((match) => match.kind)).toEqual(Array.from({ length: 10 }, () => kind))
      const ids = matches.map(({ entityId }) => entityId)
      const labels = await db.selectFrom('labels').select('id').where('entityId', 'in', ids).execute()
      expect(labels.map(({ id }) => id % 64)).toEqual(labels.map(() => 0))
    }
    expect((await plansOf(() => search.find('Media', 'lantern', 10))).join('\n')).toContain('labels_sample')

    for (const q of ['borrowed lantern', 'borrowed', 'owed lan', 'borrwoed'])
      expect((await search.find('Media', q, 10)).matches.map(({ text }) => text)).toEqual(['A borrowed lantern'])
    // A word that some titles have is found in the index of words, without the n-gram index.
    const plans = (await plansOf(() => search.find('Media', 'zeph', 10))).join('\n')
    expect(plans).toContain('labels_words')
    expect(plans).not.toContain('labels_grams')
    for (const q of ['zeph', 'hidden zephyr', 'HIDDEN ZÉ', 'zé']) {
      const { matches } = await search.find('Media', q, 10)
      expect([q, ...matches.map(({ text }) => text)]).toEqual([
        q,
        ...Array.from({ length: 10 }, () => expect.stringMatching(/^The hidden z[eé]phyr/)),
      ])
    }
    // Matches by reading do not displace those with the exact word.
    expect((await search.find('Media', 'らんたん', 10)).matches.map(({ text }) => text)).toContain('古い らんたん')
    // A request for a thousand matches is not answered from the sample, which has only a hundred.
    expect((await search.find('Media', 'lantern', 1000)).matches).toHaveLength(1000)
    expect(await search.ids('Media', 'lantern')).toHaveLength(9001)
  },
)

test.runIf(process.env.ENGINE === 'postgres')(
  'in a huge index, a list of very many matches is counted in the sample',
  async () => {
    const titled = async (count: number, text: string, languages = ['en']) => {
      const made = Array.from({ length: count }, (_, at) => {
        const translations = languages.map((tag) => [tag, { title: `${text} ${at}`, description: '' }])
        const input = mediaInput({
          translations: Object.fromEntries(translations),
          mediaType: at < 10 ? 'NOVEL' : 'MANGA',
        })
        return { id: newId(), input, context: { actor: SYSTEM, quiet: true } }
      })
      await transaction((tx) => media.createManyIn(tx, made))
    }
    await titled(3000, 'Sleepy zebra')
    await titled(150, 'Okapi', ['cs', 'da', 'de', 'en', 'es', 'fr', 'it', 'nl', 'pl', 'sv'])
    await estimateRows('labels', 5_000_000)
    const zebras = matchFilter('Media', 'zebra', { isLarge: true })
    expect(await isCommon('Media', [zebras], 1000)).toBe(true)
    expect(await isCommon('Media', [zebras], 2900)).toBe(false)
    // Among the entries of the sample are about 23 of the okapis, each a tenth of one.
    expect(await isCommon('Media', [matchFilter('Media', 'okapi', { isLarge: true })], 140)).toBe(false)
    const plans = (await plansOf(() => isCommon('Media', [zebras], 1000))).join('\n')
    expect(plans).toContain('labels_sample')
    expect(plans).not.toContain('labels_grams')

    const total = async (maxTotal: number, query: Partial<ListQuery> & { type?: string } = {}) =>
      (await lists.page('Media', { search: 'zebra', limit: 10, ...query }, { ...BOUNDS, total: maxTotal })).total
    for (const sort of ['relevance', '-createdAt']) {
      expect([1001, 2001]).toContain(await total(1000, { sort }))
      expect(await total(5000, { sort })).toBe(3000)
      expect(await total(1000, { sort, type: 'NOVEL' })).toBe(10)
    }
    const { ids } = await lists.page(
      'Media',
      { search: 'zebra', limit: 3, sort: '-createdAt' },
      { ...BOUNDS, total: 1000 },
    )
    const last = await db.selectFrom('labels').select('text').where('entityId', 'in', ids).orderBy('entityId').execute()
    expect(last.map(({ text }) => text)).toEqual(['Sleepy zebra 2997', 'Sleepy zebra 2998', 'Sleepy zebra 2999'])
  },
)
