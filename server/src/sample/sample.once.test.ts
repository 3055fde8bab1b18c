import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canonical } from '@mokuroku/contract/languageTags'
import { MediaInput } from '@mokuroku/contract/media'
import { RatingInput } from '@mokuroku/contract/ratings'
import { TagInput } from '@mokuroku/contract/tags'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { type BangumiItem, bangumiItems } from '#lib/bangumi.ts'
import { animeOf, bangumiAnime } from './bangumi.ts'
import { readData, sampleCharacters, sampleTags, sampleTiers, sampleUsers, sampleWorks } from './data.ts'
import { sampleEdits } from './edits.ts'
import { picture, thumbnail } from './pictures.ts'
import { ratingsOf } from './ratings.ts'
import { REFERENCE_DATE } from './seed.ts'

const build = () => {
  const anime = [...bangumiAnime()]
  const works = sampleWorks()
  const characters = sampleCharacters()
  const tags = sampleTags()
  const [tiers, users, edits] = [sampleTiers(), sampleUsers(), sampleEdits()]
  return { anime, works, characters, tags, tiers, users, edits, ratings: [...ratingsOf([...works, ...anime])] }
}
const sample = build()
const { anime, works, characters, tags, tiers, users, edits, ratings } = sample
const media = [...anime, ...works]
const keysOf = (records: { key: string }[]) => new Set(records.map(({ key }) => key))
const usernames = new Set(users.map(({ username }) => username))

test('generated records are valid by the schemas of the contract', () => {
  for (const { key: _key, createdAt: _at, createdBy: _by, ...input } of anime) MediaInput.parse(input)
  for (const { key: _key, createdAt: _at, media: _media, username: _by, ...input } of ratings) RatingInput.parse(input)
})

test('an error names the file and the field of a broken entry', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mokuroku-sample-'))
  const file = join(folder, 'tags.json')
  const [first, second] = tags
  writeFileSync(file, JSON.stringify([first, { ...second, color: 'blue' }]))
  expect(() => readData(file, z.array(z.looseObject(TagInput.shape)))).toThrow(
    `${file} does not fit its schema:\n  [1].color: `,
  )
  writeFileSync(file, '[{ "key": }]')
  expect(() => readData(file, z.unknown())).toThrow(`${file} cannot be read`)
  rmSync(folder, { recursive: true })
})

test('novels and manga are newer than anime, so that the first page has images', () => {
  const created = media.map(({ createdAt }) => createdAt)
  expect(created).toEqual(created.toSorted())
})

test('keys are unique, and every reference points to a record', () => {
  const everything = [
    ...media,
    ...characters,
    ...tags,
    ...tiers,
    ...users,
    ...ratings,
    ...edits.map(({ key }, at) => ({ key: `${key}#${at}` })),
  ]
  expect(keysOf(everything).size).toBe(everything.length)
  const [mediaKeys, characterKeys, tagKeys] = [keysOf(media), keysOf(characters), keysOf(tags)]
  const missing = [
    ...media.flatMap((one) => (one.tags ?? []).filter((key) => !tagKeys.has(key))),
    ...media.flatMap((one) => (one.characters ?? []).filter((key) => !characterKeys.has(key))),
    ...media.flatMap((one) => (one.relatedMedia ?? []).filter((key) => !mediaKeys.has(key))),
    ...characters.flatMap((one) => (one.tags ?? []).filter((key) => !tagKeys.has(key))),
    ...ratings.filter((one) => !mediaKeys.has(one.media) || !usernames.has(one.username)),
    ...edits.filter((one) => !mediaKeys.has(one.key) && !characterKeys.has(one.key)),
    ...[...works, ...characters].filter((one) => !usernames.has(one.createdBy ?? '')),
    ...edits
      .flatMap((one) => [one.username, one.rolledBack?.username ?? one.username])
      .filter((name) => !usernames.has(name)),
  ]
  expect(missing).toEqual([])
})

test('no list has a key twice, and every character appears in a work', () => {
  for (const { tags: own = [], characters: cast = [], relatedMedia = [] } of media)
    for (const keys of [own, cast, relatedMedia]) expect(new Set(keys).size).toBe(keys.length)
  const seen = new Set(works.flatMap((one) => one.characters ?? []))
  expect(characters.filter(({ key }) => !seen.has(key))).toEqual([])
})

test('every item of bangumi-data becomes one anime, in order of release and creation', () => {
  expect(anime.length).toBe(bangumiItems().length)
  const inOrder = (field: 'releaseDate' | 'createdAt') =>
    anime.every((one, at) => at === 0 || (anime[at - 1]?.[field] ?? '') <= one[field])
  expect([inOrder('releaseDate'), inOrder('createdAt')]).toEqual([true, true])
  expect(anime.every(({ translations }) => Object.keys(translations).length > 0)).toBe(true)
})

test('an item without a date, an id or clean titles still becomes an anime', () => {
  const item: BangumiItem = {
    title: ' 題\u200b名\t',
    titleTranslate: { 'zh-Hans': ['题名 ', '别名'], en: ['\ufeff'] },
    type: 'web',
    lang: 'ja',
    begin: '',
    end: '',
    sites: [{ site: 'bilibili', id: '1', begin: '2020-06-30T15:30:00.000Z' }],
  }
  const [one, twin] = animeOf([item, item])
  expect(one).toMatchObject({
    originalTitle: '題名',
    translations: { ja: { title: '題名', description: '' }, 'zh-Hans': { title: '题名', description: '' } },
    releaseDate: '2020-07-01T00:00:00.000Z',
    tags: ['format:web', 'season:summer', 'decade:2020s'],
    isOngoing: false,
  })
  expect(Object.keys(one?.translations ?? {})).toEqual(['ja', 'zh-Hans'])
  expect(twin?.key).toBe(`${one?.key}:2`)
})

test('the same sample is built every time', () => {
  expect(build()).toEqual(sample)
})

test('languages are canonical, and our own texts have en, zh and ja', () => {
  for (const { key, translations } of [...media, ...characters, ...tags])
    expect({ key, languages: Object.keys(translations).map(canonical) }).toEqual({
      key,
      languages: Object.keys(translations),
    })
  for (const { translations } of [...works, ...characters, ...tags])
    expect(Object.keys(translations)).toEqual(expect.arrayContaining(['en', 'zh', 'ja']))
  const texts = [...works, ...characters].flatMap(({ translations }) =>
    Object.values<Record<string, string>>(translations),
  )
  const values = texts.flatMap((text) => Object.values(text))
  expect(values.filter((value) => value === '' || value !== value.trim())).toEqual([])
})

test('the parent of a tag comes before it, so that there is no cycle', () => {
  const before = new Set<string>()
  for (const { key, parentTag } of tags) {
    if (parentTag !== null) expect([...before]).toContain(parentTag)
    before.add(key)
  }
})

test('a novel and its adaptation are linked to each other', () => {
  const related = new Map(works.map(({ key, relatedMedia = [] }) => [key, relatedMedia]))
  for (const [key, others] of related) for (const other of others) expect(related.get(other)).toContain(key)
  expect(works.filter(({ mediaType, relatedMedia }) => mediaType === 'MANGA' && relatedMedia?.length !== 1)).toEqual([])
})

test('each work has three ratings or more, after its media and until the reference date', () => {
  const created = new Map(media.map(({ key, createdAt }) => [key, createdAt]))
  for (const rating of ratings) {
    expect(rating.createdAt > (created.get(rating.media) ?? '')).toBe(true)
    expect(rating.createdAt <= REFERENCE_DATE).toBe(true)
  }
  for (const { key } of works) expect(ratings.filter((one) => one.media === key).length).toBeGreaterThanOrEqual(3)
})

test('the edits can be replayed: each starts where the one before it ended', () => {
  const texts = structuredClone(new Map([...works, ...characters].map(({ key, translations }) => [key, translations])))
  for (const { key, language, field, oldValue, newValue, rolledBack, at } of edits) {
    const text: Record<string, string> = texts.get(key)?.[language] ?? {}
    expect(text[field]).toBe(oldValue)
    expect(newValue).not.toBe(oldValue)
    text[field] = rolledBack ? oldValue : newValue
    if (rolledBack) expect(rolledBack.at > at).toBe(true)
  }
})

test('each work has a cover of 600 by 840 with a thumbnail, each character a portrait of 600 by 600', async () => {
  const sizeOf = async (image: Buffer) => {
    const { format, width, height } = await sharp(image).metadata()
    return `${format} ${width} ${height}`
  }
  for (const { key } of works) {
    expect(await sizeOf(await picture(`cover:${key}`))).toBe('webp 600 840')
    expect(await sizeOf(await thumbnail(`cover:${key}`))).toBe('webp 160 224')
  }
  for (const { key } of characters) {
    expect(await sizeOf(await picture(`portrait:${key}`))).toBe('webp 600 600')
    expect(await sizeOf(await thumbnail(`portrait:${key}`))).toBe('webp 160 160')
  }
})
