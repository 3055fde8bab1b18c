import * as z from 'zod/mini'
import { text } from './common.ts'

export const ROLES = ['user', 'admin', 'moderator'] as const
export type Role = (typeof ROLES)[number]

export const Email = z.email().check(z.maxLength(254), z.toLowerCase())
export const Password = z.string().check(z.minLength(8), z.maxLength(200))
export const Username = text(60).check(z.trim(), z.minLength(3))

/** All optional (specification 5); `password` is write only. */
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
