import { invitationsApi, MAX_HOURLY_INVITATIONS } from '@mokuroku/contract/invitations'
import { limiter } from '#access/limiter.ts'
import { type Actor, authorize } from '#access/permissions.ts'
import { serve } from '#http/serve.ts'
import { notFound } from '#lib/errors.ts'
import { mailState } from '#mail/send.ts'
import { invitations } from '#store/invitations'
import { users } from '#store/users'

/** A rate limit, so that a stolen administrator session cannot send a flood of emails. */
const sent = limiter('invitations', MAX_HOURLY_INVITATIONS, 60)

const find = async (id: string, actor: Actor) => (await users.find(id, actor)) ?? notFound('User')

export const invitationRoutes = serve(
  invitationsApi,
  {
    mail: () => ({ isConfigured: mailState().isConfigured }),
    invite: async ({ body, actor, key }) => {
      await sent.take(actor._id)
      return find(await invitations.send(body, actor, key), actor)
    },
    inviteAgain: async ({ id, body: { language }, actor }) => {
      await sent.take(actor._id)
      await invitations.sendAgain(id, language, actor)
      return find(id, actor)
    },
  },
  { mail: authorize('create', 'User'), invite: authorize('create', 'User'), inviteAgain: authorize('edit', 'User') },
)
