import * as z from 'zod/mini'
import { Id, page } from './common.ts'
import { type KindWith, pathOf, type PathOf } from './kinds.ts'
import { get, post } from './route.ts'

/** What two entities share that are likely the same. */
const Evidence = z.object({
  /** The titles and names of the first that the second has too, but for case, spaces and punctuation. */
  titles: z.array(z.string()),
  /** How many days apart they were released; 0 where nothing is dated. */
  daysApart: z.number(),
  /** The season that both name; absent where they name none. */
  season: z.optional(z.number()),
})
export type Evidence = z.output<typeof Evidence>

/** The pairs of a kind with the finding `duplicate`, each once, in the order of their ids. */
export const duplicatePairs = <Kind extends KindWith<'texts'>, Row extends z.ZodMiniType>(kind: Kind, row: Row) =>
  get(`${pathOf(kind) as PathOf<Kind>}/duplicates`, {
    query: z.strictObject(page(20)),
    response: z.array(z.object({ first: row, second: row, evidence: Evidence })),
    counted: true,
  })

/**
 * What is likely the same as an entity that is being written, the nearest in time first; `_id` is its own, if it has one.
 * Nothing is stored.
 */
export const likelyDuplicates = <
  Kind extends KindWith<'texts'>,
  Row extends z.ZodMiniType,
  Shape extends Record<string, z.ZodMiniType>,
>(
  kind: Kind,
  row: Row,
  input: z.ZodMiniObject<Shape>,
) =>
  post(`${pathOf(kind) as PathOf<Kind>}/duplicates`, {
    body: z.strictObject({ _id: z.optional(Id), document: z.partial(input) }),
    response: z.object({ data: z.array(z.object({ entity: row, evidence: Evidence })) }),
  })

/** An entry of any kind with texts, as far as a match shows it. */
const Match = z.looseObject({ _id: z.string(), version: z.number() })

const AnyInput = z.object({}) as z.ZodMiniObject<Record<string, z.ZodMiniType>>

/** The call of a kind for what is likely the same, where it matters not which kind: see `likelyDuplicates`. */
export const likelyOf = (kind: KindWith<'texts'>) => likelyDuplicates(kind, Match, AnyInput)
