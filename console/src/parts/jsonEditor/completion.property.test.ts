import * as z from 'zod/mini'
import { closeBrackets, CompletionContext, insertBracket } from '@codemirror/autocomplete'
import { json } from '@codemirror/lang-json'
import { EditorState, type TransactionSpec } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { CharacterInput } from '@mokuroku/contract/characters'
import { MediaInput } from '@mokuroku/contract/media'
import { isObject } from '@mokuroku/contract/merge'
import { TagInput } from '@mokuroku/contract/tags'
import { TierInput } from '@mokuroku/contract/tiers'
import { UserInput } from '@mokuroku/contract/users'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { valueAt } from '#lib/editorText.ts'
import { completeBy } from './completion.ts'
import { type Links } from './idNames.ts'
import { outline, placeOf, slotAt, stepOf } from './outline.ts'
import type { JsonSchema } from './schema.ts'
import { tokenize } from './tokens.ts'

const LANGUAGES = ['en', 'ja', 'zh-Hans', 'zh-Hant', 'x-klingon']
const IDS = ['0198aaaa-bbbb-7ccc-8ddd-eeeeffff0000', '0198aaaa-bbbb-7ccc-8ddd-eeeeffff0001', 'not an id']
const SCHEMAS: [string, z.ZodMiniType, Links][] = [
  [
    'media',
    MediaInput,
    { characters: 'characters', tags: 'tags', cover: 'assets', assets: 'assets', relatedMedia: 'media' },
  ],
  ['character', CharacterInput, { tags: 'tags', assets: 'assets', cover: 'assets', mediaRefs: 'media' }],
  ['tag', TagInput, { parentTag: 'tags' }],
  ['user', UserInput, {}],
  ['tier', TierInput, {}],
]
const jsonSchema = (schema: z.ZodMiniType) =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
const completion = (schema: z.ZodMiniType, links: Links) =>
  completeBy({
    schema: jsonSchema(schema),
    links,
    openNames: LANGUAGES,
    search: async () => IDS.map((id) => ({ id, text: `“${id}”`, lang: undefined })),
    onChosen: () => undefined,
  })
type Complete = ReturnType<typeof completion>

// The search for ids is debounced with a timer.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** Testing every position would take minutes, so every 11th is tested; the first one is random. */
const STEP = 11
const TYPED = ['', '"', 'a', '"a', '"0']

describe.each(SCHEMAS)('every completion in a %s', (_, schema, links) => {
  const complete = completion(schema, links)
  // While a quote is missing, such texts cannot be told apart from the rest of the document.
  const texts = fc.string().filter((text) => !/^\s*[,:}\]]/.test(text))
  const documents = fc.tuple(documentOf(jsonSchema(schema), texts), fc.constantFrom(undefined, 2, '\t'), fc.nat())

  test('leaves valid JSON that still has every value', async () => {
    await fc.assert(
      fc.asyncProperty(documents, fc.boolean(), async ([value, indent, pick], closes) => {
        const text = JSON.stringify(value, null, indent)
        for (let pos = pick % STEP; pos <= text.length; pos += STEP) {
          const typed = TYPED[(pos + pick) % TYPED.length] ?? ''
          const place = placeAt(text, pos)
          if (typed && (!place || place.isTaken)) continue
          const initial = typeInto(stateOf(text, pos, closes), typed, closes)
          for (const { label, after } of await outcomes(complete, initial, pick)) {
            const was = JSON.parse(text) as unknown
            if (place?.isTaken) forget(was, place, label)
            expect(
              holds(parse(after.sliceDoc()), was),
              `${initial.sliceDoc()} at ${pos} + ${label}: ${after.sliceDoc()}`,
            ).toBe(true)
          }
        }
      }),
      { numRuns: 10 },
    )
  })

  test('is the same, with the same effect, when a quote is missing on another line', async () => {
    // If a quote is missing, it is ambiguous whether trailing spaces belong to the string.
    const words = fc.stringMatching(/^([\w ]*\w)?$/)
    await fc.assert(
      fc.asyncProperty(documentOf(jsonSchema(schema), words), fc.nat(), async (value, pick) => {
        const text = JSON.stringify(value, null, 2)
        const strings = tokenize(text).filter(({ kind }) => kind === 'string')
        const broken = strings[pick % Math.max(1, strings.length)]
        if (!broken) return
        const quote = broken.to - 1
        const without = text.slice(0, quote) + text.slice(quote + 1)
        const line = stateOf(text, 0, false).doc.lineAt(quote)
        for (let pos = pick % STEP; pos <= text.length; pos += STEP) {
          if (pos >= line.from && pos <= line.to) continue
          const found = await outcomes(complete, stateOf(without, pos > quote ? pos - 1 : pos, false), pick)
          const expected = await outcomes(complete, stateOf(text, pos, false), pick)
          expect(found.map(({ label }) => label)).toEqual(expected.map(({ label }) => label))
          for (const [at, { after, moved }] of found.entries()) {
            const place = moved(quote)
            expect(after.sliceDoc(0, place) + '"' + after.sliceDoc(place)).toBe(expected[at]?.after.sliceDoc())
          }
        }
      }),
      { numRuns: 5 },
    )
  })
})

/** Two of the completions at the cursor, with the state after each is applied. */
async function outcomes(complete: Complete, state: EditorState, pick: number) {
  const pos = state.selection.main.head
  const offered = complete(new CompletionContext(state, pos, true))
  if (offered instanceof Promise) await vi.runAllTimersAsync()
  const result = await offered
  const { options = [] } = result ?? {}
  const picked = new Set([options[pick % Math.max(1, options.length)], options.at(-1)])
  return [...picked].flatMap((option) => {
    if (!option || typeof option.apply !== 'function') return []
    let change = state.update({})
    const view = { state, dispatch: (spec: TransactionSpec) => void (change = state.update(spec)) }
    option.apply(view as EditorView, option, result?.from ?? pos, result?.to ?? pos)
    return { label: option.label, after: change.state, moved: (at: number) => change.changes.mapPos(at, -1) }
  })
}

const stateOf = (text: string, pos: number, closes: boolean) =>
  EditorState.create({ doc: text, selection: { anchor: pos }, extensions: [json(), closes ? closeBrackets() : []] })

/** Types as the keyboard does, with automatic closing quotes if enabled. */
function typeInto(state: EditorState, typed: string, closes: boolean): EditorState {
  return typed.split('').reduce((at, char) => {
    const closing = closes && char === '"' && insertBracket(at, char)
    return closing ? closing.state : at.update(at.replaceSelection(char)).state
  }, state)
}

interface Place {
  path: (string | number)[]
  isName: boolean
  /** Whether there is already something, which is replaced. */
  isTaken: boolean
}

function placeAt(text: string, pos: number): Place | undefined {
  const slot = slotAt(outline(tokenize(text)), pos)
  if (!slot) return undefined
  const { container, index, kind, token } = slot
  const path = [...placeOf(container, text), stepOf(container, index, text)]
  return { path, isName: kind === 'name', isTaken: token !== undefined }
}

/** Removes from `value` what a completion replaces; a name is replaced by another. */
function forget(value: unknown, { path, isName }: Place, label: string) {
  const last = path.at(-1) ?? ''
  const holder = valueAt(value, path.slice(0, -1))
  if (Array.isArray(holder)) return void holder.splice(Number(last), 1)
  if (!isObject(holder)) return
  const kept = holder[last]
  delete holder[last]
  if (isName) holder[String(parse(label))] = kept
}

/** Whether `now` contains everything in `was`, in the same order. */
function holds(now: unknown, was: unknown): boolean {
  if (Array.isArray(was) && Array.isArray(now)) {
    let at = 0
    for (const each of now) if (at < was.length && holds(each, was[at])) at++
    return at === was.length
  }
  if (isObject(was) && isObject(now))
    return Object.entries(was).every(([name, each]) => Object.hasOwn(now, name) && holds(now[name], each))
  return Object.is(now, was)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Random values of a schema; some properties are missing. */
function documentOf(schema: JsonSchema, texts: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((each) => documentOf(each, texts)))
  const { properties = {}, additionalProperties: open, items } = schema
  if (schema.type === 'array') return fc.array(documentOf(items ?? {}, texts), { maxLength: 3 })
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'null') return fc.constant(null)
  if (schema.type === 'number' || schema.type === 'integer')
    return fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
  if (schema.type !== 'object') return fc.oneof(texts, fc.constantFrom(...IDS))
  const known = Object.entries(properties).map(([name, each]) => [name, documentOf(each, texts)] as const)
  const named = typeof open === 'object' ? LANGUAGES.map((name) => [name, documentOf(open, texts)] as const) : []
  return fc.record(Object.fromEntries([...known, ...named]), { requiredKeys: [] })
}
