import * as z from 'zod/mini'
import { CompletionContext, type CompletionResult } from '@codemirror/autocomplete'
import { history, undo } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { EditorState, type TransactionSpec } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { MediaInput } from '@mokuroku/contract/media'
import { describe, expect, test } from 'vitest'
import { completeBy } from './completion.ts'
import type { JsonSchema } from './schema.ts'

const chosen: string[] = []
const complete = completeBy({
  schema: z.toJSONSchema(MediaInput, { io: 'input', unrepresentable: 'any' }) as JsonSchema,
  links: { tags: 'tags', cover: 'assets' },
  openNames: ['en', 'ja'],
  search: async (index, text) => [{ id: `${index}-1`, text: `${text}…`, lang: 'ja' }],
  onChosen: ({ id }) => chosen.push(id),
})

/** The completions at the `|` in a text. */
async function offered(marked: string, explicit = false): Promise<CompletionResult | null> {
  const pos = marked.indexOf('|')
  return complete(new CompletionContext(stateOf(marked), pos, explicit))
}
const stateOf = (marked: string) =>
  EditorState.create({
    doc: marked.replace('|', ''),
    selection: { anchor: marked.indexOf('|') },
    extensions: [json(), history()],
  })

/** The text after applying the first completion that starts with `label`, with `|` at the cursor. */
async function taken(marked: string, label: string, explicit = false) {
  const result = await offered(marked, explicit)
  const option = result?.options.find((each) => each.label.startsWith(label))
  const view = viewOf(stateOf(marked))
  if (result && option && typeof option.apply === 'function')
    option.apply(view as EditorView, option, result.from, result.to ?? marked.indexOf('|'))
  return markedText(view.state)
}

/** The part of an EditorView that a change needs. */
function viewOf(state: EditorState) {
  const view = { state, dispatch: (change: TransactionSpec) => void (view.state = view.state.update(change).state) }
  return view
}

function markedText(state: EditorState) {
  const { head } = state.selection.main
  return `${state.sliceDoc(0, head)}|${state.sliceDoc(head)}`
}
const labels = async (marked: string, explicit = false) =>
  (await offered(marked, explicit))?.options.map(({ label }) => label)

describe('completion offers', () => {
  test('the names that the object lacks', async () => {
    const names = await labels('{ "mediaType": "ANIME", "|" }')
    expect(names).toContain('"isOngoing"')
    expect(names).not.toContain('"mediaType"')
    expect(await labels('{ "translations": { "JA": {}, "|" } }')).toEqual(['"en"'])
  })
  test('only the name if there is a value already', async () => {
    expect(await taken('{ "isOn|": true }', '"isOngoing')).toBe('{ "isOngoing"|: true }')
  })
  test('the allowed values', async () => {
    expect(await labels('{ "mediaType": "|" }')).toEqual(['"ANIME"', '"MANGA"', '"NOVEL"'])
    expect(await labels('{ "mediaType": | }', true)).toEqual(['"ANIME"', '"MANGA"', '"NOVEL"'])
    expect(await taken('{ "mediaType": "A|NIME" }', '"NOVEL')).toBe('{ "mediaType": "NOVEL"| }')
    expect(await taken('{ "isOngoing": t|rue, "x": 1 }', 'false')).toBe('{ "isOngoing": false|, "x": 1 }')
    expect(await labels('{ "isOngoing": t| }')).toEqual(['true', 'false'])
    expect(await labels('{ "duration": n| }')).toEqual(['null'])
  })
  test('names at an empty position only on explicit request', async () => {
    expect(await labels('{ | }')).toBeUndefined()
    expect(await labels('{ | }', true)).toContain('"mediaType"')
  })
  test('entities that match a text in place of an id, unless already listed', async () => {
    const result = await offered('{ "tags": ["id", "心|"] }')
    expect(result).toMatchObject({ from: 18, to: 19, filter: false, options: [{ label: '心…' }] })
    expect(await labels('{ "cover": "x|" }')).toEqual(['x…'])
    expect(await offered('{ "tags": ["tags-1", "心|"] }')).toBeNull()
  })
  test('nothing inside a text, in an id, or after a closing quote', async () => {
    expect(await offered('{ "originalTitle": "x|" }')).toBeNull()
    expect(await offered('{ "tags": ["0198aaaa-bbbb-7ccc-8ddd-eeeeffff0000|"] }')).toBeNull()
    expect(await offered('{ "mediaType": "ANIME"| }')).toBeNull()
  })
})

describe('applying a completion leaves valid JSON, with the cursor where typing continues', () => {
  test.each([
    ['in an empty object', '{|}', '"isOngoing', '{"isOngoing": false|}'],
    ['before others', '{\n  "|"\n  "episodes": 1\n}', '"isOngoing', '{\n  "isOngoing": false|,\n  "episodes": 1\n}'],
    ['after others', '{\n  "episodes": 1\n  "|"\n}', '"isOngoing', '{\n  "episodes": 1,\n  "isOngoing": false|\n}'],
    ['between others', '{ "episodes": 1 | "duration": 2 }', '"cover', '{ "episodes": 1, "cover": "|", "duration": 2 }'],
    [
      'before a comma',
      '{ "episodes": 1 |, "duration": 2 }',
      '"cover',
      '{ "episodes": 1, "cover": "|", "duration": 2 }',
    ],
    ['in a list', '{ "episodes": 1, | }', '"tags', '{ "episodes": 1, "tags": [|] }'],
    [
      'of a language',
      '{ "translations": {\n  "j|"\n  "en": {} } }',
      '"ja',
      '{ "translations": {\n  "ja": { "title": "|", "description": "" },\n  "en": {} } }',
    ],
    ['with an id', '{ "tags": ["a" "x|"] }', 'x', '{ "tags": ["a", "tags-1"|] }'],
    ['with an id before others', '{ "tags": [ "x|" "a"] }', 'x', '{ "tags": [ "tags-1"|, "a"] }'],
    ['with a choice before others', '{ "mediaType": | "a": 1 }', '"MANGA', '{ "mediaType": "MANGA"|, "a": 1 }'],
  ])('%s', async (_, marked, label, expected) => expect(await taken(marked, label, true)).toBe(expected))

  test.each([
    [
      'a name',
      '{\n  "translations": {\n    "j|\n    "en": {}\n  }\n}',
      '"ja',
      '"ja": { "title": "|", "description": "" },',
    ],
    ['a name on one line', '{ "isOn| "cover": "" }', '"isOngoing', '{ "isOngoing": false|, "cover": "" }'],
    ['a choice', '{\n  "mediaType": "A|,\n  "cover": ""\n}', '"ANIME', '"mediaType": "ANIME"|,\n  "cover"'],
    ['an id', '{ "tags": ["a", "x|] }', 'x', '{ "tags": ["a", "tags-1"|] }'],
    ['a text above', '{\n  "originalTitle": "Kok,\n  "isOn|"\n}', '"isOngoing', '"isOngoing": false|\n}'],
    ['a text below', '{\n  "isOn|",\n  "originalTitle": "Kok\n}', '"isOngoing', '"isOngoing": false|,\n  "orig'],
  ])('when %s has no closing quote', async (_, marked, label, expected) =>
    expect(await taken(marked, label)).toContain(expected),
  )

  test('in a document of a thousand languages and ids', async () => {
    const translations = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`x-${at}`, { title: `${at}` }]))
    const tags = Array.from({ length: 1000 }, (_, at) => `id-${at}`)
    const text = JSON.stringify({ tags, translations }, null, 2)
    const last = text.lastIndexOf('}\n  }')
    const after = await taken(`${text.slice(0, last + 1)}\n    "j|"${text.slice(last + 1)}`, '"ja')
    expect(JSON.parse(after.replace('|', ''))).toEqual({
      tags,
      translations: { ...translations, ja: { title: '', description: '' } },
    })
  })

  test('as one change that can be undone', async () => {
    const marked = '{ "episodes": 1 "isOn|" "duration": 2 }'
    const result = await offered(marked)
    const option = result?.options[0]
    const view = viewOf(stateOf(marked))
    if (result && option && typeof option.apply === 'function') option.apply(view as EditorView, option, 0, 0)
    expect(view.state.sliceDoc()).not.toBe(marked.replace('|', ''))
    undo({ state: view.state, dispatch: ({ state }) => void (view.state = state) })
    expect(view.state.sliceDoc()).toBe(marked.replace('|', ''))
  })
})
