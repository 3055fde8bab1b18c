import { expect, test } from 'vitest'
import { SUGGESTION_FORM } from './requirement.ts'
import { extractJson, MediaSuggestion, toPlainText } from './suggestion.ts'

test.each([
  ['Cowboy Bebop', 'Cowboy Bebop'],
  ['<b>Bold</b> and <i class="x">slanted</i>', 'Bold and slanted'],
  ['one<br>two<br/>three</p>four', 'one\ntwo\nthree\nfour'],
  ['<harmony/>', '<harmony/>'],
  ['I <3 you, 1 < 2 > 0', 'I <3 you, 1 < 2 > 0'],
  ['a<script>alert(1)</script>b<style>p{}</style >c', 'abc'],
  ['a<script src=x>b', 'ab'],
  ['a<!-- hidden -->b<!-- open', 'ab<!-- open'],
  ['&lt;script&gt;alert(1)&lt;/script&gt;x', 'x'],
  ['&lt;img src=x onerror=alert(1)&gt;x', 'x'],
  ['Fish &amp; Chips &#x41;&#66;&quot;', 'Fish & Chips AB"'],
  ['a\u202eb\u200bc\u0000d', 'abcd'],
  ['a   \n\n\n\nb  ', 'a\n\nb'],
])('converts %j to the plain text %j', (text, expected) => {
  expect(toPlainText(text)).toBe(expected)
})

test.each([
  ['2006-04-03', '2006-04-03T00:00:00.000Z'],
  ['2006-04-03T00:00:00+09:00', '2006-04-03T00:00:00.000Z'],
  ['2006-04-03T23:30:00.000-08:00', '2006-04-03T00:00:00.000Z'],
  ['2006-04-03 00:00:00', '2006-04-03T00:00:00.000Z'],
  ['2006-04-03T15:00:00Z', '2006-04-03T15:00:00.000Z'],
])('the release date %j is on the day that it names, in whichever time zone', (releaseDate, expected) => {
  expect(MediaSuggestion.parse({ translations: { en: { title: 'x' } }, releaseDate }).releaseDate).toBe(expected)
})

test('parses adversarial input in reasonable time', () => {
  const began = performance.now()
  for (const part of ['<script>', '<!--', ' ', '&lt;', '<a ', '\n ', '```\n', '``` "', '(Source:', '{ '])
    for (const text of [part.repeat(200_000 / part.length), `${part.repeat(100_000 / part.length)}x`]) {
      toPlainText(text)
      extractJson(text)
    }
  // Takes about 0.2 s on an idle machine; with quadratic running time, it would take minutes.
  expect(performance.now() - began).toBeLessThan(20_000)
})

test.each([
  ['Here.\n```json\n{"a": 1}\n```\nDone.', { a: 1 }],
  ['```json\n{"a": 1}\n```\nor rather\n```json\n{"a": 2}\n```', { a: 2 }],
  ['```json\n{"a": 1}\n```\nor rather\n```json\n{"a": ', { a: 1 }],
  ['```\n[1, 2]\n```', [1, 2]],
  ['{"a": "``` in it"}', { a: '``` in it' }],
  ['```json\n{"a": 1}```', { a: 1 }],
  ['```json\n{\n"a": "``` in it"\n}\n```\nDone.', { a: '``` in it' }],
  ['```json\n{"a": "```", "b": "```"}``` is it.', { a: '```', b: '```' }],
  ['<think>\n```json\n{"a": 1}\n```\n</think>\nI do not know.', undefined],
  ['Perhaps\n```json\n{"a": 1}\n```\n</think>\n{"a": 2}', { a: 2 }],
  ['<think>\n```json\n{"a": 1}\n```\nor', undefined],
  ['```python\nprint(1)\n```', undefined],
  ['I do not know.', undefined],
  ['7', undefined],
])('extracts the JSON, if any, from %j', (content, expected) => {
  expect(extractJson(content)).toEqual(expected)
})

test('accepts common deviations of models, and omits what they do not know', () => {
  expect(
    MediaSuggestion.parse({
      mediaType: 'anime',
      translations: {
        'zh-hans': { title: '星际牛仔' },
        'zh-Hans': { title: '又一个' },
        en: { title: '', description: null },
      },
      originalTitle: null,
      releaseDate: '1998-04-03',
      episodes: '26',
      duration: '',
      characters: null,
      tags: [{ name: 'Space' }, { translations: { en: { name: 'Western' } } }],
      cover: null,
      invented: 'field',
    }),
  ).toEqual({
    mediaType: 'ANIME',
    translations: { 'zh-Hans': { title: '星际牛仔', description: '' } },
    releaseDate: '1998-04-03T00:00:00.000Z',
    episodes: 26,
    characters: [],
    tags: ['Space', 'Western'],
    cover: '',
    assets: [],
  })
})

test.each([
  [{ translations: {} }, 'Has no title'],
  [{ translations: { en: { title: 7 } } }, 'translations.en.title'],
  [{ translations: { 'not a tag': { title: 'x' } } }, 'translations'],
  [{ translations: { en: { title: 'x' } }, episodes: 'many' }, 'episodes'],
  [{ translations: { en: { title: 'x' } }, releaseDate: 'spring' }, 'releaseDate'],
  [{ translations: { en: { title: 'x'.repeat(1001) } } }, 'translations.en.title'],
])('rejects %j as a suggestion: %s', (value, what) => {
  const { error } = MediaSuggestion.safeParse(value)
  expect(error?.issues.some((issue) => issue.message === what || issue.path.join('.').startsWith(what))).toBe(true)
})

test.each(Object.keys(MediaSuggestion.shape))('the form that a model is to fill in asks for %s', (field) => {
  expect(SUGGESTION_FORM).toContain(`\n  "${field}":`)
})
