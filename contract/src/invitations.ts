import * as z from 'zod/mini'
import { EMAIL_LANGUAGES } from './emailLanguages.ts'
import { get, post } from './route.ts'
import { NewUser, User } from './users.ts'

/** How long the link of an invitation works, in days. */
export const INVITATION_DAYS = 7
/** How many invitations an administrator sends in an hour. */
export const MAX_HOURLY_INVITATIONS = 100

/** `language`: of the e-mail; left out, that of the settings. */
const language = z.optional(z.enum(EMAIL_LANGUAGES))

/** An account without a password. */
export const Invitation = z.strictObject({ ...z.omit(NewUser, { password: true }).shape, language })
export type Invitation = z.output<typeof Invitation>

export const invitationsApi = {
  /** Whether an e-mail leaves the server; else it is kept there, for its operator to send. */
  mail: get('/api/users/invite', { response: z.object({ isConfigured: z.boolean() }) }),
  /** Adds an account without a password, and sends its person a link with which they choose one. */
  invite: post('/api/users/invite', { body: Invitation, response: User, status: 201 }),
  /** Sends another link, as long as no password was chosen; those that were sent before end. */
  inviteAgain: post('/api/users/:id/invite', { body: z.strictObject({ language }), response: User }),
}
