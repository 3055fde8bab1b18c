import * as z from 'zod/mini'
import { BooleanParam, distinct, Id, Refs, WholeNumber } from './common.ts'
import { SENTENCES } from './faults.ts'
import { kindOf, type KindWith, type PathOf, pathOf } from './kinds.ts'
import { filtersIn } from './lists.ts'
import { post } from './route.ts'

/** The maximum number of ids in one call, and of entities in one batch of changes. */
export const MAX_BULK_IDS = 1000
export const MAX_BATCH_ROWS = 10_000
/** The maximum number of entities in a rollback: as many as an import can write. */
export const MAX_ROLLBACK_ROWS = 100_000
/** The maximum number of ids in each part of a preview. */
export const MAX_PREVIEW_IDS = 1000

const Previewed = z.object({ count: WholeNumber, ids: z.array(z.string()) })

/**
 * A dry run of a batch: the entities it would change, those that need no change, and those it would refuse, with the
 * reasons. `ids` and `reasons` hold the first `MAX_PREVIEW_IDS` each.
 */
export const BulkPreview = z.object({
  changes: Previewed,
  unchanged: Previewed,
  refused: z.extend(Previewed, {
    reasons: z.array(z.object({ id: z.string(), code: z.string(), message: z.string() })),
  }),
})
export type BulkPreview = z.output<typeof BulkPreview>

/** `batch` is the id of the started batch (batches.ts). */
export const BatchStarted = z.object({ batch: z.string() })

const ACTIONS = {
  delete: z.optional(z.literal(true)),
  restore: z.optional(z.literal(true)),
}
const TAGS = { addTags: z.optional(Refs), removeTags: z.optional(Refs) }
const Actions = z.object({ ...ACTIONS, ...TAGS })

/** The change of each entity: fields to set (null clears), tags to add and remove; or it is deleted, or restored. */
export type BulkChange = { set: Record<string, unknown> } & z.output<typeof Actions>

type Shape = Record<string, z.ZodMiniType>
type Settable<Input extends Shape> = { [Name in keyof Input]?: z.input<Input[Name]> }
type ChangeInput<Input extends Shape> = Settable<Input> & z.input<typeof Actions>

/**
 * The route that changes many entities of a kind as one batch. They are selected by `ids` or by a `filter`, an object
 * with the query parameters of the kind's list except those of pagination. With `dryRun` it answers 200 with a preview
 * and writes nothing; otherwise 202 with the id of the batch, which runs in the background.
 */
export const bulk = <Kind extends KindWith<'texts'>, Input extends Shape, Query extends Shape>(
  kind: Kind,
  input: z.ZodMiniObject<Input>,
  query: z.ZodMiniObject<Query>,
) =>
  // The cast narrows the type from the path of any kind to the path of this kind.
  post(`${pathOf(kind) as PathOf<Kind>}/bulk`, {
    body: z
      .strictObject({
        ...selectionOf(query),
        change: changeOf(kind, input),
        dryRun: z._default(z.boolean(), false),
      })
      .check(isOneSelection),
    response: z.union([BatchStarted, BulkPreview]),
    status: 202,
    idempotent: true,
  })

/** How the body of a call selects entities: by ids, or by the filters of their list. */
export const selectionOf = <Query extends Shape>(query: z.ZodMiniObject<Query>) => ({
  ids: z.optional(z.array(Id).check(z.minLength(1), z.maxLength(MAX_BULK_IDS), distinct())),
  filter: z.optional(filterOf(query)),
})

/** Exactly one of `ids` and `filter` is given. */
export const isOneSelection = z.refine<{ ids?: unknown; filter?: unknown }>(
  ({ ids, filter }) => (ids === undefined) !== (filter === undefined),
  SENTENCES.idsOrFilter,
)

/** The filter parameters of a list's query. `sort` is accepted and ignored. */
function filterOf<Query extends Shape>(query: z.ZodMiniObject<Query>) {
  const { sort } = query.shape as Shape
  const filters = filtersIn(query).map(([name, schema]) => [name, inJson(schema)])
  const shape = { ...Object.fromEntries(filters), ...(sort && { sort: z.optional(sort) }) }
  // The schema is built at runtime, so its type has to be asserted.
  return z.strictObject(shape) as unknown as z.ZodMiniType<
    Record<string, unknown>,
    Omit<{ [Name in keyof Query]?: z.input<Query[Name]> }, 'page' | 'limit' | 'skip' | 'sort'>
  >
}

/** The schema of a filter in a JSON body: booleans may be `true` or 'true'. */
const inJson = (schema: z.ZodMiniType): z.ZodMiniType =>
  'innerType' in schema._zod.def && schema._zod.def.innerType === BooleanParam
    ? z.optional(z.union([z.boolean(), BooleanParam]))
    : schema

function changeOf<Input extends Shape>(kind: KindWith<'texts'>, input: z.ZodMiniObject<Input>) {
  const fields = Object.entries(input.shape).filter(([name, schema]) => isSettable(kind, name, schema))
  const set = Object.fromEntries(fields.map(([name, schema]) => [name, z.optional(schema)]))
  const shape = { ...set, ...('tags' in input.shape && TAGS), ...ACTIONS }
  const change = z.strictObject(shape).check(
    z.refine((value) => Object.values(value).some((each) => each !== undefined), SENTENCES.noChange),
    z.refine((value) => {
      const given = Object.entries(value).filter(([, each]) => each !== undefined)
      return given.length < 2 || !given.some(([name]) => name in ACTIONS)
    }, SENTENCES.actionAlone),
  )
  const names = fields.map(([name]) => name)
  // The schema is built at runtime, so its type has to be asserted; each field is validated by its own schema.
  return z.pipe(
    change,
    z.transform((value) => split(value as Record<string, unknown>, names)),
  ) as unknown as z.ZodMiniType<BulkChange, ChangeInput<Input>>
}

/** Separates the fields to set from the other actions. */
function split(value: Record<string, unknown>, fields: string[]): BulkChange {
  const given = Object.entries(value).filter(([, each]) => each !== undefined)
  const set = given.filter(([name]) => fields.includes(name))
  const others = given.filter(([name]) => !fields.includes(name))
  return { ...Object.fromEntries(others), set: Object.fromEntries(set) }
}

/** Whether a field can be set on many entities at once: not translations, lists, objects and the original title. */
const isSettable = (kind: KindWith<'texts'>, name: string, schema: z.ZodMiniType): boolean =>
  name !== kindOf(kind).texts?.original && !['array', 'record', 'object'].includes(typeOf(schema))

/** The type of the innermost schema inside optional, nullable and transform wrappers. */
function typeOf(schema: z.core.$ZodType): string {
  const {
    type,
    innerType,
    in: from,
  } = schema._zod.def as z.core.$ZodTypeDef & {
    innerType?: z.core.$ZodType
    in?: z.core.$ZodType
  }
  const inner = innerType ?? from
  return inner ? typeOf(inner) : type
}

/** The body of `bulk` for any kind: `filter` with the parameters of the kind's list, `change` with its fields. */
export interface BulkBody {
  ids?: string[]
  filter?: Record<string, unknown>
  change: Record<string, unknown>
  dryRun?: boolean
}

/** The bulk route of a kind that is known only at runtime (see `bulk`). */
export const bulkOf = (kind: KindWith<'texts'>) =>
  post(`${pathOf(kind)}/bulk`, {
    body: z.custom<BulkBody>(),
    response: z.union([BatchStarted, BulkPreview]),
    idempotent: true,
  })
