import { isObject } from '@mokuroku/contract/merge'
import { type Container, type Item, isToken, outline, textOf } from '../jsonEditor/outline.ts'
import type { TextChange } from '../jsonEditor/place.ts'
import { type Token, tokenize } from '../jsonEditor/tokens.ts'

export type Place = readonly (string | number)[]

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }
type Node = Token | Container

/** The names of an object's properties in schema order, for inserting new ones in the right place. */
type NamesAt = (place: Place) => readonly string[]

/**
 * The text changes that set the value at `place`, or remove it if `value` is undefined. Everything else stays as
 * written: order, whitespace, line breaks, unknown properties. The text must be valid JSON.
 */
export function changesTo(text: string, place: Place, value: unknown, namesAt: NamesAt = () => []): TextChange[] {
  const root = rootOf(text)
  const changes = root ? new Writer(text, root, namesAt).set(root, place, 0, value) : []
  return changes.toSorted((one, other) => one.from - other.from || one.to - other.to)
}

class Writer {
  readonly text: string
  readonly namesAt: NamesAt
  /** Indentation of one level; '' if the text is on one line. */
  readonly unit: string

  constructor(text: string, root: Node, namesAt: NamesAt) {
    this.text = text
    this.namesAt = namesAt
    const first = isToken(root) ? undefined : root.items[0]
    const space = first && !isToken(root) ? text.slice(root.from + 1, startOf(first)) : '\n  '
    this.unit = space.includes('\n') ? space.slice(space.lastIndexOf('\n') + 1) || '  ' : ''
  }

  set(node: Node, place: Place, depth: number, value: unknown): TextChange[] {
    const step = place[depth]
    if (step === undefined) return value === undefined ? [] : this.replace(node, place, value as Json)
    const at = isToken(node) ? -1 : indexOf(node, step, this.text)
    const item = isToken(node) ? undefined : node.items[at]
    if (item?.value && (value !== undefined || depth < place.length - 1))
      return this.set(item.value, place, depth + 1, value)
    if (!isToken(node) && item) return this.remove(node, at, at)
    if (value === undefined) return []
    // Creates the missing objects and arrays on the path.
    const made = place.slice(depth + 1).reduceRight<Json>((inner, each) => wrapped(each, inner), value as Json)
    if (isToken(node)) return this.replace(node, place.slice(0, depth), wrapped(step, made))
    if (node.isArray) return this.insert(node, node.items.length, [this.lines(made, node)])
    return this.insertNamed(node, place.slice(0, depth), [[String(step), made]])
  }

  replace(node: Node, place: Place, next: Json): TextChange[] {
    const { from, to } = spanOf(node)
    const before = JSON.parse(this.text.slice(from, to)) as Json
    if (isSame(before, next)) return []
    if (!isToken(node) && isObject(before) && isObject(next)) return this.replaceObject(node, place, before, next)
    if (!isToken(node) && Array.isArray(before) && Array.isArray(next))
      return this.replaceArray(node, place, before, next)
    const written = this.text.slice(from, to)
    return [difference(from, written, this.written(next, this.indentAt(from)))]
  }

  replaceObject(node: Container, place: Place, before: Record<string, Json>, next: Record<string, Json>) {
    const gone = Object.keys(before).filter((name) => !Object.hasOwn(next, name))
    const added = Object.entries(next).filter(([name]) => !Object.hasOwn(before, name))
    const isTwice = node.items.length !== Object.keys(before).length
    // Removed and added properties may be adjacent, and their changes would overlap.
    if (gone.length > 0 && (added.length > 0 || isTwice)) return this.rewrite(node, next)
    const kept = Object.keys(next).filter((name) => Object.hasOwn(before, name))
    return [
      ...kept.flatMap((name) => this.set(node, [...place, name], place.length, next[name])),
      ...runsOf(gone.map((name) => indexOf(node, name, this.text))).flatMap(([first, last]) =>
        this.remove(node, first, last),
      ),
      ...this.insertNamed(node, place, added, Object.keys(next)),
    ]
  }

  replaceArray(node: Container, place: Place, before: Json[], next: Json[]): TextChange[] {
    const shorter = Math.min(before.length, next.length)
    let head = 0
    while (head < shorter && isSame(before[head], next[head])) head += 1
    let tail = 0
    while (tail < shorter - head && isSame(before.at(-1 - tail), next.at(-1 - tail))) tail += 1
    const [gone, added] = [before.slice(head, before.length - tail), next.slice(head, next.length - tail)]
    const paired = Math.min(gone.length, added.length)
    // A removed item may be adjacent to a changed one, and their changes would overlap.
    if (paired > 0 && gone.length > paired) return this.rewrite(node, next)
    return [
      ...added.slice(0, paired).flatMap((value, at) => {
        const item = node.items[head + at]?.value
        return item ? this.replace(item, [...place, head + at], value) : []
      }),
      ...(gone.length > paired ? this.remove(node, head + paired, head + gone.length - 1) : []),
      ...this.insert(
        node,
        head + paired,
        added.slice(paired).map((value) => this.lines(value, node)),
      ),
    ]
  }

  rewrite(node: Container, next: Json): TextChange[] {
    const { from, to } = spanOf(node)
    return [difference(from, this.text.slice(from, to), this.written(next, this.indentAt(from)))]
  }

  /** Removes the items from `first` to `last`, with the comma that becomes superfluous. */
  remove({ items, from, closer }: Container, first: number, last: number): TextChange[] {
    const [before, behind] = [items[first - 1], items[last + 1]]
    const end = items[last]
    if (!end) return []
    if (before) return [{ from: endOf(before), to: endOf(end), insert: '' }]
    const [one] = items
    if (behind && one) return [{ from: startOf(one), to: startOf(behind), insert: '' }]
    return [{ from: from + 1, to: closer, insert: '' }]
  }

  /**
   * Inserts properties in schema order; those that the schema does not have, in the order of `all`, or else at the end.
   */
  insertNamed(node: Container, place: Place, added: [string, Json][], all: readonly string[] = []): TextChange[] {
    const known = this.namesAt(place)
    const names = node.items.map((_, at) => nameOf(node, at, this.text))
    const byIndex = Map.groupBy(added, ([name]) => {
      const order = known.includes(name) ? known : all
      const rank = order.indexOf(name)
      return rank < 0 ? names.length : 1 + names.findLastIndex((each) => isBefore(order.indexOf(each), rank))
    })
    const colon = colonOf(node, this.text)
    return [...byIndex].flatMap(([at, some]) =>
      this.insert(
        node,
        at,
        some
          .toSorted(([one], [other]) => known.indexOf(one) - known.indexOf(other))
          .map(([name, value]) => `${JSON.stringify(name)}${colon}${this.lines(value, node)}`),
      ),
    )
  }

  /** Inserts items before `index`, formatted like the container's other items. */
  insert(node: Container, index: number, texts: string[]): TextChange[] {
    const { items, from, closer } = node
    if (texts.length === 0) return []
    const [before, behind] = [items[index - 1], items[index]]
    const indent = this.itemIndent(node)
    const gap = indent === undefined ? this.gapOf(node) : `\n${indent}`
    const all = texts.join(`,${gap}`)
    if (before) return [{ from: endOf(before), to: endOf(before), insert: `,${gap}${all}` }]
    if (behind) return [{ from: startOf(behind), to: startOf(behind), insert: `${all},${gap}` }]
    const insert = indent === undefined ? all : `\n${indent}${all}\n${this.indentAt(from)}`
    return [{ from: from + 1, to: closer, insert }]
  }

  /** The text of a value as an item of an object or array. */
  lines(value: Json, node: Container): string {
    const indent = this.itemIndent(node)
    return indent === undefined ? JSON.stringify(value) : this.written(value, indent)
  }

  written(value: Json, indent: string): string {
    return JSON.stringify(value, null, this.unit).replaceAll('\n', `\n${indent}`)
  }

  /** Indentation of the items of an object or array; undefined if they are on one line. */
  itemIndent({ items, from }: Container): string | undefined {
    const [first] = items
    if (!first) return this.unit === '' ? undefined : this.indentAt(from) + this.unit
    const space = this.text.slice(from + 1, startOf(first))
    return space.includes('\n') ? space.slice(space.lastIndexOf('\n') + 1) : undefined
  }

  /** Whitespace after a comma, within a line. */
  gapOf({ items: [first, second] }: Container): string {
    if (first?.comma && second) return this.text.slice(first.comma.to, startOf(second))
    return this.unit === '' && !/[,:]\s/.test(this.text) ? '' : ' '
  }

  /** Indentation of the line at a position. */
  indentAt(position: number): string {
    const line = this.text.lastIndexOf('\n', position - 1) + 1
    return /^[ \t]*/.exec(this.text.slice(line))?.[0] ?? ''
  }
}

function rootOf(text: string): Node | undefined {
  const tokens = tokenize(text)
  return outline(tokens)[0] ?? tokens[0]
}

const wrapped = (step: string | number, inner: Json): Json => (typeof step === 'number' ? [inner] : { [step]: inner })

const spanOf = (node: Node) => (isToken(node) ? node : { from: node.from, to: node.closer + 1 })
const startOf = ({ name, value }: Item): number => (name ?? value)?.from ?? 0
const endOf = ({ value }: Item): number => (value ? spanOf(value).to : 0)

const nameOf = ({ items }: Container, at: number, text: string): string => {
  const name = items[at]?.name
  return name ? textOf(name, text) : ''
}

/** For a duplicate name, the last one, as in JSON.parse. */
function indexOf(node: Container, step: string | number, text: string): number {
  if (node.isArray) return typeof step === 'number' && step < node.items.length ? step : -1
  return node.items.findLastIndex((_, at) => nameOf(node, at, text) === step)
}

function colonOf({ items: [first] }: Container, text: string): string {
  const { name, colon, value } = first ?? {}
  if (!name || !colon || !value) return ': '
  return text.slice(name.to, spanOf(value).from).replaceAll(/\n\s*/g, ' ')
}

const isBefore = (rank: number, other: number) => rank >= 0 && rank < other

/** Groups consecutive indexes: [0, 1, 3] becomes [[0, 1], [3, 3]]. */
function runsOf(indexes: readonly number[]): [first: number, last: number][] {
  const runs: [number, number][] = []
  for (const index of indexes.toSorted((one, other) => one - other)) {
    const run = runs.at(-1)
    if (run && run[1] === index - 1) run[1] = index
    else runs.push([index, index])
  }
  return runs
}

/** The smallest single change from one text to another: their common start and end are kept. */
function difference(at: number, before: string, after: string): TextChange {
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && before[head] === after[head]) head += 1
  let tail = 0
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1
  return { from: at + head, to: at + before.length - tail, insert: after.slice(head, after.length - tail) }
}

function isSame(one: Json | undefined, other: Json | undefined): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((each, at) => isSame(each, other[at]))
  if (!isObject(one) || !isObject(other)) return one === other
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSame(one[name], other[name]))
  )
}
