import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
  pickedCompletion,
} from '@codemirror/autocomplete'
import type { EditorState, TransactionSpec } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import type { Text } from '#lib/text.ts'
import { type Index, isId, type Links } from './idNames.ts'
import { isToken, outline, placeOf, type Slot, slotAt, stepOf, textOf } from './outline.ts'
import { choicesOf, type Insert, type JsonSchema, propertyOf, schemaAt, typeOf } from './schema.ts'
import { type Token, tokenize } from './tokens.ts'

export interface Found extends Text {
  id: string
}

export interface Options {
  schema: JsonSchema
  links: Links
  /** Searches for entities by text, for fields that hold ids. */
  search: (index: Index, text: string) => Promise<Found[]>
  /** Suggested names where the schema allows any: language tags. */
  openNames: readonly string[]
  /** Called with the chosen entity, so that its title can be shown. */
  onChosen: (found: Found) => void
}

/** Completion of a field that holds ids; its label has a language. */
export interface TitledCompletion extends Completion {
  titled?: Found
}

interface Written {
  text: string
  tokens: Token[]
  slot: Slot
}

/** Debounce of the search. */
const DEBOUNCE_MS = 300

/** Completes property names, enum values and ids by the schema, without those that the object or array already has. */
export function completeBy(options: Options): CompletionSource {
  return (context) => {
    const { state, pos, explicit, view } = context
    // Without focus, the text was changed elsewhere, such as in the form.
    if (view?.hasFocus === false) return null
    const at = writtenAt(state, pos)
    if (!at) return null
    const { token, kind } = at.slot
    const isTyped = token && token.from < pos && (pos < token.to || !isClosedString(token))
    if (!isTyped && !explicit) return null
    if (kind === 'name') return propertyNames(at, pos, options)
    const index = linkAt(at, options.links)
    return index && token?.kind === 'string' ? ids(context, at, token, index, options) : values(at, pos, options.schema)
  }
}

async function ids(context: CompletionContext, at: Written, token: Token, index: Index, options: Options) {
  const from = token.from + 1
  const to = Math.max(context.pos, token.closed ? token.to - 1 : token.to)
  const text = at.text.slice(from, context.pos).trim()
  if (!text || isId(text)) return null
  await new Promise((resolve) => setTimeout(resolve, DEBOUNCE_MS))
  if (context.aborted) return null
  const present = presentIds(at)
  const found = (await options.search(index, text)).filter(({ id }) => !present.has(id))
  const completions = found.map((each): TitledCompletion => {
    const put = insert(whole(JSON.stringify(each.id)))
    return {
      label: each.text,
      titled: each,
      apply: (view, completion) => {
        options.onChosen(each)
        put(view, completion)
      },
    }
  })
  return completions.length > 0 ? { from, to, options: completions, filter: false } : null
}

function propertyNames({ text, tokens, slot }: Written, pos: number, options: Options): CompletionResult | null {
  const { container, token, index } = slot
  const schema = schemaAt(options.schema, placeOf(container, text))
  const others = container.items.flatMap((_, each) =>
    token && each === index ? [] : String(stepOf(container, each, text)),
  )
  const used = new Set(others)
  const usedOpen = new Set(others.map((name) => name.toLowerCase()))
  const open = typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : undefined
  const known: [string, JsonSchema][] = [
    ...Object.entries(schema?.properties ?? {}),
    // Compared case-insensitively, because language tags ignore case.
    ...(open ? options.openNames.filter((name) => !usedOpen.has(name.toLowerCase())) : []).map(
      (name): [string, JsonSchema] => [name, open ?? {}],
    ),
  ]
  // If there is already a colon, only the name is replaced and the value is kept.
  const isNamed = token && tokens[tokens.indexOf(token) + 1]?.kind === ':'
  const completions = known
    .filter(([name]) => !used.has(name))
    .map(([name, value]): Completion => {
      const label = JSON.stringify(name)
      const apply = insert(isNamed ? whole(label) : propertyOf(name, value))
      return { label, type: 'property', detail: typeOf(value), apply }
    })
  return offer(completions, token?.from ?? pos)
}

function values({ text, slot }: Written, pos: number, root: JsonSchema): CompletionResult | null {
  const { container, token, index } = slot
  const schema = schemaAt(root, [...placeOf(container, text), stepOf(container, index, text)])
  const choices = choicesOf(schema).filter((value) => token?.kind !== 'string' || typeof value === 'string')
  const completions = choices.map((value): Completion => {
    const label = JSON.stringify(value)
    return { label, type: 'enum', apply: insert(whole(label)) }
  })
  return offer(completions, token?.from ?? pos)
}

const offer = (completions: Completion[], from: number): CompletionResult | null =>
  completions.length > 0 ? { from, options: completions, validFor: /^"?[\w-]*$/ } : null

/** Replaces the text at the cursor, as one change that can be undone. */
const insert = (what: Insert) => (view: EditorView, completion: Completion) => {
  const change = insertion(view.state, what)
  if (change) view.dispatch({ ...change, annotations: pickedCompletion.of(completion), userEvent: 'input.complete' })
}

/** The change, including commas to separate it from its neighbours. */
function insertion(state: EditorState, { text, caret }: Insert): TransactionSpec | undefined {
  const pos = state.selection.main.head
  const at = writtenAt(state, pos)
  if (!at) return undefined
  const { token } = at.slot
  const start = token?.from ?? pos
  const end = token?.to ?? pos
  const before = at.tokens.findLast((each) => each.to <= start)
  const behind = at.tokens.find((each) => each.from >= end && each !== token)
  const needsBefore = before !== undefined && !'{[:,'.includes(before.kind)
  const needsBehind = behind !== undefined && !'}]:,'.includes(behind.kind)
  const head = needsBefore ? (before.to === start ? ', ' : ',') : ''
  const tail = needsBehind ? (behind.from === end ? ', ' : ',') : ''
  const near = needsBefore && before.to === start
  return {
    changes: [
      ...(needsBefore && !near ? [{ from: before.to, insert: head }] : []),
      { from: start, to: end, insert: (near ? head : '') + text + tail },
    ],
    selection: { anchor: start + head.length + caret },
    scrollIntoView: true,
  }
}

const whole = (text: string): Insert => ({ text, caret: text.length })

function writtenAt(state: EditorState, pos: number): Written | undefined {
  const text = state.sliceDoc()
  const tokens = tokenize(text)
  const slot = slotAt(outline(tokens), pos)
  return slot && { text, tokens, slot }
}

/** The index whose ids belong here: directly in a linking field, or in its list. */
function linkAt({ text, slot: { container, index } }: Written, links: Links): Index | undefined {
  const place = [...placeOf(container, text), stepOf(container, index, text)]
  const isField = place.length === 1 || (place.length === 2 && container.isArray)
  const name = String(place[0])
  return isField && Object.hasOwn(links, name) ? links[name] : undefined
}

function presentIds({ text, slot: { container, index } }: Written): Set<string> {
  const others = container.isArray ? container.items.filter((_, each) => each !== index) : []
  return new Set(others.flatMap(({ value }) => (isToken(value) ? textOf(value, text) : [])))
}

const isClosedString = ({ kind, closed }: Token) => kind === 'string' && closed
