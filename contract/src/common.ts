import * as z from 'zod/mini'
import { SENTENCES } from './faults.ts'
import { canonical } from './languageTags.ts'

// eslint-disable-next-line no-control-regex -- they are what is looked for
const CONTROL_EXCEPT_WHITESPACE = /[\0-\x08\x0b\x0c\x0e-\x1f]/

/**
 * Text that every engine can store: well-formed Unicode, without control characters except tab and line breaks.
 * `missing` is the message if there is none.
 */
export const text = (maxLength: number, missing?: string) =>
  z.string(missing).check(
    z.maxLength(maxLength),
    z.refine((value) => value.isWellFormed() && !CONTROL_EXCEPT_WHITESPACE.test(value), SENTENCES.characters),
  )

/** Drops what a list repeats. */
export const distinct = <T>() => z.overwrite((list: T[]) => [...new Set(list)])

/** A UUIDv7 string. The form is not validated: an id that does not exist is a 404, not a 400. */
export const Id = text(64).check(z.minLength(1))

/** A query parameter of up to `limit` ids, separated by commas. */
export const idsParam = (limit: number) =>
  z.pipe(
    text(limit * 65),
    z.pipe(
      z.transform((ids: string) => ids.split(',')),
      z.array(Id).check(distinct(), z.maxLength(limit)),
    ),
  )

/** An id, or an object with an `_id`: editors send back the objects that a read returned. */
export const Ref = z.pipe(
  z.union([Id, z.looseObject({ _id: Id })]),
  z.transform((value) => (typeof value === 'string' ? value : value._id)),
)
/** The maximum number of ids in a list. */
export const MAX_REFS = 1000
export const Refs = z.array(Ref).check(z.maxLength(MAX_REFS), distinct())

/** The id of an asset, or an empty string for none. */
export const CoverRef = z.pipe(
  z.union([text(64), z.looseObject({ _id: Id }), z.null()]),
  z.transform((value) => (typeof value === 'string' ? value : (value?._id ?? ''))),
)

/** An ISO 8601 timestamp, converted to UTC with milliseconds; its year has four digits in UTC, too. */
export const Timestamp = z.pipe(
  z.iso.datetime({ offset: true }),
  z.transform((value, context) => {
    const utc = new Date(value).toISOString()
    // Years before 0 and after 9999 have a sign, and would be sorted as text in the wrong order.
    if (!/^\d/.test(utc)) context.issues.push({ code: 'custom', input: value, message: SENTENCES.moment })
    return utc
  }),
)

/** Optional and nullable: absent leaves the value unchanged, null clears it. */
export const nullish = <T extends z.ZodMiniType>(schema: T) => z.optional(z.nullable(schema))

/** A moment in a response: `2026-01-05T00:00:00.000Z`. Not parsed, since the server wrote it. */
export const Moment = z.string()

/** A whole number in a response, such as a count: 0 or more. Not parsed either. */
export const WholeNumber = z.number()

/** The fields of every stored entity. `If-Match` is compared with `version`. */
export const entityFields = {
  _id: z.string(),
  version: WholeNumber,
  createdAt: Moment,
  updatedAt: Moment,
}

export const SuccessResponse = z.object({ success: z.boolean(), message: z.optional(z.string()) })

/** The version of an entity, up to the largest 32-bit integer of the database. */
export const Version = z.int().check(z.gte(1), z.lte(2_147_483_647))

/** A number in a query string, in digits: not in the other forms that `Number` reads (`0x10`, `1e1`, `+5`, ` 5`). */
const digits = <Output>(form: RegExp, message: string, schema: z.ZodMiniType<Output>) =>
  z.pipe(
    z.transform((value: unknown, context) => {
      if (typeof value !== 'string') return value
      if (!form.test(value)) context.issues.push({ code: 'custom', input: value, message })
      return Number(value)
    }),
    schema,
  )
export const wholeParam = (min: number, max: number) =>
  digits(/^(-[1-9]|\d)\d*$/, SENTENCES.whole, z.int().check(z.gte(min), z.lte(max)))
export const decimalParam = (min: number, max: number) =>
  digits(/^(-[1-9]|\d)\d*(\.\d+)?$/, SENTENCES.number, z.number().check(z.gte(min), z.lte(max)))

/** Pagination: 1-based `page`, with `limit` rows per page. */
export const page = (size: number) => ({
  page: z.prefault(wholeParam(1, 10_000_000), 1),
  limit: z.prefault(wholeParam(1, 100), size),
})

/** The page of a list in a response. `total`: the number of rows on all pages. */
export const Pagination = z.object({ total: WholeNumber, page: WholeNumber, limit: WholeNumber })

/** Pagination by offset: `limit` rows after the first `skip`. */
export const offset = (size: number) => ({
  limit: z.prefault(wholeParam(1, 100), size),
  skip: z.prefault(wholeParam(0, 10_000_000), 0),
})

/**
 * The sort order of a list: one of `columns`, with a minus for descending, or `relevance`. The default is relevance
 * while searching, otherwise newest first (`orderOf`).
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the inferred type names the columns
export const sort = <Column extends string>(columns: readonly Column[]) =>
  z.optional(z.enum([...columns, ...columns.map((name): `-${Column}` => `-${name}`), 'relevance']))

/** A boolean query parameter: 'true' or 'false'. */
export const BooleanParam = z.pipe(
  z.enum(['true', 'false']),
  z.transform((value) => value === 'true'),
)

/** The maximum size of all fields of an entity together, as JSON in UTF-8: less than a request body may have. */
export const MAX_ENTITY_BYTES = 1_000_000

/** The maximum number of languages of an entity. */
export const MAX_LANGUAGES = 100

/**
 * A map from BCP 47 language tags to texts. Tags are stored in canonical form (`zh-hans` becomes `zh-Hans`);
 * unknown but well-formed tags are accepted.
 */
export function translations<Shape extends Record<string, z.ZodMiniType>>(shape: Shape) {
  return z.pipe(
    z.record(Language, z.strictObject(shape)).check(
      z.refine((value) => Object.keys(value).length <= MAX_LANGUAGES, SENTENCES.languagesMany),
      z.refine((value) => {
        const tags = Object.keys(value).map((tag) => canonical(tag))
        return new Set(tags).size === tags.length
      }, SENTENCES.languageTwice),
    ),
    z.transform(
      (value) =>
        Object.fromEntries(Object.entries(value).map(([tag, texts]) => [canonical(tag) ?? tag, texts])) as typeof value,
    ),
  )
}

/** A well-formed BCP 47 language tag, unchanged. */
export const Language = z.string().check(
  z.maxLength(35, SENTENCES.languageTag),
  z.refine((tag) => canonical(tag) !== undefined, SENTENCES.languageTag),
)

/** A BCP 47 language tag, converted to canonical form. */
export const LanguageTag = z.pipe(
  Language,
  z.transform((tag) => canonical(tag) ?? tag),
)

/** The title or name of an entity, by language. */
export const NamesByLanguage = z.record(z.string(), z.object({ name: z.string() }))

export const Title = text(1000)

/** The maximum number of alternative names per entry, and of characters per name. */
export const [MAX_NAMES, MAX_NAME_LENGTH] = [200, 1000] as const
/** Alternative names of an entry, in any script, without duplicates and empty ones. */
export const Names = z
  .array(text(MAX_NAME_LENGTH).check(z.trim(), z.minLength(1)))
  .check(z.maxLength(MAX_NAMES), distinct())
export const LongText = text(50_000)

/** An asset as the entities that use it return it. `url` is relative to the API host. */
const AssetRef = z.object({ _id: z.string(), url: z.string(), thumbnail: z.optional(z.string()) })
export const Cover = z.union([AssetRef, z.literal('')])
