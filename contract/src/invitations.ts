import * as z from 'zod/mini'
import { EMAIL_LANGUAGES } from './emailLanguages.ts'
import { get, post } from './route.ts'
import { NewUser, User } from './users.ts'

/** How long an invitation link is valid, in days. */
export const INVITATION_DAYS = 7
/** The maximum number of invitations per administrator and hour. */
export const MAX_HOURLY_INVITATIONS = 100

/** The language of the email; the default is that of the settings. */
const language = z.optional(z.enum(EMAIL_LANGUAGES))

/** A new account without a password. */
export const Invitation = z.strictObject({ ...z.omit(NewUser, { password: true }).shape, language })
export type Invitation = z.output<typeof Invitation>

export const invitationsApi = {
  /** Whether emails can be sent; otherwise they are saved on the server, for the operator to send. */
  mail: get('/api/users/invite', { response: z.object({ isConfigured: z.boolean() }) }),
  /** Creates an account without a password, and emails the user a link to choose one. */
  invite: post('/api/users/invite', { body: Invitation, response: User, status: 201, idempotent: true }),
  /** Sends another link if no password has been chosen yet, and revokes the previous ones. */
  inviteAgain: post('/api/users/:id/invite', { body: z.strictObject({ language }), response: User }),
}
