import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
  pickedCompletion,
} from '@codemirror/autocomplete'
import { syntaxTree } from '@codemirror/language'
import type { EditorView } from '@codemirror/view'
import type { SyntaxNode } from '@lezer/common'
import type { Text } from '#lib/text.ts'
import { type Index, isId, linkAt, type Links } from './names.ts'
import { nameOf, placeOfNode } from './place.ts'

/** What is used of a JSON schema. */
export interface JsonSchema {
  type?: string
  enum?: unknown[]
  properties?: Record<string, JsonSchema>
  additionalProperties?: JsonSchema | boolean
  items?: JsonSchema
  anyOf?: JsonSchema[]
}

export interface Found extends Text {
  id: string
}

export interface Options {
  schema: JsonSchema
  links: Links
  /** Finds what a text could mean, for the ids of linking fields. */
  search: (index: Index, text: string) => Promise<Found[]>
  /** Names offered where the schema leaves them open: language tags. */
  openNames: readonly string[]
  /** Told of what was chosen, so that its title can be shown. */
  onChosen: (found: Found) => void
}

/** A completion of a linking field: its label carries a language. */
export interface TitledCompletion extends Completion {
  titled?: Found
}

/** The specification's search debounce. */
const SETTLED = 300

/** Completes the names, choices and ids that the schema knows. */
export function completeBy(options: Options): CompletionSource {
  return (context) => {
    const { state, pos } = context
    const slice = (from: number, to: number) => state.sliceDoc(from, to)
    const node = syntaxTree(state).resolveInner(pos, -1)
    const link = linkAt(node, options.links, slice)
    if (link) return pos > node.from ? ids(context, node, link, options) : null
    const name = nameBefore(context, node)
    return name ? propertyNames(context, name, options) : values(context, node, options.schema)
  }
}

async function ids(context: CompletionContext, node: SyntaxNode, index: Index, { search, onChosen }: Options) {
  const from = node.from + 1
  const closed = node.to - node.from > 1 && context.state.sliceDoc(node.to - 1, node.to) === '"'
  const to = Math.max(context.pos, closed ? node.to - 1 : node.to)
  const text = context.state.sliceDoc(from, context.pos).trim()
  if (!text || isId(text)) return null
  await new Promise((resolve) => setTimeout(resolve, SETTLED))
  if (context.aborted) return null
  const found = await search(index, text)
  const completions = found.map((each): TitledCompletion => ({
    label: each.text,
    titled: each,
    apply: (view, _completion, start, end) => {
      onChosen(each)
      view.dispatch({
        changes: { from: start, to: end, insert: each.id },
        selection: { anchor: start + each.id.length },
        userEvent: 'input.complete',
      })
    },
  }))
  return completions.length > 0 ? { from, to, options: completions, filter: false } : null
}

interface NameBefore {
  from: number
  to: number
  object: SyntaxNode
  /** The property that is being renamed, when there is one. */
  property: SyntaxNode | undefined
}

/** Where a property's name stands or could stand at the cursor; undefined where a value belongs. */
function nameBefore({ state, pos, explicit }: CompletionContext, node: SyntaxNode): NameBefore | undefined {
  if (node.name === 'PropertyName') {
    const property = node.parent ?? undefined
    return property?.parent ? { from: node.from, to: node.to, object: property.parent, property } : undefined
  }
  const before = state.sliceDoc(Math.max(0, pos - 200), pos)
  const word = /[\w-]*$/.exec(before)?.[0] ?? ''
  const opened = /[{,]\s*$/.test(before.slice(0, before.length - word.length))
  let object: SyntaxNode | null = node
  while (object && object.name !== 'Object' && object.name !== 'Array') object = object.parent
  if (!opened || object?.name !== 'Object' || (!word && !explicit)) return undefined
  return { from: pos - word.length, to: pos, object, property: undefined }
}

function propertyNames({ state }: CompletionContext, at: NameBefore, options: Options): CompletionResult | null {
  const slice = (from: number, to: number) => state.sliceDoc(from, to)
  const schema = schemaAt(options.schema, placeOfNode(at.object, slice))
  const others = at.object.getChildren('Property').filter((each) => each.from !== at.property?.from)
  const used = new Set(others.map((each) => nameOf(each, slice)))
  const open = typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : undefined
  const known: [string, JsonSchema][] = [
    ...Object.entries(schema?.properties ?? {}),
    ...(open ? options.openNames.map((name): [string, JsonSchema] => [name, open]) : []),
  ]
  // What already has its colon keeps its value.
  const named = at.property !== undefined && /^\s*:/.test(state.sliceDoc(at.to, at.to + 20))
  const completions = known
    .filter(([name]) => !used.has(name))
    .map(([name, value]): Completion => {
      const quoted = JSON.stringify(name)
      return {
        label: quoted,
        type: 'property',
        detail: typeOf(value),
        apply: put(named ? quoted : `${quoted}: ${placeholder(value)}`),
      }
    })
  return completions.length > 0 ? { from: at.from, options: completions, validFor: /^"?[\w-]*$/ } : null
}

function values(
  { state, pos, explicit }: CompletionContext,
  node: SyntaxNode,
  root: JsonSchema,
): CompletionResult | null {
  const slice = (from: number, to: number) => state.sliceDoc(from, to)
  const inString = node.name === 'String' && pos > node.from
  const word = /[\w-]*$/.exec(state.sliceDoc(Math.max(0, pos - 60), pos))?.[0] ?? ''
  if (!inString && !word && !explicit) return null
  const schema = schemaAt(root, placeOfNode(node, slice))
  const choices = choicesOf(schema).filter((value) => !inString || typeof value === 'string')
  const options = choices.map((value): Completion => ({
    label: JSON.stringify(value),
    type: 'enum',
    apply: put(JSON.stringify(value)),
  }))
  if (options.length === 0) return null
  const literal = /^(Number|True|False|Null)$/.test(node.name)
  return { from: inString || literal ? node.from : pos - word.length, options, validFor: /^"?[\w-]*$/ }
}

/**
 * Replaces the whole word, what stands behind the cursor and the closing quote included, which the list does not
 * match against. The cursor goes into an empty value.
 */
const put =
  (insert: string) =>
  (view: EditorView, completion: Completion, from: number, to: number): void => {
    const rest = /^[\w-]*"?/.exec(view.state.sliceDoc(to, to + 100))?.[0] ?? ''
    const quoted = view.state.sliceDoc(from, from + 1) === '"'
    const end = to + (quoted ? rest : rest.replace('"', '')).length
    const inside = /: (""|\[\])$/.test(insert) ? 1 : 0
    view.dispatch({
      changes: { from, to: end, insert },
      selection: { anchor: from + insert.length - inside },
      annotations: pickedCompletion.of(completion),
      userEvent: 'input.complete',
      scrollIntoView: true,
    })
  }

function choicesOf(schema: JsonSchema | undefined): unknown[] {
  if (!schema) return []
  if (schema.enum) return schema.enum
  if (schema.type === 'boolean') return [true, false]
  if (schema.type === 'null') return [null]
  return schema.anyOf?.flatMap(choicesOf) ?? []
}

function schemaAt(root: JsonSchema, place: (string | number)[]): JsonSchema | undefined {
  return place.reduce<JsonSchema | undefined>((schema, step) => {
    const options = [schema, ...(schema?.anyOf ?? [])]
    if (typeof step === 'number') return options.find((each) => each?.items)?.items
    const named = options.find((each) => each?.properties?.[step])?.properties?.[step]
    const open = options.find((each) => typeof each?.additionalProperties === 'object')?.additionalProperties
    return named ?? (typeof open === 'object' ? open : undefined)
  }, root)
}

const typeOf = ({ type, enum: choices, anyOf }: JsonSchema): string =>
  choices ? 'choice' : (type ?? anyOf?.map(({ type: each }) => each).join(' | ') ?? '')

function placeholder(schema: JsonSchema): string {
  if (schema.enum) return JSON.stringify(schema.enum[0])
  const first = schema.type ? schema : (schema.anyOf?.[0] ?? {})
  if (first.type === 'object') {
    const inside = Object.entries(first.properties ?? {}).map(([name, value]) => `"${name}": ${placeholder(value)}`)
    return inside.length > 0 ? `{ ${inside.join(', ')} }` : '{}'
  }
  return { number: '0', integer: '0', boolean: 'false', array: '[]', null: 'null' }[first.type ?? ''] ?? '""'
}
