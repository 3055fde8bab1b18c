import type { SyntaxNode } from '@lezer/common'
import type { Text } from '#lib/text.ts'
import type { Choice } from '#parts/Suggestion.tsx'

/** What an id can refer to: a search index. */
export type Index = 'media' | 'characters' | 'tags' | 'assets'

/**
 * The name of an id, with the entity itself if known. `missing`: it does not exist, or no longer; `failed`: its name
 * could not be loaded.
 */
export type Name = (Text & { choice?: Choice }) | 'missing' | 'failed'

/** Looks up the names of ids of one kind, in one batch. Ids that are not in the result stay unnamed. */
export type NameLookup = (ids: string[]) => Promise<ReadonlyMap<string, Name>>

/** The fields that hold ids, and what they refer to: `{ characters: 'characters', cover: 'assets' }`. */
export type Links = Readonly<Record<string, Index>>

/** Names of the ids in an editor: those known initially, and those looked up since. */
export function createIdNames(known: ReadonlyMap<string, Name>, lookUps: Partial<Record<Index, NameLookup>>) {
  const found = new Map<string, Name>(known)
  const requested = new Set<string>(known.keys())
  const failed = new Map<string, Index>()
  const listeners = new Set<() => void>()
  const notifyListeners = () => listeners.forEach((listener) => listener())

  /** Looks up ids that were not requested yet, or whose last lookup failed. */
  async function want(index: Index, ids: readonly string[]) {
    const added = ids.filter((id) => id && !requested.has(id))
    const lookUp = lookUps[index]
    if (!lookUp || added.length === 0) return
    for (const id of added) {
      requested.add(id)
      failed.delete(id)
    }
    try {
      for (const [id, name] of await lookUp(added)) found.set(id, name)
    } catch (error) {
      console.error(error)
      for (const id of added) {
        requested.delete(id)
        failed.set(id, index)
        if (!found.has(id)) found.set(id, 'failed')
      }
    }
    notifyListeners()
  }

  /** Looks up again what failed, when the user returns or the connection does. */
  function retry() {
    for (const [index, entries] of Map.groupBy(failed, ([, of]) => of))
      void want(
        index,
        entries.map(([id]) => id),
      )
  }

  return {
    get: (id: string) => found.get(id),
    want,
    learn: (id: string, name: Name) => {
      found.set(id, name)
      requested.add(id)
      notifyListeners()
    },
    follow: (listener: () => void) => {
      listeners.add(listener)
      for (const event of ['focus', 'online']) addEventListener(event, retry)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) for (const event of ['focus', 'online']) removeEventListener(event, retry)
      }
    },
  }
}
export type Names = ReturnType<typeof createIdNames>

/** Whether a text has the format of an id (a UUID). */
export const isId = (text: string) => /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(text)

/** What the id in a String node refers to: in a linking field itself, or in its list. */
export function linkAt(node: SyntaxNode, links: Links, slice: (from: number, to: number) => string): Index | undefined {
  if (node.name !== 'String') return undefined
  const property = node.parent?.name === 'Array' ? node.parent.parent : node.parent
  const name = property?.name === 'Property' && property.parent?.parent?.name === 'JsonText' && property.firstChild
  if (!name || name.name !== 'PropertyName') return undefined
  return links[slice(name.from + 1, name.to - 1)]
}
