import * as z from 'zod/mini'
import { CompletionContext, type CompletionResult } from '@codemirror/autocomplete'
import { json } from '@codemirror/lang-json'
import { EditorState, type TransactionSpec } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { MediaInput } from '@mokuroku/contract/media'
import { describe, expect, test } from 'vitest'
import { completeBy, type JsonSchema } from './completion.ts'

const chosen: string[] = []
const complete = completeBy({
  schema: z.toJSONSchema(MediaInput, { io: 'input', unrepresentable: 'any' }) as JsonSchema,
  links: { tags: 'tags', cover: 'assets' },
  openNames: ['en', 'ja'],
  search: async (index, text) => [{ id: `${index}-1`, text: `${text}…`, lang: 'ja' }],
  onChosen: ({ id }) => chosen.push(id),
})

/** What is offered at the `|` of a text. */
async function offered(marked: string, explicit = false): Promise<CompletionResult | null> {
  const pos = marked.indexOf('|')
  return complete(new CompletionContext(stateOf(marked), pos, explicit))
}
const stateOf = (marked: string) => EditorState.create({ doc: marked.replace('|', ''), extensions: [json()] })

/** The text after the first offer that begins like this is taken. */
async function taken(marked: string, label: string) {
  const result = await offered(marked)
  const option = result?.options.find((each) => each.label.startsWith(label))
  let state = stateOf(marked)
  const view = {
    get state() {
      return state
    },
    dispatch: (change: TransactionSpec) => void (state = state.update(change).state),
  }
  if (result && option && typeof option.apply === 'function')
    option.apply(view as EditorView, option, result.from, result.to ?? marked.indexOf('|'))
  return state.doc.toString()
}
const labels = async (marked: string, explicit = false) =>
  (await offered(marked, explicit))?.options.map(({ label }) => label)

describe('completion offers', () => {
  test('the names that the object does not have yet', async () => {
    const names = await labels('{ "mediaType": "ANIME", "|" }')
    expect(names).toContain('"isOngoing"')
    expect(names).not.toContain('"mediaType"')
  })
  test('a name with a value to start from', async () => {
    expect(await taken('{ "translations": { "en": { "t|x" } } }', '"title')).toBe(
      '{ "translations": { "en": { "title": "" } } }',
    )
  })
  test('only the name when the value is there', async () => {
    expect(await taken('{ "isOn|": true }', '"isOngoing')).toBe('{ "isOngoing": true }')
  })
  test('languages, with the fields of a translation', async () => {
    expect(await taken('{ "translations": { "en": {}, "j|" } }', '"ja')).toBe(
      '{ "translations": { "en": {}, "ja": { "title": "", "description": "" } } }',
    )
  })
  test('the choices of a value', async () => {
    expect(await labels('{ "mediaType": "|" }')).toEqual(['"ANIME"', '"MANGA"', '"NOVEL"'])
    expect(await labels('{ "mediaType": | }', true)).toEqual(['"ANIME"', '"MANGA"', '"NOVEL"'])
    expect(await taken('{ "mediaType": "A|NIME" }', '"NOVEL')).toBe('{ "mediaType": "NOVEL" }')
    expect(await taken('{ "isOngoing": t|rue, "x": 1 }', 'false')).toBe('{ "isOngoing": false, "x": 1 }')
    expect(await labels('{ "isOngoing": t| }')).toEqual(['true', 'false'])
    expect(await labels('{ "duration": n| }')).toEqual(['null'])
  })
  test('names at an empty place only when asked', async () => {
    expect(await labels('{ | }')).toBeUndefined()
    expect(await labels('{ | }', true)).toContain('"mediaType"')
  })
  test('the things that a text in the place of an id could mean', async () => {
    const result = await offered('{ "tags": ["id", "心|"] }')
    expect(result).toMatchObject({ from: 18, to: 19, filter: false, options: [{ label: '心…' }] })
    expect(await labels('{ "cover": "x|" }')).toEqual(['x…'])
  })
  test('nothing inside a text, nor in an id', async () => {
    expect(await offered('{ "originalTitle": "x|" }')).toBeNull()
    expect(await offered('{ "tags": ["0198aaaa-bbbb-7ccc-8ddd-eeeeffff0000|"] }')).toBeNull()
  })
})
