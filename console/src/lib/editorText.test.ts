import * as z from 'zod/mini'
import { MediaInput, newMedia } from '@mokuroku/contract/media'
import { UserInput } from '@mokuroku/contract/users'
import { describe, expect, test } from 'vitest'
import { toRequestBody, editable, placeOf, readText, textOf, valueAt } from './editorText.ts'

const started = newMedia('2026-01-05T09:30:00.000Z')
const lines = (value: unknown) =>
  readText(JSON.stringify(value), MediaInput).flaws.map(({ path, message }) => `${path}: ${message}`)

describe('the text of an entity', () => {
  test('contains only editable fields, in schema order, indented by two spaces', () => {
    const text = textOf(
      editable(MediaInput, { _id: 'a', version: 3, averageRating: 8, isOngoing: true, mediaType: 'NOVEL' }),
    )
    expect(text).toBe('{\n  "mediaType": "NOVEL",\n  "isOngoing": true\n}')
  })
  test('has ids in place of linked objects', () => {
    const entity = {
      tags: [{ _id: 't1', type: 'GENRE' }, 't2'],
      cover: { _id: 'a1', url: '/x' },
      relatedMedia: [{ _id: 'm' }],
    }
    expect(editable(MediaInput, entity)).toEqual({ tags: ['t1', 't2'], cover: 'a1', relatedMedia: ['m'] })
  })
})

describe('reading a text', () => {
  test('accepts the initial value of a new media item', () => {
    expect(readText(textOf(started), MediaInput)).toEqual({ state: 'read', value: started, flaws: [] })
  })
  test.each([
    ['', 'empty'],
    [' \n ', 'empty'],
    ['{', 'syntax'],
    ["{'a': 1}", 'syntax'],
    ['[]', 'schema'],
    ['null', 'schema'],
  ])('%j gives the state %s', (text, state) => expect(readText(text, MediaInput).state).toBe(state))
  test('reports a schema that throws as a format error', () => {
    const broken = z.pipe(
      z.unknown(),
      z.transform(() => {
        throw new Error('no')
      }),
    )
    expect(readText('{}', broken).state).toBe('format')
  })
  test('lists the validation errors, value by value', () => {
    expect(
      lines({
        ...started,
        mediaType: 'OPERA',
        translations: { en_US: { title: '', description: '' }, en: { title: 3, description: '', more: 1 } },
        tags: [5],
        one: 1,
        two: 2,
      }),
    ).toEqual([
      'mediaType: Must be one of ANIME, MANGA, NOVEL',
      'translations.en_US: Invalid language tag. Use one such as en or zh-Hans, or art-x-name for a language without a code',
      'translations.en.title: Must be text',
      'translations.en.more: Unknown field',
      'tags.0: Must be text',
      'one: Unknown field',
      'two: Unknown field',
    ])
  })
  test('locates an unknown field at its name', () => {
    expect(readText(textOf({ ...started, more: 1 }), MediaInput).flaws[0]?.place).toEqual(['more'])
  })
})

describe('the request body', () => {
  test('clears fields that the text no longer contains', () => {
    const before = { ...started, originalTitle: 'こころ', episodes: 3, tags: ['t'], cover: 'c' }
    const { originalTitle: _, episodes: __, tags: ___, cover: ____, ...value } = before
    expect(toRequestBody(MediaInput, value, before)).toEqual({
      ...value,
      originalTitle: null,
      episodes: null,
      tags: [],
      cover: null,
    })
  })
  test('does not clear fields that were never set or cannot be empty', () => {
    expect(toRequestBody(MediaInput, { isOngoing: true }, { isOngoing: true })).toEqual({ isOngoing: true })
    expect(toRequestBody(UserInput, {}, { username: 'mina', avatar: '/a.png' })).toEqual({
      avatar: '',
      username: undefined,
    })
  })
})

test('resolves a dotted path to its value', () => {
  expect(placeOf('translations.en.title')).toEqual(['translations', 'en', 'title'])
  expect(valueAt({ characters: ['a', 'b'] }, placeOf('characters.1'))).toBe('b')
  expect(valueAt({ characters: [] }, placeOf('characters.1.x'))).toBeUndefined()
})
