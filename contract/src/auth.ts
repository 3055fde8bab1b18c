import * as z from 'zod/mini'
import { SENTENCES } from './faults.ts'
import { Moment, SuccessResponse, text } from './common.ts'
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

/** A password to be checked, not stored: only its length is validated. */
const LoginPassword = z
  .string(SENTENCES.passwordRequired)
  .check(z.minLength(1, SENTENCES.passwordRequired), z.maxLength(1000, SENTENCES.passwordLong))

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

/** `token` is the secret part of the link in the email. */
export const ResetPassword = z.strictObject({
  token: z.string().check(z.minLength(1), z.maxLength(100)),
  password: Password,
})
export type ResetPassword = z.output<typeof ResetPassword>

/** A session of the user. `current`: it is the one that makes this call. */
export const Session = z.object({
  _id: z.string(),
  address: z.string(),
  userAgent: z.string(),
  createdAt: Moment,
  lastSeen: z.string(),
  expiresAt: Moment,
  current: z.boolean(),
})
export type Session = z.output<typeof Session>

export const authApi = {
  login: post('/api/auth/login', {
    body: Login,
    response: z.object({ token: z.string(), user: Me }),
    access: 'public',
  }),
  /** Answers identically and equally fast whether or not the account exists: the email is sent afterwards. */
  forgotPassword: post('/api/auth/forgot-password', {
    body: ForgotPassword,
    response: SuccessResponse,
    access: 'public',
  }),
  /** Each link works once, within 30 minutes. Ends all sessions of the account. */
  resetPassword: post('/api/auth/reset-password', { body: ResetPassword, response: SuccessResponse, access: 'public' }),
  verify: get('/api/auth/verify', { response: z.object({ success: z.boolean(), user: Me }) }),
  logout: post('/api/auth/logout', { response: SuccessResponse }),
  profile: get('/api/auth/profile', { response: User }),
  updateProfile: put('/api/auth/profile', { body: ProfileInput, response: User, versioned: true }),
  /** Stores the given preferences; omitted ones, and the columns of omitted kinds, stay unchanged. */
  updatePreferences: put('/api/auth/preferences', { body: z.partial(Preferences), response: Preferences }),
  /**
   * Re-authenticates with the password. For ten minutes, the session may then make the calls that otherwise answer 403
   * with the code `reauthenticate`. A new session may do so too, except to change one's own email address or password.
   */
  confirm: post('/api/auth/confirm', { body: Reauthentication, response: SuccessResponse }),
  /** Ends all other sessions. */
  changePassword: put('/api/auth/password', { body: PasswordChange, response: SuccessResponse }),
  sessions: get('/api/auth/sessions', { response: z.object({ data: z.array(Session) }) }),
  endSession: del('/api/auth/sessions/:id', { response: SuccessResponse }),
  /** Ends all sessions except the current one. */
  endSessions: del('/api/auth/sessions', { response: SuccessResponse }),
}
