// How large an answer becomes when a few large entities are shown many times in it.
import { aiApi } from '@mokuroku/contract/ai'
import { MAX_ENTITY_BYTES } from '@mokuroku/contract/common'
import { mediaApi } from '@mokuroku/contract/media'
import { tagsApi } from '@mokuroku/contract/tags'
import { describe, expect, test } from 'vitest'
import { signedIn, withApp } from '#test/app.ts'
import { aCharacter, aMedia, aTag } from '#test/factories.ts'

withApp()

const LANGUAGES = ['de', 'en', 'es', 'fr', 'it', 'ja', 'ko', 'nl', 'pl', 'pt', 'ru', 'sv', 'th', 'tr', 'uk', 'vi', 'zh']
const description = 'x'.repeat(50_000)
const large = <Names extends object>(names: Names) =>
  Object.fromEntries(LANGUAGES.map((language) => [language, { ...names, description }]))
const times = <Made>(count: number, make: (at: number) => Promise<Made>): Promise<Made[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => make(at)))

const bytesOf = (answer: unknown): number => JSON.stringify(answer).length

describe('class 16: entities shown within others', () => {
  test('large tags have only their names where a list shows them many times', async () => {
    const { call } = await signedIn()
    const tags = await times(6, (at) => aTag({ translations: large({ name: `Tag ${at}` }) }))
    await times(10, () => aMedia({ tags }))
    const rows = await call(mediaApi.list, { query: { limit: 10 } })
    expect(bytesOf(rows)).toBeLessThan(MAX_ENTITY_BYTES)
    expect(rows[9]?.tags.map(({ _id }) => _id)).toEqual(tags)
    expect(rows[9]?.tags[5]?.translations).toMatchObject({ zh: { name: 'Tag 5', description: '' } })
  })

  test('the media that one is related to have only their titles, if they are large together', async () => {
    const { call } = await signedIn()
    const tag = await aTag()
    const related = await times(20, async (at) => {
      const made = await aMedia({ translations: large({ title: `Title ${at}` }), aliases: ['Alias'], tags: [tag] })
      return made._id
    })
    const { _id: small } = await aMedia({ tags: [tag] })
    const { _id: id } = await aMedia({ relatedMedia: [...related, small] })
    const { relatedMedia } = await call(mediaApi.find, { id })
    expect(bytesOf(relatedMedia)).toBeLessThan(MAX_ENTITY_BYTES)
    expect(relatedMedia.map(({ _id }) => _id)).toEqual([...related, small])
    expect(relatedMedia[19]).toMatchObject({ tags: [], translations: { en: { title: 'Title 19', description: '' } } })
    expect(relatedMedia[20]).toMatchObject({ tags: [{ _id: tag }] })
  })

  test('a large character has only its names where it matches many described ones', async () => {
    const { call } = await signedIn()
    const id = await aCharacter({ translations: large({ name: 'Ilse Maria Varga' }) })
    const described = { translations: { en: { name: 'Ilse Maria Varga', description: '' } } }
    const { matches } = await call(aiApi.matchCharacters, {
      body: { characters: Array.from({ length: 20 }, () => described) },
    })
    expect(bytesOf(matches)).toBeLessThan(MAX_ENTITY_BYTES)
    expect(matches).toHaveLength(20)
    expect(matches[19]).toMatchObject([
      { _id: id, translations: { en: { name: 'Ilse Maria Varga', description: '' } } },
    ])
  })

  test('pairs of likely duplicates have only their names, if they are large together', async () => {
    const { call } = await signedIn()
    const alike = await times(7, () => aTag({ translations: large({ name: 'Twice the same' }) }))
    const all = await call(tagsApi.duplicates, { query: { limit: 100 } })
    const pairs = all.filter(({ first }) => alike.includes(first._id))
    expect(pairs).toHaveLength(21)
    expect(bytesOf(pairs)).toBeLessThan(MAX_ENTITY_BYTES)
    expect(pairs[20]).toMatchObject({
      first: { translations: { en: { name: 'Twice the same', description: '' } } },
      evidence: { titles: ['Twice the same'], daysApart: 0 },
    })
  })
})
