import * as z from 'zod/mini'
import { SENTENCES } from './faults.ts'
import { SuccessResponse, text } from './common.ts'
import { del, get, post, put } from './route.ts'
import { EMAIL_LANGUAGES } from './emailLanguages.ts'
import { Preferences } from './preferences.ts'
import { Permissions } from './tiers.ts'
import { Password, ROLES, User, Username } from './users.ts'

const Email = z
  .string(SENTENCES.emailRequired)
  .check(
    z.trim(),
    z.minLength(1, SENTENCES.emailRequired),
    z.maxLength(254, SENTENCES.emailInvalid),
    z.email(SENTENCES.emailInvalid),
  )

/** A password that is compared, not kept: nothing but its length is asked of it. */
const LoginPassword = z
  .string(SENTENCES.passwordRequired)
  .check(z.minLength(1, SENTENCES.passwordRequired), z.maxLength(1000))

export const Login = z.object({
  email: Email,
  password: LoginPassword,
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
  preferences: Preferences,
})
export type Me = z.output<typeof Me>

export const ProfileInput = z.strictObject({ username: z.optional(Username), avatar: z.optional(text(500)) })
export type ProfileInput = z.output<typeof ProfileInput>

export const PasswordChange = z.strictObject({
  current: LoginPassword,
  password: Password,
})
export type PasswordChange = z.output<typeof PasswordChange>

export const Reauthentication = z.strictObject({
  password: LoginPassword,
})

export const ForgotPassword = z.strictObject({ email: Email, language: z.optional(z.enum(EMAIL_LANGUAGES)) })
export type ForgotPassword = z.output<typeof ForgotPassword>

/** `token` is the secret part of the link that the letter holds. */
export const ResetPassword = z.strictObject({
  token: z.string().check(z.minLength(1), z.maxLength(100)),
  password: Password,
})
export type ResetPassword = z.output<typeof ResetPassword>

/** Where one is signed in. `current` is the session that asks. */
export const Session = z.object({
  _id: z.string(),
  address: z.string(),
  userAgent: z.string(),
  createdAt: z.string(),
  lastSeen: z.string(),
  expiresAt: z.string(),
  current: z.boolean(),
})
export type Session = z.output<typeof Session>

export const authApi = {
  login: post('/api/auth/login', {
    body: Login,
    response: z.object({ token: z.string(), user: Me }),
    access: 'public',
  }),
  /** Answers the same, and as fast, whether or not there is such an account: the letter goes out afterwards. */
  forgotPassword: post('/api/auth/forgot-password', {
    body: ForgotPassword,
    response: SuccessResponse,
    access: 'public',
  }),
  /** Works once for each letter, within 30 minutes, and ends every session of the account. */
  resetPassword: post('/api/auth/reset-password', { body: ResetPassword, response: SuccessResponse, access: 'public' }),
  verify: get('/api/auth/verify', { response: z.object({ success: z.boolean(), user: Me }) }),
  logout: post('/api/auth/logout', { response: SuccessResponse }),
  profile: get('/api/auth/profile', { response: User }),
  updateProfile: put('/api/auth/profile', { body: ProfileInput, response: User }),
  /** Keeps what is given; kinds that are left out stay as they are. */
  updatePreferences: put('/api/auth/preferences', { body: Preferences, response: Preferences }),
  /**
   * Enters the password again. For ten minutes the session may then do what answers 403 with the code `reauthenticate`;
   * so may a new one, but for changing one's own address or password.
   */
  confirm: post('/api/auth/confirm', { body: Reauthentication, response: SuccessResponse }),
  /** Ends the other sessions. */
  changePassword: put('/api/auth/password', { body: PasswordChange, response: SuccessResponse }),
  sessions: get('/api/auth/sessions', { response: z.object({ data: z.array(Session) }) }),
  endSession: del('/api/auth/sessions/:id', { response: SuccessResponse }),
  /** Ends all sessions but the one that asks. */
  endSessions: del('/api/auth/sessions', { response: SuccessResponse }),
}
