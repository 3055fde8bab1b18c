import * as z from 'zod/mini'
import { Id, page, WholeNumber } from './common.ts'
import { type KindWith, pathOf, type PathOf } from './kinds.ts'
import { get, post } from './route.ts'

/** Why two entities are likely duplicates. */
const Evidence = z.object({
  /** The titles and names of the first that the second has too, ignoring case, spaces and punctuation. */
  titles: z.array(z.string()),
  /** The number of days between their releases; 0 for kinds without dates. */
  daysApart: WholeNumber,
  /** The season that both titles name; absent if they name none. */
  season: z.optional(WholeNumber),
})
export type Evidence = z.output<typeof Evidence>

/** The pairs of entities of a kind with the finding `duplicate`, each once, in the order of ids. */
export const duplicatePairs = <Kind extends KindWith<'texts'>, Row extends z.ZodMiniType>(kind: Kind, row: Row) =>
  get(`${pathOf(kind) as PathOf<Kind>}/duplicates`, {
    query: z.strictObject(page(20)),
    response: z.array(z.object({ first: row, second: row, evidence: Evidence })),
    counted: true,
  })

/**
 * The likely duplicates of an entity that is being edited, closest release date first. `_id` is the id of the edited
 * entity, if it has one. Nothing is stored.
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

/** The fields of a match that all kinds with texts share. */
const Match = z.looseObject({ _id: z.string(), version: WholeNumber })

const AnyInput = z.object({}) as z.ZodMiniObject<Record<string, z.ZodMiniType>>

/** The route for likely duplicates of a kind that is known only at runtime (see `likelyDuplicates`). */
export const likelyOf = (kind: KindWith<'texts'>) => likelyDuplicates(kind, Match, AnyInput)
