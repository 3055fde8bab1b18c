// Whether others have their turn while a call works on an entity with very many long names.
import { mediaApi } from '@mokuroku/contract/media'
import { describe, expect, test } from 'vitest'
import { search } from '#store/search'
import { findReferences, isKnown } from '../../src/ai/references.ts'
import { mergeWorks } from '../../src/ai/sources/merge.ts'
import type { Work } from '../../src/ai/sources/source.ts'
import { signedIn, startEmpty, withApp } from '#test/app.ts'
import { aMedia, mediaInput } from '#test/factories.ts'
import { longestShare } from '#test/longestShare.ts'

withApp()

/** As many and as long as they may be, and with readings in Latin letters. */
const names = (first: string): string[] =>
  Array.from({ length: 200 }, (_, at) => `${first} ${at} ${'きんいろのにっきをよむ '.repeat(100)}`.slice(0, 1000))

/** The smallest of three: other threads of the process, such as the garbage collector's, count, too. */
async function smallestShare(work: () => Promise<unknown>): Promise<number> {
  const shares: number[] = []
  for (let time = 0; time < 3; time++) shares.push(await longestShare(work))
  return Math.min(...shares)
}

describe('class 16: others have their turn', () => {
  test('while an entity with very many names is saved', async () => {
    const { call } = await signedIn()
    const { _id: id } = await aMedia()
    const bodies = ['one', 'two', 'three'].map((each) => mediaInput({ aliases: names(each) })).values()
    const save = async () => call(mediaApi.update, { id, body: bodies.next().value ?? mediaInput() })
    expect(await smallestShare(save)).toBeLessThan(0.35)
  })

  test('while likely duplicates with very many names are compared', async () => {
    const { call } = await signedIn()
    const document = mediaInput({ aliases: names('alike') })
    for (let at = 0; at < 4; at++) await aMedia(document)
    const likely = () => call(mediaApi.likely, { body: { document } })
    expect((await likely()).data.length).toBeGreaterThan(2)
    expect(await smallestShare(likely)).toBeLessThan(0.5)
  })

  test('while many texts are compared with a long query', async () => {
    const query = 'きんいろのにっきをよむ'.repeat(50).slice(0, 500)
    const [compact = ''] = search.spellings(`${query.slice(0, 100)}ん${query.slice(100)}`)
    const texts = Array.from({ length: 100 }, (_, at) => ({
      entityId: `${at}`,
      language: 'ja',
      text: compact,
      compact,
    }))
    expect(await search.among(query, texts, 8)).toHaveLength(8)
    expect(await smallestShare(async () => search.among(query, texts, 8))).toBeLessThan(0.5)
  })

  test('while names that a search finds are ranked', async () => {
    await startEmpty()
    for (const first of ['one', 'two', 'three', 'four']) await aMedia({ aliases: names(first) })
    const finding = (q: string) => async () => search.find('Media', q, 100)
    for (const [q, kind] of [
      ['よむ きんいろの', 'inside'],
      ['きんいろのにつきおよむ', 'typo'],
    ] as const) {
      const { matches } = await search.find('Media', q, 100)
      expect(matches.map((each) => each.kind)).toContain(kind)
      expect(await smallestShare(finding(q))).toBeLessThan(0.5)
    }
  })

  test('while works with very many titles are merged', async () => {
    const works = ['one', 'two', 'three'].map((each): Work => ({
      source: { name: each, url: `/media/${each}` },
      ids: [],
      mediaType: 'ANIME',
      titles: { ja: `きんいろ ${each}` },
      otherTitles: names(each),
      descriptions: {},
      pictures: [],
      tags: [],
      characters: [],
    }))
    const merging = async () => mergeWorks('きんいろ one', works, ['ja'])
    expect(await merging()).toMatchObject({ isExact: true })
    expect(await smallestShare(merging)).toBeLessThan(0.5)
  })
  test('while the references of an entity are found in ones with very many titles', async () => {
    await startEmpty()
    const tags = Array.from({ length: 98 }, (_, at) => `en-x-${at}`)
    const translations = (first: string) => ({
      ...Object.fromEntries(names(first).map((title, at) => [tags[at] ?? 'en', { title, description: '' }])),
      ja: { title: 'きんいろ', description: '' },
    })
    for (const first of ['one', 'two', 'three']) await aMedia({ translations: translations(first) })
    const finding = async () => findReferences({ ja: { title: 'きんいろ' } }, ['ja'])
    expect(isKnown(await finding())).toBe(true)
    expect(await smallestShare(finding)).toBeLessThan(0.13)
  })
})
