import * as z from 'zod/mini'
import { Moment, SuccessResponse, BooleanParam, page, sort, entityFields, text, WholeNumber } from './common.ts'
import { SENTENCES } from './faults.ts'
import { del, get, post, put } from './route.ts'
import { Uses } from './uses.ts'
import { normalize } from './normalize.ts'

export const ROLES = ['user', 'admin', 'moderator'] as const
export type Role = (typeof ROLES)[number]
export const USER_SORTS = ['createdAt', 'updatedAt', 'username', 'scores'] as const

export const Email = z.email().check(z.maxLength(254), z.toLowerCase())
export const Password = z
  .string()
  .check(z.minLength(8, SENTENCES.passwordShort), z.maxLength(200, SENTENCES.passwordLong))
/** Invisible characters: control, format, private-use and unassigned ones, and line and paragraph separators. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]/u
/** A character that can be seen by itself, unlike a combining mark, a Hangul filler or an empty Braille pattern. */
const SEEN = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u

/** A username, normalized (NFKC, single spaces) so that names that look the same are equal. */
export const Username = text(60).check(
  // A longer one is refused below, whatever its form.
  z.overwrite((name) => (name.length > 1000 ? name : normalize(name, 'NFKC').replaceAll(/ {2,}/g, ' '))),
  z.trim(),
  z.minLength(3),
  z.maxLength(60),
  z.refine((name) => !INVISIBLE.test(name), SENTENCES.usernameUnseen),
  z.refine((name) => SEEN.test(name), SENTENCES.usernameBlank),
)

/** All fields are optional; `password` is write-only. */
export const UserInput = z.strictObject({
  username: z.optional(Username),
  email: z.optional(Email),
  password: z.optional(Password),
  role: z.optional(z.enum(ROLES)),
  isActive: z.optional(z.boolean()),
  avatar: z.optional(text(500)),
  scores: z.optional(z.number().check(z.gte(0), z.lte(1_000_000_000))),
})
export type UserInput = z.output<typeof UserInput>

export const NewUser = z.strictObject({ ...UserInput.shape, username: Username, email: Email, password: Password })
export type NewUser = z.output<typeof NewUser>

export const User = z.object({
  ...entityFields,
  username: z.string(),
  /** Visible only to administrators, moderators and the user; the same holds for `lastLogin`. */
  email: z.optional(z.string()),
  role: z.enum(ROLES),
  isActive: z.boolean(),
  avatar: z.string(),
  scores: z.number(),
  /** The name of the tier that the scores reach; '' for users who need none. */
  tier: z.string(),
  lastLogin: z.optional(z.nullable(Moment)),
  createdBy: z.optional(z.string()),
  /**
   * Present while the user has not chosen a password: until when the link in the email is valid; null if no link is.
   * Visible only to administrators and moderators.
   */
  invitation: z.optional(z.object({ expiresAt: z.nullable(Moment) })),
})
export type User = z.output<typeof User>

export const UserQuery = z.object({
  ...page(10),
  role: z.optional(z.enum(ROLES)),
  isActive: z.optional(BooleanParam),
  sort: sort(USER_SORTS),
  /** Searches by name; for administrators and moderators also by email address. */
  search: z.optional(text(200).check(z.trim())),
})

export const usersApi = {
  list: get('/api/users', {
    query: UserQuery,
    response: z.object({ success: z.boolean(), data: z.array(User), total: WholeNumber, pages: WholeNumber }),
  }),
  find: get('/api/users/:id', { response: User }),
  create: post('/api/users', { body: NewUser, response: User, status: 201 }),
  update: put('/api/users/:id', { body: UserInput, response: User, versioned: true }),
  remove: del('/api/users/:id', { response: SuccessResponse, versioned: true }),
  restore: post('/api/users/:id/restore', { response: User }),
  /** The existing entities that the account created, changed or rated; `first` is empty. */
  uses: get('/api/users/:id/uses', { response: Uses }),
}

/** The initial values of a new user. */
export const newUser = () => ({ username: '', email: '', password: '', role: 'user' as const, isActive: true })
