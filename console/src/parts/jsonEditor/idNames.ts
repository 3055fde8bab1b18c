import type { SyntaxNode } from '@lezer/common'
import type { Text } from '#lib/text.ts'
import type { Choice } from '#parts/Suggestion.tsx'

/** What an id can belong to: the indexes of the search. */
export type Index = 'media' | 'characters' | 'tags' | 'assets'

/** What is known of an id, with what it is of where that is known. `missing`: there is no such thing, or no longer. */
export type Name = (Text & { of?: Choice }) | 'missing'

/** Finds the names of ids, all of one kind in one go. Ids that are not in the answer stay without a name. */
export type NameLookup = (ids: string[]) => Promise<ReadonlyMap<string, Name>>

/** Which fields hold ids, and of what: `{ characters: 'characters', cover: 'assets' }`. */
export type Links = Readonly<Record<string, Index>>

/** The names of the ids that an editor shows: those known from the start, and those looked up since. */
export function createIdNames(known: ReadonlyMap<string, Name>, lookUps: Partial<Record<Index, NameLookup>>) {
  const found = new Map<string, Name>(known)
  const asked = new Set<string>(known.keys())
  const listeners = new Set<() => void>()
  const notifyListeners = () => listeners.forEach((listener) => listener())

  /** Asks for those that were not asked for yet. A failure leaves them without a name: it is only a help. */
  async function want(index: Index, ids: readonly string[]) {
    const fresh = ids.filter((id) => id && !asked.has(id))
    const lookUp = lookUps[index]
    if (!lookUp || fresh.length === 0) return
    for (const id of fresh) asked.add(id)
    try {
      for (const [id, name] of await lookUp(fresh)) found.set(id, name)
      notifyListeners()
    } catch (error) {
      console.error(error)
    }
  }

  return {
    get: (id: string) => found.get(id),
    want,
    learn: (id: string, name: Name) => {
      found.set(id, name)
      asked.add(id)
      notifyListeners()
    },
    follow: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
export type Names = ReturnType<typeof createIdNames>

/** Whether a text has the form of an id. */
export const isId = (text: string) => /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(text)

/** The kind of thing whose id a String node holds: a linking field's own value, or an item of its list. */
export function linkAt(node: SyntaxNode, links: Links, slice: (from: number, to: number) => string): Index | undefined {
  if (node.name !== 'String') return undefined
  const property = node.parent?.name === 'Array' ? node.parent.parent : node.parent
  const name = property?.name === 'Property' && property.parent?.parent?.name === 'JsonText' && property.firstChild
  if (!name || name.name !== 'PropertyName') return undefined
  return links[slice(name.from + 1, name.to - 1)]
}
