import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CharacterInput } from '@mokuroku/contract/characters'
import { Language, LongText, Timestamp, text } from '@mokuroku/contract/common'
import { MEDIA_TYPES, MediaInput } from '@mokuroku/contract/media'
import { RatingInput } from '@mokuroku/contract/ratings'
import { TagInput } from '@mokuroku/contract/tags'
import { TierInput } from '@mokuroku/contract/tiers'
import { UserInput, Username } from '@mokuroku/contract/users'
import * as z from 'zod/mini'

/** Contains one JSON file for each list below. Records are stored in the order of their list. */
const FOLDER = join(import.meta.dirname, '../../sample')

const Key = text(100).check(z.minLength(1))

/**
 * Records refer to each other by `key`, and to people by username. The id of a record is derived from `key` and
 * `createdAt`, so both stay the same from release to release.
 */
const keyed = { key: Key, createdAt: Timestamp }
const authored = { ...keyed, createdBy: Username }

const pictures = { cover: true, assets: true } as const
const SampleWork = z.strictObject({ ...authored, ...z.omit(MediaInput, pictures).shape })
const SampleCharacter = z.strictObject({ ...authored, ...z.omit(CharacterInput, pictures).shape })
const SampleTag = z.strictObject({ ...keyed, ...TagInput.shape })
const SampleTier = z.strictObject({ ...keyed, ...TierInput.shape })
const SampleUser = z.strictObject({
  ...keyed,
  ...z.required(z.omit(UserInput, { password: true, avatar: true })).shape,
})

/**
 * One change of a translation. `from` is a phrase in the text as the earlier edits left it; if it is empty, `to` is
 * appended. If an edit was rolled back, later edits start from the text before it.
 */
const Change = z.strictObject({
  key: Key,
  language: Language,
  field: z.enum(['title', 'name', 'description']),
  from: LongText,
  to: LongText,
  username: Username,
  at: Timestamp,
  rolledBack: z.optional(z.strictObject({ username: Username, at: Timestamp, reason: LongText })),
})

/** Rating comments by mood, for works of a type or any work. */
const Comments = z.record(
  z.enum(['delighted', 'pleased', 'doubtful']),
  z.record(z.enum([...MEDIA_TYPES, 'any']), z.array(z.nonoptional(RatingInput.shape.comment))),
)

/** An anime has no author, since it is imported. */
export type SampleMedia = Omit<z.output<typeof SampleWork>, 'createdBy'> & { createdBy?: string }
export type Comments = z.output<typeof Comments>

/** Novels and manga, oldest first. They are newer than the anime, so that the newest records have pictures. */
export const sampleWorks = () => readData(join(FOLDER, 'works.json'), z.array(SampleWork))
export const sampleCharacters = () => readData(join(FOLDER, 'characters.json'), z.array(SampleCharacter))
/** Parents come before their children. */
export const sampleTags = () => readData(join(FOLDER, 'tags.json'), z.array(SampleTag))
/** The tiers above the initial one, lowest first. */
export const sampleTiers = () => readData(join(FOLDER, 'tiers.json'), z.array(SampleTier))
/** Without an administrator: the first start creates one. */
export const sampleUsers = () => readData(join(FOLDER, 'users.json'), z.array(SampleUser))
/** Oldest first. */
export const sampleChanges = () => readData(join(FOLDER, 'changes.json'), z.array(Change))
export const sampleComments = () => readData(join(FOLDER, 'comments.json'), Comments)

/** The content of a JSON file. Throws an error that names the file and each field that does not fit the schema. */
export function readData<Schema extends z.ZodMiniType>(file: string, schema: Schema): z.output<Schema> {
  const { data, error } = schema.safeParse(parse(file))
  if (!error) return data
  const faults = error.issues.map(({ path, message }) => `\n  ${z.core.toDotPath(path)}: ${message}`)
  throw new Error(`${file} does not fit its schema:${faults.join('')}`)
}

function parse(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new Error(`${file} cannot be read`, { cause })
  }
}
