import * as z from 'zod/mini'
import { SENTENCES } from './faults.ts'
import { canonical } from './languageTags.ts'

// eslint-disable-next-line no-control-regex -- they are what is looked for
const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f]/

/** Text that every engine can keep: well-formed Unicode, without control characters but tabs and line ends. */
export const text = (longest: number) =>
  z.string().check(
    z.maxLength(longest),
    z.refine((value) => value.isWellFormed() && !CONTROL.test(value), SENTENCES.characters),
  )

/** A UUIDv7 string. That it is one is not checked: an id that does not exist is a 404, not a 400. */
export const Id = text(64).check(z.minLength(1))

/** Up to `most` ids in an address, separated by commas. */
export const idsParam = (most: number) =>
  z.pipe(
    text(most * 65),
    z.pipe(
      z.transform((ids: string) => [...new Set(ids.split(','))]),
      z.array(Id).check(z.maxLength(most)),
    ),
  )

/** An id, or an object that holds it: editors send back the objects that a read returned. */
export const Ref = z.pipe(
  z.union([Id, z.looseObject({ _id: Id })]),
  z.transform((value) => (typeof value === 'string' ? value : value._id)),
)
/** How many ids a list of them holds at most. */
export const MAX_REFS = 1000
export const Refs = z.array(Ref).check(
  z.maxLength(MAX_REFS),
  z.overwrite((ids) => [...new Set(ids)]),
)

/** The id of an asset, or an empty string for none. */
export const CoverRef = z.pipe(
  z.union([text(64), z.looseObject({ _id: Id }), z.null()]),
  z.transform((value) => (typeof value === 'string' ? value : (value?._id ?? ''))),
)

/** An ISO 8601 moment; kept in UTC with milliseconds. */
export const Timestamp = z.pipe(
  z.iso.datetime({ offset: true }),
  z.transform((value) => new Date(value).toISOString()),
)

/** Optional in an entity: absent means "leave it", null means "clear it". */
export const nullish = <T extends z.ZodMiniType>(schema: T) => z.optional(z.nullable(schema))

/** What every stored entity carries. `version` is what `If-Match` compares. */
export const entityFields = {
  _id: z.string(),
  version: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
}

export const SuccessResponse = z.object({ success: z.boolean(), message: z.optional(z.string()) })

/** A version that an entity may have: what the database counts to. */
export const Version = z.int().check(z.gte(1), z.lte(2_147_483_647))

/** 1-based pages; `limit` rows each. */
export const page = (size: number) => ({
  page: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(10_000_000)), 1),
  limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(100)), size),
})

/**
 * The order that a list takes, both ways: one of `columns` ascending, descending with a minus, or by relevance. Left out,
 * it is the order of the match while searching, else newest first: see `orderOf`.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the inferred type names the columns
export const sort = <Column extends string>(columns: readonly Column[]) =>
  z.optional(z.enum([...columns, ...columns.map((name): `-${Column}` => `-${name}`), 'relevance']))

/** 'true' or 'false' in an address. */
export const BooleanParam = z.pipe(
  z.enum(['true', 'false']),
  z.transform((value) => value === 'true'),
)

/**
 * A map of BCP 47 language tags to texts. Tags are canonicalised (`zh-hans` is kept as `zh-Hans`);
 * unknown but well-formed ones are accepted.
 */
export function translations<Shape extends Record<string, z.ZodMiniType>>(shape: Shape) {
  return z.pipe(
    z.record(Language, z.strictObject(shape)).check(
      z.refine((value) => Object.keys(value).length <= 100, SENTENCES.languagesMany),
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

/** A BCP 47 language tag, well-formed, as it was given. */
export const Language = z.string().check(
  z.maxLength(35, SENTENCES.languageTag),
  z.refine((tag) => tag.length <= 35 && canonical(tag) !== undefined, SENTENCES.languageTag),
)

/** A BCP 47 language tag in its canonical form. */
export const LanguageTag = z.pipe(
  Language,
  z.transform((tag) => canonical(tag) ?? tag),
)

export const Title = text(1000)

/** How many further names an entry may have, and how long one may be, in characters. */
export const [MAX_NAMES, MAX_NAME_LENGTH] = [200, 1000] as const
/** Further names of an entry, in any script: each once, none empty. */
export const Names = z.array(text(MAX_NAME_LENGTH).check(z.trim(), z.minLength(1))).check(
  z.maxLength(MAX_NAMES),
  z.overwrite((names) => [...new Set(names)]),
)
export const LongText = text(50_000)

/** What an asset is to the entity that shows it. `url` is relative to the API host. */
export const AssetRef = z.object({ _id: z.string(), url: z.string(), thumbnail: z.optional(z.string()) })
export const Cover = z.union([AssetRef, z.literal('')])
