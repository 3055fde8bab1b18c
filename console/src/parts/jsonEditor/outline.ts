import type { Token } from './tokens.ts'

/** An object or array in a possibly incomplete text. */
export interface Container {
  isArray: boolean
  from: number
  /** Position of the closing bracket; Infinity if there is none. */
  closer: number
  items: Item[]
  /** The container and index of which it is the value. */
  parent: { container: Container; index: number } | undefined
}

/** A property of an object, or an element of an array, which has no name. */
export interface Item {
  name?: Token
  colon?: Token
  value?: Token | Container
  comma?: Token
}

/** A place where a name or value can be written. */
export interface Slot {
  kind: 'name' | 'value'
  container: Container
  /** The existing token, which would be replaced. */
  token: Token | undefined
  /** Index among the container's items. */
  index: number
}

/** All objects and arrays of a text, outer ones first; an unbalanced bracket does not affect its siblings. */
export function outline(tokens: readonly Token[]): Container[] {
  const all: Container[] = []
  const open: Container[] = []
  for (const [at, token] of tokens.entries()) {
    const inner = open.at(-1)
    const last = inner && unfinished(inner)
    if (token.kind === '{' || token.kind === '[') {
      const container = {
        isArray: token.kind === '[',
        from: token.from,
        closer: Infinity,
        items: [],
        parent: undefined,
      }
      all.push(container)
      open.push(inner ? attach(inner, container) : container)
    } else if (token.kind === '}' || token.kind === ']') {
      const closes = open.findLastIndex(({ isArray }) => isArray === (token.kind === ']'))
      if (closes >= 0) for (const container of open.splice(closes)) container.closer = token.from
    } else if (!inner) continue
    else if (token.kind === ',') {
      if (last) last.comma = token
    } else if (token.kind === ':') {
      if (last) last.colon = token
    } else if (inner.isArray) inner.items.push({ value: token })
    // A token before a colon is the next name, even if the previous value is missing.
    else if (last && awaitsValue(last) && tokens[at + 1]?.kind !== ':') last.value = token
    else inner.items.push({ name: token })
  }
  return all
}

/** The slot at a position; undefined if nothing can be written there. */
export function slotAt(containers: readonly Container[], pos: number): Slot | undefined {
  const container = containers.findLast(({ from, closer }) => from < pos && pos <= closer)
  if (!container) return undefined
  const { items } = container
  const started = items.filter((item) => startOf(item) < pos).length
  const last = items[started - 1]
  if (container.isArray) {
    const token = last && isToken(last.value) && pos <= last.value.to ? last.value : undefined
    return { kind: 'value', container, token, index: token ? started - 1 : started }
  }
  const fresh: Slot = { kind: 'name', container, token: undefined, index: started }
  if (!last || (last.comma && last.comma.to <= pos)) return fresh
  const { name, colon, value } = last
  if (name && pos <= name.to) return { ...fresh, token: name, index: started - 1 }
  if (!colon || pos < colon.to) return undefined
  if (!value) return { kind: 'value', container, token: undefined, index: started - 1 }
  if (isToken(value) && value.from <= pos && pos <= value.to)
    return { kind: 'value', container, token: value, index: started - 1 }
  return pos <= value.from ? undefined : fresh
}

/** The path from the root to a container. */
export function placeOf({ parent }: Container, text: string): (string | number)[] {
  const place: (string | number)[] = []
  for (let at = parent; at; at = at.container.parent) place.unshift(stepOf(at.container, at.index, text))
  return place
}

/** The name or index of an item. */
export function stepOf({ isArray, items }: Container, index: number, text: string): string | number {
  const name = items[index]?.name
  return isArray ? index : name ? textOf(name, text) : ''
}

/** The content of a string, even without its closing quote; for a word, the word. */
export function textOf({ kind, closed, from, to }: Token, text: string): string {
  if (kind !== 'string') return text.slice(from, to)
  const inside = text.slice(from + 1, closed ? to - 1 : to)
  try {
    return String(JSON.parse(`"${inside}"`))
  } catch {
    return inside
  }
}

export const isToken = (value: Token | Container | undefined): value is Token => value !== undefined && 'kind' in value

function attach(inner: Container, container: Container): Container {
  const last = unfinished(inner)
  if (!inner.isArray && last && awaitsValue(last)) last.value = container
  else inner.items.push({ value: container })
  container.parent = { container: inner, index: inner.items.length - 1 }
  return container
}

/** The last item, unless it ends with a comma. */
function unfinished({ items }: Container): Item | undefined {
  const last = items.at(-1)
  return last?.comma ? undefined : last
}

const awaitsValue = ({ colon, value }: Item) => colon !== undefined && value === undefined
const startOf = ({ name, value }: Item) => name?.from ?? value?.from ?? Infinity
