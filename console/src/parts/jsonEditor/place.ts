import { jsonLanguage } from '@codemirror/lang-json'
import type { SyntaxNode, Tree } from '@lezer/common'

export interface Span {
  from: number
  to: number
}

/** A span of a text, and its replacement. */
export interface TextChange extends Span {
  insert: string
}

const VALUES = new Set(['Object', 'Array', 'String', 'Number', 'True', 'False', 'Null'])

export const parsed = (text: string): Tree => jsonLanguage.parser.parse(text)

/** The span of the value at `place`. If the path ends early: that of the name, or of the deepest existing value. */
export function spanAt(text: string, place: readonly PropertyKey[], tree = parsed(text)): Span {
  let node = firstValue(tree.topNode)
  for (const [index, step] of place.entries()) {
    const next: SyntaxNode | null = node && inside(node, step, text)
    if (!node || !next) return node ? firstLineOf(text, node) : { from: 0, to: Math.min(1, text.length) }
    const last = index === place.length - 1
    if (last && next.name === 'Property' && !VALUES.has(next.lastChild?.name ?? '')) return trimmed(next)
    node = next.name === 'Property' ? next.lastChild : next
  }
  return node ? firstLineOf(text, node) : { from: 0, to: text.length }
}

/** The path to a position, as far as it can be determined. */
export function placeAt(text: string, position: number, tree = parsed(text)): (string | number)[] {
  const place: (string | number)[] = []
  const slice = (from: number, to: number) => text.slice(from, to)
  for (let node: SyntaxNode | null = tree.resolveInner(position, -1); node; node = node.parent) {
    const { parent } = node
    if (node.name === 'Property') place.unshift(nameOf(node, slice) ?? '')
    else if (parent?.name === 'Array' && VALUES.has(node.name))
      place.unshift(children(parent).filter(({ name, to }) => VALUES.has(name) && to <= (node?.from ?? 0)).length)
  }
  return place
}

/** The name of a Property node without quotes; undefined while it is incomplete. */
function nameOf(property: SyntaxNode, slice: (from: number, to: number) => string): string | undefined {
  const name = property.getChild('PropertyName')
  if (!name) return undefined
  try {
    return String(JSON.parse(slice(name.from, name.to)))
  } catch {
    return undefined
  }
}

function inside(node: SyntaxNode, step: PropertyKey, text: string): SyntaxNode | null {
  const slice = (from: number, to: number) => text.slice(from, to)
  // For a duplicate name, the last one, as in JSON.parse.
  if (node.name === 'Object')
    return node.getChildren('Property').findLast((each) => nameOf(each, slice) === step) ?? null
  if (node.name !== 'Array') return null
  return children(node).filter(({ name }) => VALUES.has(name))[Number(step)] ?? null
}

const children = (node: SyntaxNode): SyntaxNode[] => {
  const all: SyntaxNode[] = []
  for (let child = node.firstChild; child; child = child.nextSibling) all.push(child)
  return all
}

const firstValue = (node: SyntaxNode) => children(node).find(({ name }) => VALUES.has(name)) ?? null
const trimmed = ({ from, to }: SyntaxNode): Span => ({ from, to })

/** Only the first line of a multi-line value is marked. */
function firstLineOf(text: string, { from, to }: SyntaxNode): Span {
  const end = text.indexOf('\n', from)
  return { from, to: end < 0 ? to : Math.min(to, end) }
}
