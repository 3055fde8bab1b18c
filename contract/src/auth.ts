import * as z from 'zod/mini'
import { Done } from './common.ts'
import { get, post } from './route.ts'
import { Permissions } from './tiers.ts'
import { ROLES } from './users.ts'

export const Login = z.object({
  email: z
    .string()
    .check(z.trim(), z.minLength(1, 'Email is required'), z.maxLength(254), z.email('Invalid email address')),
  password: z.string().check(z.minLength(1, 'Password is required'), z.maxLength(1000)),
})
export type Login = z.output<typeof Login>

/** The signed-in user, with everything that decides what they may do. */
export const Me = z.object({
  _id: z.string(),
  username: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
  avatar: z.string(),
  scores: z.number(),
  tier: z.string(),
  permissions: Permissions,
})
export type Me = z.output<typeof Me>

export const authApi = {
  login: post('/api/auth/login', {
    body: Login,
    response: z.object({ token: z.string(), user: Me }),
    access: 'public',
  }),
  verify: get('/api/auth/verify', { response: z.object({ success: z.boolean(), user: Me }) }),
  logout: post('/api/auth/logout', { response: Done }),
}
