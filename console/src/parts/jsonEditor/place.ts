import { jsonLanguage } from '@codemirror/lang-json'
import type { SyntaxNode, Tree } from '@lezer/common'

export interface Span {
  from: number
  to: number
}

const VALUES = new Set(['Object', 'Array', 'String', 'Number', 'True', 'False', 'Null'])

export const parsed = (text: string): Tree => jsonLanguage.parser.parse(text)

/** The span of the value that `place` leads to; of the name, or the deepest value on the way, when it ends early. */
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

/** Where the first part stands that is not JSON, and the line and column to name it by, counted from 1. */
export function syntaxFault(text: string): Span & { line: number; column: number } {
  let from = -1
  parsed(text).iterate({
    enter: (node) => {
      if (from < 0 && node.type.isError) from = node.from
    },
  })
  if (from < 0) from = Math.min(saidPosition(text), text.length)
  const before = text.slice(0, from).split('\n')
  return { from, to: Math.min(from + 1, text.length), line: before.length, column: (before.at(-1) ?? '').length + 1 }
}

/** The names and indexes that lead from the top to a node. */
export function placeOfNode(node: SyntaxNode, slice: (from: number, to: number) => string): (string | number)[] {
  const place: (string | number)[] = []
  for (let at: SyntaxNode | null = node; at; at = at.parent) {
    if (at.name === 'Property') place.unshift(nameOf(at, slice) ?? '')
    else if (at.parent?.name === 'Array' && (VALUES.has(at.name) || at.type.isError)) place.unshift(indexOf(at))
  }
  return place
}

/** The name of a Property node, without its quotes; undefined while it is being typed. */
export function nameOf(property: SyntaxNode, slice: (from: number, to: number) => string): string | undefined {
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
  // The last one: of a name given twice, that is the value JSON takes.
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
const indexOf = (node: SyntaxNode) =>
  children(node.parent ?? node).filter(({ name, from }) => VALUES.has(name) && from < node.from).length
const trimmed = ({ from, to }: SyntaxNode): Span => ({ from, to })

/** A value that spans lines is marked at its first line only. */
function firstLineOf(text: string, { from, to }: SyntaxNode): Span {
  const end = text.indexOf('\n', from)
  return { from, to: end < 0 ? to : Math.min(to, end) }
}

/** What the browser's own parser says, for the few texts that only it refuses. */
function saidPosition(text: string): number {
  try {
    JSON.parse(text)
    return 0
  } catch (error) {
    return Number(/position (\d+)/.exec(String(error))?.[1] ?? 0)
  }
}
