// Resolves cells of links, which name entities by their id, title or name.
import type { FieldError } from '@mokuroku/contract/call'
import { reasonText } from '@mokuroku/contract/reasons'
import type { Kind } from '@mokuroku/contract/kinds'
import { db } from '#database/db.ts'
import { presentIds } from '#ledger/links.ts'
import { search } from '#store/search'
import { commaNamesIn, namesIn } from './cells.ts'

/** Number of names looked up at a time. */
const CHUNK_SIZE = 100
const ID = /^[\w-]{1,64}$/

/** A cell of links, and the kind of entity that it names. */
export interface LinkCell {
  kind: Kind
  path: string
  text: string
  /** The ids already linked, including entities in the trash. */
  linked: readonly string[]
}

/** The ids that a cell names, in order, or why it cannot be resolved. */
export type Linked = { ids: string[] } | { fault: FieldError }
export type Linker = (cell: LinkCell) => Linked

/** Looks up the names in some cells, with a few queries for all of them. */
export async function linkerOf(cells: LinkCell[]): Promise<Linker> {
  const known = new Map<string, string[]>()
  for (const [kind, some] of Map.groupBy(cells, (cell) => cell.kind)) {
    const names = [
      ...new Set(some.flatMap(({ text }) => namesIn(text).flatMap((name) => [name, ...commaNamesIn(name)]))),
    ]
    for (let at = 0; at < names.length; at += CHUNK_SIZE)
      for (const [name, ids] of await idsOf(kind, names.slice(at, at + CHUNK_SIZE))) known.set(keyOf(kind, name), ids)
  }
  return (cell) => idsIn(cell, known)
}

const keyOf = (kind: Kind, name: string): string => `${kind} ${name}`

async function idsOf(kind: Kind, names: string[]): Promise<Map<string, string[]>> {
  const ids = await presentIds(
    kind,
    names.filter((name) => ID.test(name)),
  )
  const found = new Map(ids.map((id) => [id, [id]]))
  const others = names.filter((name) => !found.has(name))
  for (const [name, labels] of await search.named(db, kind, others)) {
    const exact = labels.filter(({ text }) => text === name)
    const bestMatches = [...new Set((exact.length > 0 ? exact : labels).map(({ entityId }) => entityId))]
    if (bestMatches.length > 0) found.set(name, bestMatches)
  }
  return found
}

function idsIn({ kind, path, text, linked }: LinkCell, known: Map<string, string[]>): Linked {
  const idOf = (name: string): string[] => (linked.includes(name) ? [name] : (known.get(keyOf(kind, name)) ?? []))
  const names = namesIn(text).flatMap((name) => (idOf(name).length > 0 ? [name] : commaNamesIn(name)))
  const ids: string[] = []
  for (const name of names) {
    const [id, ...others] = idOf(name)
    if (id === undefined) return { fault: { path, message: reasonText('noneCalled', { name }) } }
    if (others.length > 0) return { fault: { path, message: reasonText('severalCalled', { name }) } }
    ids.push(id)
  }
  return { ids: [...new Set(ids)] }
}
